//! Reconstruction error: how far the distribution of a sensitive item that a release suggests is
//! from the true one.

use sfumato_core::registry::Info;

use super::queries::{Draw, Query, draw};
use super::reconstruct::{Cells, Reconstruction};
use super::{PAPER, mean};
use crate::traits::{BucketMetric, BucketView};

/// The metric `reconstruction-kl`, an entry of the registry.
pub struct ReconstructionKl;

/// The number of queries of the metric.
const QUERIES: usize = 100;
const ITEMS: usize = 4;

static INFO: Info = Info {
    name: "reconstruction-kl",
    summary: "divergence between actual and estimated distribution of a sensitive item over the \
        cells of 4 items; lower is better",
    papers: &[PAPER],
    params: &[],
    doc: "\
Some quasi items q1..qr divide the records into 2^r cells, by which of them a record has. The \
actual share of a cell C is how many of its records have the
sensitive item s, over all that have it. The estimated share sums a b / |G| over the groups \
instead: a of a group's records have s, b are in C. The
measure is the divergence of Kullback and Leibler, the sum of Act log(Act / Est) over the cells \
with Act above 0; there Est is above 0 too. It is
the mean over 100 random queries with r = 4, with the natural logarithm.

A query's s is drawn evenly among the sensitive items that occur, its q1..qr evenly among the \
quasi items that occur, without repetition, from the
run's seed. The paper selects them at random and says no more; its base of the logarithm isn't \
said either. With rare items most queries
find almost all records in the cell that has none of them, and little can go wrong there.

**Range** 0 and above, **lower is better**; 0 where groups have equal records. Not defined without \
sensitive items or with fewer than 4 quasi items.

**Cost** the records of the groups that have s, for each query.
",
    ..Info::DEFAULT
};

impl BucketMetric for ReconstructionKl {
    fn info(&self) -> &'static Info {
        &INFO
    }
    fn measure(&self, view: &BucketView<'_>) -> Option<f64> {
        let queries = draw(view, QUERIES, ITEMS, Draw::Uniform, view.seed)?;
        mean(&kl_of_queries(&Reconstruction::new(view), &queries, std::f64::consts::E))
    }
}

/// The divergence of each query, with logarithms to the given base.
///
/// # Panics
/// If a query has more quasi items than [`MOST_ITEMS`](super::reconstruct::MOST_ITEMS).
pub fn kl_of_queries(release: &Reconstruction<'_>, queries: &[Query], base: f64) -> Vec<f64> {
    let divergence = |query: &Query| kl_divergence(&release.cells(query.fact, &query.items), base);
    queries.iter().map(divergence).collect()
}

/// The divergence between the true and the estimated distribution over some cells; 0 if no record
/// has the item.
pub fn kl_divergence(cells: &Cells, base: f64) -> f64 {
    let actual: f64 = cells.actual.iter().sum::<u64>() as f64;
    // Equal to the actual sum, unless the release tells other counts than the original has.
    let estimated: f64 = cells.estimated.iter().fold(0.0, |sum, cell| sum + cell);
    let nats = cells.actual.iter().zip(&cells.estimated).filter(|(cell, _)| **cell > 0).fold(
        0.0,
        |sum, (cell, expected)| {
            let share = *cell as f64 / actual;
            sum + share * (share / (expected / estimated)).ln()
        },
    );
    // Rounding may leave a little below 0 where both are equal.
    nats.max(0.0) / base.ln()
}
