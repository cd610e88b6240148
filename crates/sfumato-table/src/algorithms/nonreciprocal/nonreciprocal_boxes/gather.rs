//! Regions as the records that they contain, and the cost of replacing one record by another.
//!
//! Records are numbered by their places in an order in which similar records are close, so that a
//! region and its neighbours are close in memory.

use rayon::prelude::*;
use sfumato_core::Result;
use sfumato_core::matches::Matches;

use crate::algorithms::shared::space::{Axis, Bounds, Space};

/// For each region, the places of the k records that it contains.
pub struct Gathered<'a> {
    pub(super) records: Records<'a>,
    /// The number of records of each region.
    pub(super) k: usize,
    /// Their places, region after region.
    pub(super) members: Vec<u32>,
}

/// The codes of all records, by places.
pub struct Records<'a> {
    space: &'a Space<'a>,
    rulers: Vec<Ruler<'a>>,
    codes: Vec<u32>,
}

impl<'a> Gathered<'a> {
    /// Make it from the rows in order, and for each region the places of its records.
    pub fn new(space: &'a Space<'a>, order: &[u32], k: usize, members: Vec<u32>) -> Self {
        let codes = order.par_iter().flat_map_iter(|row| {
            space.axes.iter().map(move |axis| axis.column.codes.get(*row as usize))
        });
        let rulers = space.axes.iter().map(Ruler::new).collect();
        Gathered { records: Records { space, rulers, codes: codes.collect() }, k, members }
    }

    /// The mean cost of a record.
    pub fn mean_price(&self) -> f64 {
        let prices: Vec<f64> = self
            .members
            .par_chunks(self.k)
            .map(|members| {
                let mut edges = vec![Edge::default(); self.records.n_columns()];
                self.records.edges(members, &mut edges);
                self.records.price(&edges)
            })
            .collect();
        // Added one after the other: sums by thread would depend on how many there are.
        prices.iter().sum::<f64>() / prices.len().max(1) as f64
    }

    /// The matches, by rows of the table.
    pub fn matches(&self, order: &[u32]) -> Result<Matches> {
        // Of a region the number is the row at its place, as in a ring.
        let row = |place: usize| order[place] as usize;
        let mut pre = vec![0; self.members.len()];
        for (place, members) in self.members.chunks_exact(self.k).enumerate() {
            let to = &mut pre[row(place) * self.k..][..self.k];
            to.iter_mut().zip(members).for_each(|(to, member)| *to = order[*member as usize]);
        }
        Ok(Matches::new(self.k, pre)?.preimages())
    }
}

/// The least and the greatest code in a column, and the second least and greatest, which remain
/// when a record leaves.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Edge {
    low: u32,
    next_low: u32,
    high: u32,
    next_high: u32,
}

impl Default for Edge {
    fn default() -> Self {
        Edge { low: u32::MAX, next_low: u32::MAX, high: 0, next_high: 0 }
    }
}

impl Edge {
    #[inline]
    fn add(&mut self, code: u32) {
        if code < self.low {
            (self.low, self.next_low) = (code, self.low);
        } else if code < self.next_low {
            self.next_low = code;
        }
        if code > self.high {
            (self.high, self.next_high) = (code, self.high);
        } else if code > self.next_high {
            self.next_high = code;
        }
    }

    /// The bounds without a code that is inside.
    #[inline]
    fn without(&self, code: u32) -> Bounds {
        Bounds {
            min: if code == self.low { self.next_low } else { self.low },
            max: if code == self.high { self.next_high } else { self.high },
        }
    }
}

/// The prices of intervals of a column.
struct Ruler<'a> {
    axis: &'a Axis<'a>,
    /// The price of the interval from the first code to each code, if every other price is a
    /// difference of two of these; otherwise empty.
    marks: Vec<f64>,
}

impl<'a> Ruler<'a> {
    /// The number of codes above which such differences are tried: smaller columns have a table.
    const FEW: u32 = 160;
    /// The number of intervals that are tried.
    const TRIED: u32 = 4096;

    fn new(axis: &'a Axis<'a>) -> Self {
        let n = axis.missing;
        if axis.tree.is_some() || n <= Self::FEW {
            return Ruler { axis, marks: Vec::new() };
        }
        let marks: Vec<f64> = (0..n).map(|code| axis.price(Bounds { min: 0, max: code })).collect();
        // Ranges of numbers cost their width under most metrics. Where they don't, nothing is
        // promised that hangs on this: it only guides a search.
        let step = (n / Self::TRIED).max(1);
        let is_difference = |min: u32| {
            let max = min + (n - 1 - min) / 2;
            let price = axis.price(Bounds { min, max });
            (price - (marks[max as usize] - marks[min as usize])).abs() < 1e-9
        };
        match (0..n).step_by(step as usize).all(is_difference) {
            true => Ruler { axis, marks },
            false => Ruler { axis, marks: Vec::new() },
        }
    }

    #[inline]
    fn price(&self, bounds: Bounds) -> f64 {
        match (self.marks.get(bounds.min as usize), self.marks.get(bounds.max as usize)) {
            (Some(from), Some(to)) => to - from,
            _ => self.axis.price(bounds),
        }
    }
}

impl Records<'_> {
    #[inline]
    fn price_of(&self, region: impl Iterator<Item = Bounds>) -> f64 {
        self.space
            .join()
            .all(self.rulers.iter().zip(region).map(|(ruler, bounds)| ruler.price(bounds)))
    }

    /// The number of columns.
    pub fn n_columns(&self) -> usize {
        self.space.n_columns()
    }

    #[inline]
    fn of(&self, place: u32) -> &[u32] {
        let n = self.space.n_columns();
        &self.codes[place as usize * n..][..n]
    }

    /// The edges of a region around some records.
    pub fn edges(&self, members: &[u32], edges: &mut [Edge]) {
        edges.fill(Edge::default());
        for member in members {
            edges.iter_mut().zip(self.of(*member)).for_each(|(edge, code)| edge.add(*code));
        }
    }

    /// The price of a region.
    pub fn price(&self, edges: &[Edge]) -> f64 {
        self.price_of(edges.iter().map(|edge| Bounds { min: edge.low, max: edge.high }))
    }

    /// The price of a region around two regions.
    #[inline]
    pub fn price_of_both(&self, one: &[Edge], two: &[Edge]) -> f64 {
        self.price_of(
            one.iter().zip(two).map(|(one, two)| Bounds {
                min: one.low.min(two.low),
                max: one.high.max(two.high),
            }),
        )
    }

    /// The price of a region with one more record.
    #[inline]
    pub fn price_and(&self, edges: &[Edge], comes: u32) -> f64 {
        self.price_of(
            edges
                .iter()
                .zip(self.of(comes))
                .map(|(edge, code)| Bounds { min: edge.low.min(*code), max: edge.high.max(*code) }),
        )
    }

    /// The price of a region without one of its records, of which there must be at least two.
    #[inline]
    pub fn price_without(&self, edges: &[Edge], leaves: u32) -> f64 {
        self.price_of(edges.iter().zip(self.of(leaves)).map(|(edge, code)| edge.without(*code)))
    }

    /// The price of a region with one of its records replaced, of which there must be at least two.
    #[inline]
    pub fn price_with(&self, edges: &[Edge], leaves: u32, comes: u32) -> f64 {
        let codes = self.of(leaves).iter().zip(self.of(comes));
        self.price_of(
            edges
                .iter()
                .zip(codes)
                .map(|(edge, (leaves, comes))| edge.without(*leaves).hull(Bounds::of(*comes))),
        )
    }
}
