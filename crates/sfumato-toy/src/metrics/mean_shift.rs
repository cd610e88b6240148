//! How far numbers were moved, on average.

use sfumato_core::registry::Info;

use super::RoundingMetric;

/// The metric `mean-shift`, an entry of the registry.
pub struct MeanShift;

static INFO: Info = Info {
    name: "mean-shift",
    summary: "how far numbers were moved, on average",
    papers: &[],
    params: &[],
    doc: "Made up to show what a metric must bring.",
    ..Info::DEFAULT
};

impl RoundingMetric for MeanShift {
    fn info(&self) -> &'static Info {
        &INFO
    }
    fn measure(&self, original: &[i64], published: &[i64]) -> Option<f64> {
        let shift = |(original, published): (&i64, &i64)| original.abs_diff(*published) as u128;
        let sum: u128 = original.iter().zip(published).map(shift).sum();
        (!original.is_empty()).then(|| sum as f64 / original.len() as f64)
    }
}
