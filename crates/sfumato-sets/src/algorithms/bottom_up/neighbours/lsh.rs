//! The search with an index: among points that share a bucket with the cluster.

use sfumato_core::column::Code;

use super::{Left, Neighbours, Probes, Search, distance};
use crate::algorithms::bottom_up::lsh::{Index, Size};
use crate::algorithms::bottom_up::points::{Common, Points};
use sfumato_kernels::seeded::Seeded;

/// How many records are drawn to find a distant one.
const FAR: usize = 24;

/// Searches the buckets of an index.
pub struct Lsh {
    index: Index,
    search: Search,
    left: Left,
    random: Seeded,
    from: Common,
}

impl Lsh {
    /// Make an index of all points.
    pub fn new<C: Code>(points: &Points<'_, C>, size: Size, probes: Probes, seed: u64) -> Self {
        let mut random = Seeded::new(seed);
        let index = Index::new(points, size, &mut random);
        let search = Search::new(points.len(), size, probes);
        Lsh {
            index,
            search,
            left: Left::new(points.len()),
            random,
            from: Common::new(points.utilities.len()),
        }
    }
}

impl<C: Code> Neighbours<C> for Lsh {
    fn distant(&mut self, points: &Points<'_, C>, from: usize) -> Option<usize> {
        self.from.begin(points.set(from), points.utilities);
        self.left.best_of(FAR, &mut self.random, |point| distance(points, &self.from, point))
    }

    fn begin(&mut self, points: &Points<'_, C>, first: usize, common: &Common) {
        self.search.begin(&self.index, points, first, common);
    }

    fn nearest(&mut self, points: &Points<'_, C>, common: &Common) -> Option<usize> {
        // Where no bucket has anybody left, anybody must do.
        let found = self.search.nearest(&self.index, points, common);
        found.or_else(|| self.left.draw(&mut self.random))
    }

    fn remove(&mut self, point: usize) {
        self.index.remove(point);
        self.left.remove(point);
    }
}
