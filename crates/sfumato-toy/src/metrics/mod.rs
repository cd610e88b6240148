//! Metrics for numbers: one file each, listed once.

use sfumato_core::registry::Info;

/// A metric for numbers.
pub trait RoundingMetric: Sync {
    /// The name, summary and parameters of the metric.
    fn info(&self) -> &'static Info;
    /// Measure the loss from the original numbers and the published ones, record by record.
    fn measure(&self, original: &[i64], published: &[i64]) -> Option<f64>;
}

sfumato_core::registry! {
    /// Every metric for numbers.
    dyn RoundingMetric:
    mean_shift::MeanShift,
}
