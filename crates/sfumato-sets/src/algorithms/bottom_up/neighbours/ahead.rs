//! A queue of candidates for a cluster, the best first.
//!
//! What a point has in common with a cluster only decreases as the cluster grows. So an earlier
//! value is an upper bound, and only candidates with the highest bound are evaluated again.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use sfumato_core::column::Code;

use crate::algorithms::bottom_up::points::{Common, Points};

/// A queue of candidates. Of equal candidates the lower number comes first.
#[derive(Debug, Default)]
pub struct Ahead {
    heap: BinaryHeap<(u64, Reverse<u32>)>,
}

impl Ahead {
    /// Remove all candidates, and keep the memory.
    pub fn clear(&mut self) {
        self.heap.clear();
    }
    /// Add a candidate.
    pub fn push<C: Code>(&mut self, points: &Points<'_, C>, common: &Common, point: u32) {
        self.heap.push((points.common(common, point as usize).to_bits(), Reverse(point)));
    }
    /// Replace the candidates by others whose common utility is known.
    pub fn fill(&mut self, known: impl Iterator<Item = (f64, u32)>) {
        let mut list = std::mem::take(&mut self.heap).into_vec();
        list.clear();
        // Worth is never negative, and such numbers are ordered like their bits.
        list.extend(known.map(|(worth, point)| (worth.to_bits(), Reverse(point))));
        self.heap = list.into();
    }
    /// The number of candidates.
    pub fn len(&self) -> usize {
        self.heap.len()
    }
    /// Remove the best candidate, and return it with what it has in common with the cluster.
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
