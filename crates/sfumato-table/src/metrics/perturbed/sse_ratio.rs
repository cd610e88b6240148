//! How much of the spread is lost: the sum of squared errors over the sum of squared differences
//! from the mean.

use sfumato_core::registry::Info;

use super::{Pairs, PerturbedMetric};

/// The metric `sse_ratio`, an entry of the registry.
pub struct SseRatio;

// The literature of microaggregation writes SSE / SST, and programs look for it by this name.
static INFO: Info = Info {
    name: "sse_ratio",
    summary: "the sum of squared errors over that of differences from the mean (SSE / SST)",
    doc: "0 where nothing changed, 1 where every number is published as the mean. The mean over \
          columns is that of standardised columns together. The literature of microaggregation \
          shows it in percent.",
    ..Info::DEFAULT
};

impl PerturbedMetric for SseRatio {
    fn info(&self) -> &'static Info {
        &INFO
    }
    fn measure(&self, pairs: &Pairs) -> Option<f64> {
        let (mean, deviation) = Pairs::moments(&pairs.original);
        let both = pairs.original.iter().zip(&pairs.published);
        let lost: f64 = both.map(|(before, after)| (before - after) * (before - after)).sum();
        let all: f64 = pairs.original.iter().map(|x| (x - mean) * (x - mean)).sum();
        (deviation > 0.0).then(|| lost / all)
    }
}
