//! Simple measures of a recoding of training rows, one file each, to be compared with the scores of
//! learners.

mod imprecision;
mod marginals;
mod purity;
mod queries;

pub use imprecision::imprecision;
pub use marginals::{marginal_divergences, reconstructed_marginal};
pub use purity::{conditional_entropy, weighted_squared_error};
pub use queries::{Queries, Query, estimate_count, query_errors};

use sfumato_core::dataset::Column;
use sfumato_core::recoding::{Recoding, SUPPRESSED, Value};

/// Records of each class.
fn class_sizes(recoding: &dyn Recoding) -> Vec<u64> {
    let mut sizes = vec![0u64; recoding.n_classes()];
    let kept = recoding.class_of_row().iter().filter(|class| **class != SUPPRESSED);
    kept.for_each(|class| sizes[*class as usize] += 1);
    sizes
}

/// The codes that a recipient spreads a cell over, missing included as the code after the domain
/// where the column has any.
fn spread_over(column: &Column, value: Value, has_missing: bool) -> std::ops::Range<u32> {
    let missing = column.domain.missing();
    match value {
        Value::Any => 0..missing + u32::from(has_missing),
        Value::Missing => missing..missing + 1,
        value => value.codes(column),
    }
}

/// Whether a column has missing values.
fn has_missing(column: &Column) -> bool {
    column.codes.counts(column.domain.len() + 1)[column.domain.len()] > 0
}

#[cfg(test)]
mod tests;
