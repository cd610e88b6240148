//! Children of a hierarchy's node that can't be published by themselves stay together, published at
//! the node, while the others leave. So one rare value doesn't prevent a split of the whole group.
//!
//! The rows that stay must be publishable too. If they are too few, records of the largest child
//! are lent to them: those that fit best into the region of the others. Otherwise whole children
//! are added, the smallest first.

use std::ops::Range;

use super::cells::Cells;
use super::grow::{Node, Rules, Worker};
use super::price::Prices;
use super::shape::Bounds;
use super::split::{Kept, Split, SplitPart};
use super::store::{Address, with_cells};

/// The number of records of the largest child, evenly spread, that are considered.
pub const POOL: usize = 64;
/// The largest number of children that are added.
pub const PULLED: usize = 4;

/// What happens to children that can't be published.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Leftovers {
    /// They forbid the split.
    None,
    /// They stay together at the parent.
    Keep,
    /// They stay together at the parent, and get records of others if they are too few.
    Lend,
}

impl Worker<'_, '_> {
    /// Turn a judged split into children into one whose last part stays at the parent. `None` if no
    /// part could leave.
    pub fn keep_leftovers(
        &self,
        node: &Node,
        live: &Range<usize>,
        mut split: Split,
        parent: Bounds,
    ) -> Option<Split> {
        let Rules { addresses, check, leftovers, .. } = *self.rules;
        let by = addresses[split.column];
        if !split.parts.iter().any(|part| part.holds) {
            return None;
        }
        let mut rows = split.dropped();
        let mut places: Option<Vec<u32>> = None;
        if leftovers == Leftovers::Lend && rows < check.min_rows {
            let stay = self.places(node, by, &split.parts);
            if let Some(lent) = self.lend(node, live, by, &mut split, &stay) {
                rows += lent.len();
                return Some(split.keep(rows, parent, lent));
            }
            places = Some(stay);
        }
        for _ in 0..=PULLED {
            let holds = rows >= check.min_rows
                && (check.counts_rows() || {
                    let stay = places.take().unwrap_or_else(|| self.places(node, by, &split.parts));
                    check.group_holds(&self.block, &stay, node.range.start)
                });
            if holds {
                return split
                    .parts
                    .iter()
                    .any(|part| part.holds)
                    .then(|| split.keep(rows, parent, Vec::new()));
            }
            places = None;
            let smallest =
                split.parts.iter_mut().filter(|part| part.holds).min_by_key(|part| part.rows)?;
            smallest.holds = false;
            rows += smallest.rows;
        }
        None
    }

    /// The places in a node of the rows that stay.
    fn places(&self, node: &Node, by: Address, parts: &[SplitPart]) -> Vec<u32> {
        let leaves = Leaving::new(parts);
        with_cells!(&self.block.stores[by.store], by.lane, node.range.clone(), cells => {
            (0u32..).zip(cells.codes()).filter(|(_, code)| !leaves.code(*code))
                .map(|(place, _)| place).collect()
        })
    }

    /// Take records from the largest child for the rows that stay, which are too few. Returns the
    /// places of these records.
    fn lend(
        &self,
        node: &Node,
        live: &Range<usize>,
        by: Address,
        split: &mut Split,
        stay: &[u32],
    ) -> Option<Vec<u32>> {
        let Rules { check, .. } = *self.rules;
        let needed = check.min_rows - stay.len();
        let lender = split
            .parts
            .iter_mut()
            .filter(|part| part.holds)
            .max_by_key(|part| (part.rows, u32::MAX - part.region.min))?;
        if lender.rows < check.min_rows + needed {
            return None;
        }
        let region = lender.region;
        let own = |code: u32| region.min <= code && code <= region.max;
        let wanted = lender.rows.min(POOL.max(needed));
        let mut pool: Vec<u32> = Vec::with_capacity(wanted);
        with_cells!(&self.block.stores[by.store], by.lane, node.range.clone(), cells => {
            let mut seen = 0;
            for (place, code) in (0u32..).zip(cells.codes()) {
                if own(code) {
                    if seen == pool.len() * lender.rows / wanted {
                        pool.push(place);
                        if pool.len() == wanted {
                            break;
                        }
                    }
                    seen += 1;
                }
            }
        });
        let mut lent = self.nearest(node, live, stay, &pool, needed);
        lent.sort_unstable();
        if !check.counts_rows() {
            let mut all: Vec<u32> = stay.iter().chain(&lent).copied().collect();
            all.sort_unstable();
            let store = &self.block.stores[by.store];
            let remain: Vec<u32> = with_cells!(store, by.lane, node.range.clone(), cells => {
                (0u32..).zip(cells.codes()).filter(|(_, code)| own(*code)).map(|(place, _)| place)
                    .filter(|place| lent.binary_search(place).is_err()).collect()
            });
            let start = node.range.start;
            if !check.group_holds(&self.block, &all, start)
                || !check.group_holds(&self.block, &remain, start)
            {
                return None;
            }
        }
        lender.rows -= lent.len();
        Some(lent)
    }

    /// The rows of a pool that widen the region of some rows least; of equal ones those that come
    /// first.
    fn nearest(
        &self,
        node: &Node,
        live: &Range<usize>,
        rows: &[u32],
        pool: &[u32],
        wanted: usize,
    ) -> Vec<u32> {
        let Rules { addresses, prices, .. } = *self.rules;
        // In the order of the columns: a sum must not depend on where they lie in memory.
        let mut columns = self.live[live.clone()].to_vec();
        columns.sort_unstable();
        let spans = columns.into_iter().map(|column| {
            let by = addresses[column];
            with_cells!(&self.block.stores[by.store], by.lane, node.range.clone(), cells => {
                let (mut min, mut max) = (u32::MAX, 0);
                for &row in rows {
                    let code = cells.at(row as usize);
                    (min, max) = (min.min(code), max.max(code));
                }
                let pool = pool.iter().map(|place| cells.at(*place as usize)).collect();
                (column, Bounds { min, max }, pool)
            })
        });
        nearest(prices, spans, pool, wanted)
    }
}

/// The places of a pool that widen the region of some rows least; of equal ones those that come
/// first. For each column it gets the interval of the rows' cells, and the cells of the pool.
pub fn nearest(
    prices: &Prices<'_>,
    columns: impl Iterator<Item = (usize, Bounds, Vec<u32>)>,
    pool: &[u32],
    wanted: usize,
) -> Vec<u32> {
    let join = prices.join();
    let mut costs: Vec<(f64, u32)> =
        pool.iter().map(|&place| (join.all(std::iter::empty()), place)).collect();
    for (column, Bounds { min, max }, codes) in columns {
        let inside = prices.cell(column, Bounds { min, max });
        for ((cost, _), code) in costs.iter_mut().zip(codes) {
            let cell = match min <= code && code <= max {
                true => inside,
                false => prices.cell(column, Bounds { min: min.min(code), max: max.max(code) }),
            };
            *cost = join.all([*cost, cell].into_iter());
        }
    }
    costs.sort_unstable_by(|a, b| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1)));
    costs.truncate(wanted);
    costs.into_iter().map(|(_, place)| place).collect()
}

impl Split {
    /// The split with the parts that don't hold, and the lent rows, as one last part.
    fn keep(mut self, rows: usize, parent: Bounds, lent: Vec<u32>) -> Split {
        self.parts.retain(|part| part.holds);
        self.parts.push(SplitPart { rows, region: parent, holds: true });
        self.kept = Some(Kept { lent });
        self
    }
}

/// Which codes leave: those of the parts that hold.
#[derive(Debug)]
pub struct Leaving {
    regions: Vec<Bounds>,
}

impl Leaving {
    /// From the parts, in the order of their codes.
    pub fn new(parts: &[SplitPart]) -> Self {
        let mut regions: Vec<Bounds> = Vec::new();
        for part in parts.iter().filter(|part| part.holds) {
            match regions.last_mut() {
                // Regions that touch become one.
                Some(last) if last.max + 1 == part.region.min => last.max = part.region.max,
                _ => regions.push(part.region),
            }
        }
        Leaving { regions }
    }

    /// Whether a code leaves.
    #[inline]
    pub fn code(&self, code: u32) -> bool {
        match self.regions.as_slice() {
            [one] => one.min <= code && code <= one.max,
            regions => {
                let next = regions.partition_point(|region| region.max < code);
                regions.get(next).is_some_and(|region| region.min <= code)
            }
        }
    }
}
