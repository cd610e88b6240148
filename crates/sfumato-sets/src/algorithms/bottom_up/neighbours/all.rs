//! The exact search: every remaining point is evaluated once for each cluster.

use rayon::prelude::*;
use sfumato_core::column::Code;

use super::{Ahead, Left, Neighbours, distance};
use crate::algorithms::bottom_up::points::{Common, Points};

/// The number of points that make a task for a thread.
const PART: usize = 4096;

/// Searches all points.
pub struct All {
    left: Left,
    ahead: Ahead,
    from: Common,
}

impl All {
    /// A search among `n` points, all of which remain.
    pub fn new(n: usize, n_items: usize) -> Self {
        All { left: Left::new(n), ahead: Ahead::default(), from: Common::new(n_items) }
    }
}

impl<C: Code> Neighbours<C> for All {
    fn distant(&mut self, points: &Points<'_, C>, from: usize) -> Option<usize> {
        self.from.begin(points.set(from), points.utilities);
        let (left, from) = (&self.left, &self.from);
        let furthest = left.list().par_chunks(PART).filter_map(|part| {
            let there = part.iter().filter(|point| !left.is_gone(**point));
            let far = there.map(|point| (distance(points, from, *point as usize), *point));
            far.max_by(|a, b| a.0.total_cmp(&b.0).then(b.1.cmp(&a.1)))
        });
        furthest
            .max_by(|a, b| a.0.total_cmp(&b.0).then(b.1.cmp(&a.1)))
            .map(|(_, point)| point as usize)
    }

    fn begin(&mut self, points: &Points<'_, C>, _: usize, common: &Common) {
        let left = &self.left;
        let parts: Vec<Vec<(f64, u32)>> = left
            .list()
            .par_chunks(PART)
            .map(|part| {
                let there = part.iter().filter(|point| !left.is_gone(**point));
                there.map(|point| (points.common(common, *point as usize), *point)).collect()
            })
            .collect();
        self.ahead.fill(parts.into_iter().flatten());
    }

    fn nearest(&mut self, points: &Points<'_, C>, common: &Common) -> Option<usize> {
        self.ahead.pop(points, common).map(|(_, point)| point as usize)
    }

    fn remove(&mut self, point: usize) {
        self.left.remove(point);
    }
}
