//! Collapses records that are alike in every quasi column, so that algorithms that compare all
//! records with all others visit every distinct record once.
//!
//! A point is a distinct record with the rows that have it. Nothing here decides which points are
//! grouped.

use rayon::prelude::*;
use sfumato_core::traits::{Join, Task};
use sfumato_core::{Error, Result};

use super::space::{Axis, Bounds, Space};

/// The largest number of distinct records that can be compared pairwise.
pub const MOST_POINTS: usize = 200_000;

/// The number of candidates that are processed sequentially. It is fixed, so that results don't
/// depend on the number of threads.
const CHUNK: usize = 2048;

/// The distinct records of a table, in the order of their codes, and the prices of the regions
/// around them. Columns are in an order of its own, beginning with those that separate most
/// records, so that a sum soon exceeds its bound.
pub struct Points<'a> {
    axes: Vec<&'a Axis<'a>>,
    join: Join,
    codes: Vec<Bounds>,
    rows: Vec<u32>,
    starts: Vec<usize>,
}

impl<'a> Points<'a> {
    /// The distinct records of a task's table.
    pub fn new(task: &Task<'_>, space: &'a Space<'a>) -> Self {
        let n_rows = task.table.n_rows;
        let axes = most_telling_first(space, n_rows, task.objective.join());
        let columns = axes.len();
        let mut codes = vec![0u32; n_rows * columns];
        for (place, axis) in axes.iter().enumerate() {
            for row in 0..n_rows {
                codes[row * columns + place] = axis.column.codes.get(row);
            }
        }
        let record = |row: u32| &codes[row as usize * columns..(row as usize + 1) * columns];
        let mut rows: Vec<u32> = (0..n_rows as u32).collect();
        rows.par_sort_unstable_by(|&a, &b| record(a).cmp(record(b)).then(a.cmp(&b)));
        let mut points = Points {
            axes,
            join: task.objective.join(),
            codes: Vec::new(),
            rows: Vec::new(),
            starts: Vec::new(),
        };
        for (place, &row) in rows.iter().enumerate() {
            if place == 0 || record(row) != record(rows[place - 1]) {
                points.starts.push(place);
                points.codes.extend(record(row).iter().map(|&code| Bounds::of(code)));
            }
        }
        points.starts.push(n_rows);
        points.rows = rows;
        points
    }

    /// Refuse tables on which a comparison of all pairs would take days.
    pub fn check_size(&self, algorithm: &str) -> Result<()> {
        match self.len() > MOST_POINTS {
            false => Ok(()),
            true => Err(Error::unsupported(format!(
                "{algorithm} compares every distinct record with every other; {} distinct records \
                    are too many for it (at most {MOST_POINTS})",
                self.len()
            ))
            .hint("use peel or mondrian")),
        }
    }

    /// The number of distinct records.
    pub fn len(&self) -> usize {
        self.starts.len() - 1
    }
    /// Whether there are no records.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }
    /// The number of columns.
    pub fn n_columns(&self) -> usize {
        self.axes.len()
    }
    /// The region of a point.
    #[inline]
    pub fn region(&self, point: usize) -> &[Bounds] {
        &self.codes[point * self.axes.len()..(point + 1) * self.axes.len()]
    }
    /// The rows of a point, in their order.
    pub fn rows(&self, point: usize) -> &[u32] {
        &self.rows[self.starts[point]..self.starts[point + 1]]
    }
    /// How many rows a point has.
    #[inline]
    pub fn weight(&self, point: usize) -> usize {
        self.starts[point + 1] - self.starts[point]
    }

    /// The point of each row.
    pub fn of_rows(&self) -> Vec<u32> {
        let mut point_of = vec![0u32; self.rows.len()];
        for point in 0..self.len() {
            self.rows(point).iter().for_each(|&row| point_of[row as usize] = point as u32);
        }
        point_of
    }

    /// The price of a record that is published as a region.
    pub fn price(&self, region: &[Bounds]) -> f64 {
        self.hull_price(region, region, f64::INFINITY)
    }

    /// The price of a record that is published as the region around two regions; infinite as soon
    /// as it must be above a bound. Only sums stop early, since their terms aren't negative.
    #[inline]
    pub fn hull_price(&self, a: &[Bounds], b: &[Bounds], bound: f64) -> f64 {
        let cells = self.axes.iter().zip(a.iter().zip(b));
        match self.join {
            Join::Product => cells.map(|(axis, (a, b))| axis.price(a.hull(*b))).product(),
            Join::Sum => {
                let mut sum = 0.0;
                for (axis, (a, b)) in cells {
                    sum += axis.price(a.hull(*b));
                    if sum > bound {
                        return f64::INFINITY;
                    }
                }
                sum
            }
        }
    }

    /// The distance of two points: the price of each when they are published together.
    #[inline]
    pub fn distance(&self, a: usize, b: usize) -> f64 {
        self.hull_price(self.region(a), self.region(b), f64::INFINITY)
    }

    /// The point of some that is farthest from a point; the first of equal ones.
    pub fn furthest(&self, from: usize, among: &[u32]) -> Option<usize> {
        least(among.len(), None, |place, _| -self.distance(from, among[place] as usize))
            .map(|(_, place)| place)
    }
}

/// Grow a region to contain another.
#[inline]
pub fn grow(region: &mut [Bounds], other: &[Bounds]) {
    region.iter_mut().zip(other).for_each(|(a, b)| *a = a.hull(*b));
}

/// The place with the least price, the first of equal ones, starting from a known one. A price may
/// be given as infinite if it is above the bound. Infinite prices are never chosen.
pub fn least(
    n: usize,
    known: Option<(f64, usize)>,
    price: impl Fn(usize, f64) -> f64 + Sync,
) -> Option<(f64, usize)> {
    let scan = |chunk: usize| {
        let mut best = known.unwrap_or((f64::INFINITY, usize::MAX));
        for place in chunk * CHUNK..((chunk + 1) * CHUNK).min(n) {
            let price = price(place, best.0);
            if price < best.0 || (price == best.0 && place < best.1 && price < f64::INFINITY) {
                best = (price, place);
            }
        }
        best
    };
    let better = |a: &(f64, usize), b: &(f64, usize)| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1));
    let chunks = n.div_ceil(CHUNK);
    let best = match chunks {
        0 => known,
        1 => Some(scan(0)),
        _ => (0..chunks).into_par_iter().map(scan).min_by(better),
    };
    best.filter(|(_, place)| *place != usize::MAX)
}

/// The columns, beginning with the one whose cells differ most, by the price of what covers the
/// cells of rows that are far apart in the file.
fn most_telling_first<'a>(space: &'a Space<'a>, n_rows: usize, join: Join) -> Vec<&'a Axis<'a>> {
    let mut axes: Vec<(f64, &Axis<'_>)> = space.axes.iter().map(|axis| (0.0, axis)).collect();
    if n_rows > 1 && join == Join::Sum {
        let step = (n_rows / 500).max(1);
        for (sum, axis) in &mut axes {
            let code = |row: usize| Bounds::of(axis.column.codes.get(row));
            let pairs = (0..n_rows).step_by(step).map(|row| (row, (row + n_rows / 2) % n_rows));
            *sum = pairs.map(|(a, b)| axis.price(code(a).hull(code(b)))).sum();
        }
        axes.sort_by(|a, b| b.0.total_cmp(&a.0));
    }
    axes.into_iter().map(|(_, axis)| axis).collect()
}
