//! Candidates for a cluster, the best first.
//!
//! What a point has in common with a cluster only falls as the cluster grows. So what was found
//! earlier is a bound, and only candidates whose bound is the highest are looked at again.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use sfumato_core::column::Code;

use crate::algorithms::bottom_up::points::{Common, Points};

/// A queue of candidates. Equal worth goes to the lower number.
#[derive(Debug, Default)]
pub struct Ahead {
    heap: BinaryHeap<(u64, Reverse<u32>)>,
}

impl Ahead {
    /// Throw away all candidates, keep the room.
    pub fn clear(&mut self) {
        self.heap.clear();
    }
    /// One more candidate.
    pub fn push<C: Code>(&mut self, points: &Points<'_, C>, common: &Common, point: u32) {
        self.heap.push((points.common(common, point as usize).to_bits(), Reverse(point)));
    }
    /// Candidates whose common worth is known, instead of those there are.
    pub fn fill(&mut self, known: impl Iterator<Item = (f64, u32)>) {
        let mut list = std::mem::take(&mut self.heap).into_vec();
        list.clear();
        // Worth is never negative, and such numbers are ordered like their bits.
        list.extend(known.map(|(worth, point)| (worth.to_bits(), Reverse(point))));
        self.heap = list.into();
    }
    /// How many candidates there are.
    pub fn len(&self) -> usize {
        self.heap.len()
    }
    /// The best candidate, which stops being one, and what it has in common with the cluster.
    pub fn pop<C: Code>(&mut self, points: &Points<'_, C>, common: &Common) -> Option<(f64, u32)> {
        loop {
            let (bound, Reverse(point)) = self.heap.pop()?;
            let worth = points.common(common, point as usize).to_bits();
            // A candidate that is as good as the best bound of the others needs no second turn.
            if worth == bound || self.heap.peek().is_none_or(|next| (worth, Reverse(point)) > *next)
            {
                return Some((f64::from_bits(worth), point));
            }
            self.heap.push((worth, Reverse(point)));
        }
    }
}
