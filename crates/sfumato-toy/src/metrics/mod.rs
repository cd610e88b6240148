//! Metrics for numbers: one file each, listed once.

use sfumato_core::registry::Info;

/// A metric for numbers.
pub trait RoundingMetric: Sync {
    /// What it is.
    fn info(&self) -> &'static Info;
    /// Its value for originals and what they are published as, record by record.
    fn measure(&self, original: &[i64], published: &[i64]) -> Option<f64>;
}

sfumato_core::registry! {
    /// Every metric for numbers.
    dyn RoundingMetric:
    mean_shift::MeanShift,
}
