//! Grows the neighbourhood of one record until it has k records.

use sfumato_core::column::Code;

use super::Records;
use crate::algorithms::bottom_up::lsh::{Index, Size};
use crate::algorithms::bottom_up::neighbours::{Ahead, Probes, Search};
use crate::algorithms::bottom_up::points::{Common, Points};

/// Grows neighbourhoods, one after the other. Each thread has a gatherer of its own.
pub struct Gatherer<'a, C> {
    points: &'a Points<'a, C>,
    index: Option<&'a Index>,
    search: Search,
    ahead: Ahead,
    common: Common,
}

impl<'a, C: Code> Gatherer<'a, C> {
    /// A gatherer that searches in an index, or everywhere if there is none.
    pub fn new(
        points: &'a Points<'a, C>,
        index: Option<&'a Index>,
        size: Size,
        probes: Probes,
    ) -> Self {
        let search = Search::new(if index.is_some() { points.len() } else { 0 }, size, probes);
        Gatherer {
            points,
            index,
            search,
            ahead: Ahead::default(),
            common: Common::new(points.utilities.len()),
        }
    }

    /// The set that a point is published as, and k records that contain it.
    pub fn gather(&mut self, point: usize, k: u64, records: &Records) -> (Vec<u32>, Vec<u32>) {
        let points = self.points;
        let mut supporters: Vec<u32> = Vec::with_capacity(k as usize);
        let add = |point: usize, supporters: &mut Vec<u32>| {
            let wanted = k as usize - supporters.len();
            supporters.extend(records.of_point(point).iter().take(wanted));
        };
        add(point, &mut supporters);
        self.common.begin(points.set(point), points.utilities);
        if (supporters.len() as u64) < k {
            match self.index {
                Some(index) => self.search.begin(index, points, point, &self.common),
                None => {
                    let others = (0..points.len()).filter(|other| *other != point);
                    self.ahead.fill(
                        others.map(|other| (points.common(&self.common, other), other as u32)),
                    );
                }
            }
        }
        while (supporters.len() as u64) < k {
            let Some(other) = self.nearest() else { break };
            add(other, &mut supporters);
            self.common.shrink(points.set(other));
        }
        (self.common.items.clone(), supporters)
    }

    fn nearest(&mut self) -> Option<usize> {
        let Some(index) = self.index else {
            return self.ahead.pop(self.points, &self.common).map(|(_, point)| point as usize);
        };
        if let Some(point) = self.search.nearest(index, self.points, &self.common) {
            return Some(point);
        }
        // The buckets have nobody else: whoever is best of all must do.
        self.search.look_everywhere(self.points, &self.common);
        self.search.nearest(index, self.points, &self.common)
    }
}
