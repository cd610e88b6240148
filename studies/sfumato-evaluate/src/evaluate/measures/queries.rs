//! Random COUNT queries: the error of an estimate that spreads each region's records evenly over
//! its values.

use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::{Rng, SeedableRng};
use rayon::prelude::*;
use sfumato_core::dataset::{Column, Table};
use sfumato_core::recoding::{Recoding, Value};

use super::{class_sizes, has_missing, spread_over};

/// What queries to draw.
#[derive(Debug, Clone, Copy, PartialEq, serde::Serialize)]
pub struct Queries {
    /// The number of queries.
    pub count: usize,
    /// How many quasi columns each restricts; at most as many as there are.
    pub columns: usize,
    /// The share of records that a query should select if columns were independent.
    pub selectivity: f64,
}

impl Default for Queries {
    fn default() -> Self {
        Queries { count: 1000, columns: 2, selectivity: 0.05 }
    }
}

/// A query: for each restricted quasi column, by its place, the codes that are wanted.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Query(pub Vec<(usize, std::ops::Range<u32>)>);

impl Queries {
    /// Draw queries over a table. Each is a box around a random record, so that its true count is
    /// at least one; in each restricted column it grows by whole values until it has its share of
    /// the records.
    pub fn draw(&self, table: &Table, seed: u64) -> Vec<Query> {
        let quasi = table.quasi();
        let n_columns = self.columns.min(quasi.len());
        if n_columns == 0 || table.n_rows == 0 {
            return Vec::new();
        }
        let counts: Vec<Vec<u64>> =
            quasi.iter().map(|column| column.codes.counts(column.domain.len() + 1)).collect();
        let share = self.selectivity.clamp(0.0, 1.0).powf(1.0 / n_columns as f64);
        let wanted = share * table.n_rows as f64;
        let mut random = ChaCha8Rng::seed_from_u64(seed);
        let mut below = |n: usize| ((u128::from(random.next_u64()) * n as u128) >> 64) as usize;
        let mut queries = Vec::with_capacity(self.count);
        for _ in 0..self.count {
            let row = below(table.n_rows);
            let mut places: Vec<usize> = (0..quasi.len()).collect();
            for first in 0..n_columns {
                places.swap(first, first + below(quasi.len() - first));
            }
            places.truncate(n_columns);
            places.sort_unstable();
            let column = |place: usize| {
                let (code, n) = (quasi[place].codes.get(row), quasi[place].domain.len() as u32);
                (place, grow(&counts[place], code, n, wanted, &mut below))
            };
            queries.push(Query(places.into_iter().map(column).collect()));
        }
        queries
    }
}

/// An interval of codes around one, grown to a random side at a time. Missing is never part of an
/// interval of others.
fn grow(
    counts: &[u64],
    code: u32,
    n: u32,
    wanted: f64,
    below: &mut impl FnMut(usize) -> usize,
) -> std::ops::Range<u32> {
    let (mut lo, mut hi, mut records) = (code, code + 1, counts[code as usize]);
    while code < n && (records as f64) < wanted && (lo > 0 || hi < n) {
        let up = lo == 0 || (hi < n && below(2) == 0);
        if up {
            records += counts[hi as usize];
            hi += 1;
        } else {
            lo -= 1;
            records += counts[lo as usize];
        }
    }
    lo..hi
}

/// What a recipient estimates: each published record counts with the share of its region that the
/// query has.
pub fn estimate_count(table: &Table, recoding: &dyn Recoding, query: &Query) -> f64 {
    Estimator::new(table, recoding).estimate(query)
}

/// The relative errors of queries: the estimate's distance from the true count, divided by the true
/// count. In the order of the queries.
pub fn query_errors(table: &Table, recoding: &dyn Recoding, queries: &[Query]) -> Vec<f64> {
    let estimator = Estimator::new(table, recoding);
    let error = |query: &Query| {
        let truth = true_count(table, query) as f64;
        (estimator.estimate(query) - truth).abs() / truth.max(1.0)
    };
    queries.par_iter().map(error).collect()
}

fn true_count(table: &Table, query: &Query) -> usize {
    let quasi = table.quasi();
    let holds = |row: usize| {
        query.0.iter().all(|(place, codes)| codes.contains(&quasi[*place].codes.get(row)))
    };
    (0..table.n_rows).filter(|row| holds(*row)).count()
}

struct Estimator<'a> {
    quasi: Vec<&'a Column>,
    has_missing: Vec<bool>,
    recoding: &'a dyn Recoding,
    sizes: Vec<u64>,
}

impl<'a> Estimator<'a> {
    fn new(table: &'a Table, recoding: &'a dyn Recoding) -> Self {
        let quasi = table.quasi();
        let has_missing = quasi.iter().map(|column| has_missing(column)).collect();
        Estimator { quasi, has_missing, recoding, sizes: class_sizes(recoding) }
    }

    fn estimate(&self, query: &Query) -> f64 {
        // The share of each published value that a query has is computed once per value, not once
        // per class.
        let shares: Vec<(usize, Vec<f64>)> = query
            .0
            .iter()
            .map(|(place, wanted)| {
                let share = |value: &Value| {
                    let codes = spread_over(self.quasi[*place], *value, self.has_missing[*place]);
                    let both = codes.start.max(wanted.start)..codes.end.min(wanted.end);
                    if codes.is_empty() { 0.0 } else { both.len() as f64 / codes.len() as f64 }
                };
                (*place, self.recoding.column(*place).values.iter().map(share).collect())
            })
            .collect();
        let of_class = |(class, size): (usize, &u64)| {
            let share = |(place, shares): &(usize, Vec<f64>)| {
                shares[self.recoding.column(*place).of_class[class] as usize]
            };
            *size as f64 * shares.iter().map(share).product::<f64>()
        };
        self.sizes.iter().enumerate().map(of_class).sum()
    }
}
