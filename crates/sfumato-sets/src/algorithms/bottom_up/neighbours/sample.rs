//! The uninformed search: the best point of a random sample.

use sfumato_core::column::Code;

use super::{Left, Neighbours, distance};
use crate::algorithms::bottom_up::points::{Common, Points};
use sfumato_kernels::seeded::Seeded;

/// Evaluates a number of random points for each answer.
pub struct Sample {
    left: Left,
    sample: usize,
    random: Seeded,
    from: Common,
}

impl Sample {
    /// A search among `n` points, all of which remain.
    pub fn new(n: usize, n_items: usize, sample: usize, random: Seeded) -> Self {
        Sample { left: Left::new(n), sample, random, from: Common::new(n_items) }
    }
}

impl<C: Code> Neighbours<C> for Sample {
    fn distant(&mut self, points: &Points<'_, C>, from: usize) -> Option<usize> {
        self.from.begin(points.set(from), points.utilities);
        self.left
            .best_of(self.sample, &mut self.random, |point| distance(points, &self.from, point))
    }
    fn begin(&mut self, _: &Points<'_, C>, _: usize, _: &Common) {}
    fn nearest(&mut self, points: &Points<'_, C>, common: &Common) -> Option<usize> {
        self.left.best_of(self.sample, &mut self.random, |point| points.common(common, point))
    }
    fn remove(&mut self, point: usize) {
        self.left.remove(point);
    }
}
