//! Metrics of perturbed numbers: one file each, listed once.

use sfumato_core::registry::Info;

/// The input of a metric for one column: original numbers and published ones, without missing
/// values.
pub struct Pairs {
    /// The original numbers.
    pub original: Vec<f64>,
    /// The published number of each.
    pub published: Vec<f64>,
}

impl Pairs {
    /// The mean and the standard deviation of some numbers.
    pub fn moments(numbers: &[f64]) -> (f64, f64) {
        let n = numbers.len() as f64;
        let mean = numbers.iter().sum::<f64>() / n;
        let variance = numbers.iter().map(|x| (x - mean) * (x - mean)).sum::<f64>() / n;
        (mean, variance.sqrt())
    }
}

/// A metric of perturbed numbers, which has a value for each column. The value of the release is
/// the mean over its columns.
pub trait PerturbedMetric: Sync {
    /// The name, summary and parameters of the metric.
    fn info(&self) -> &'static Info;
    /// The value of the metric; `None` if it isn't defined.
    fn measure(&self, pairs: &Pairs) -> Option<f64>;
}

sfumato_core::registry! {
    /// Every metric of perturbed numbers.
    dyn PerturbedMetric:
    mean_absolute_error::MeanAbsoluteError,
    spread_kept::SpreadKept,
}
