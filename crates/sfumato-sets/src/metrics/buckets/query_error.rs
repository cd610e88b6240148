//! Query error: how far estimated counts of records with a sensitive item and some others are from
//! the true counts.

use sfumato_core::registry::Info;

use super::queries::{Draw, Query, draw};
use super::reconstruct::Reconstruction;
use super::{PAPER, mean};
use crate::traits::{BucketMetric, BucketView};

/// The metric `query-error`, an entry of the registry.
pub struct QueryError;

/// The number of queries of the metric.
const QUERIES: usize = 100;
const ITEMS: usize = 2;
const SANITY: f64 = 0.001;

static INFO: Info = Info {
    name: "query-error",
    summary: "relative error of how many records have a sensitive item together with 2 others; \
        lower is better",
    papers: &[PAPER],
    params: &[],
    doc: "\
How many records have the sensitive item s and the quasi items q1..qr? The estimate sums a b / |G| \
over the groups: a of a group's records have s, b have all
of q1..qr. The error of a query is |actual - estimate| / max(actual, bound). The bound is a \
thousandth of all records, at least 1: without it the queries that
almost nothing answers would decide the mean. The measure is the mean over 100 random queries with \
r = 2.

s is drawn evenly among the sensitive items; q1..qr are items of a random record that has s, so \
that no query counts nothing. Sensitive items that
only records with fewer than two quasi items have aren't asked for. All draws are from the run's \
seed.

**Range** 0 and above, **lower is better**. Not defined where no record has a sensitive item and \
two others.

**Cost** the records of the groups that have s, for each query.
",
    ..Info::DEFAULT
};

impl BucketMetric for QueryError {
    fn info(&self) -> &'static Info {
        &INFO
    }
    fn measure(&self, view: &BucketView<'_>) -> Option<f64> {
        let queries = draw(view, QUERIES, ITEMS, Draw::OfRecord, view.seed)?;
        let bound = (SANITY * view.quasi.len() as f64).max(1.0);
        mean(&errors_of_queries(&Reconstruction::new(view), &queries, bound))
    }
}

/// The true and the estimated number of records with the sensitive item and all quasi items of a
/// query.
///
/// # Panics
/// If a query has more quasi items than [`MOST_ITEMS`](super::reconstruct::MOST_ITEMS).
pub fn count(release: &Reconstruction<'_>, query: &Query) -> (u64, f64) {
    let cells = release.cells(query.fact, &query.items);
    // The last cell is that of records with all items.
    (cells.actual.last().copied().unwrap_or(0), cells.estimated.last().copied().unwrap_or(0.0))
}

/// The relative error of each query, where counts below `bound` records are replaced by it in the
/// denominator.
///
/// # Panics
/// If a query has more quasi items than [`MOST_ITEMS`](super::reconstruct::MOST_ITEMS).
pub fn errors_of_queries(release: &Reconstruction<'_>, queries: &[Query], bound: f64) -> Vec<f64> {
    let error = |query: &Query| {
        let (actual, estimated) = count(release, query);
        (actual as f64 - estimated).abs() / (actual as f64).max(bound)
    };
    queries.iter().map(error).collect()
}
