//! Metrics for buckets of baskets: one file each, listed once.
//!
//! All items of a bucket release are published, and those that aren't sensitive in their own
//! records: patterns of them are exact, and there is nothing whose retention could be measured.
//! What is lost is which record has which sensitive item, so these metrics ask for sensitive items
//! together with others: [`reconstruct`] estimates, [`queries`] draws what is asked,
//! [`frequent_itemsets`] mines.

pub mod frequent_itemsets;
pub mod queries;
pub mod reconstruct;

sfumato_core::registry! {
    /// All metrics for buckets of baskets, in the order of the catalogue.
    dyn crate::traits::BucketMetric:
    reconstruction_kl::ReconstructionKl,
    query_error::QueryError,
    frequent_itemset_precision::FrequentItemsetPrecision,
    frequent_itemset_recall::FrequentItemsetRecall,
}

/// Find a metric by its name. The error for an unknown name hints at similar names.
pub fn find(name: &str) -> sfumato_core::Result<&'static dyn crate::traits::BucketMetric> {
    sfumato_core::registry::find("metric", ALL, |metric| metric.info(), name)
}

/// The paper of all these metrics.
const PAPER: sfumato_core::registry::Paper = sfumato_core::registry::Paper {
    authors: "G. Ghinita, Y. Tao and P. Kalnis",
    title: "On the Anonymization of Sparse High-Dimensional Data",
    venue: "ICDE",
    year: 2008,
};

/// The mean of some numbers. `None` if there are none.
fn mean(numbers: &[f64]) -> Option<f64> {
    let sum = numbers.iter().fold(0.0, |sum, number| sum + number);
    (!numbers.is_empty()).then(|| sum / numbers.len() as f64)
}

#[cfg(test)]
mod tests;
