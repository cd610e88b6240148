//! How far numbers were moved, on average, in standard deviations of their column.

use sfumato_core::registry::Info;

use super::{Pairs, PerturbedMetric};

/// The metric `mean-absolute-error`, an entry of the registry.
pub struct MeanAbsoluteError;

static INFO: Info = Info {
    name: "mean-absolute-error",
    summary: "how far numbers were moved, on average, in standard deviations of their column",
    papers: &[],
    params: &[],
    doc: "0 where nothing changed. Normal noise of the share s gives about 0.8 s.",
    ..Info::DEFAULT
};

impl PerturbedMetric for MeanAbsoluteError {
    fn info(&self) -> &'static Info {
        &INFO
    }
    fn measure(&self, pairs: &Pairs) -> Option<f64> {
        let (_, deviation) = Pairs::moments(&pairs.original);
        let both = pairs.original.iter().zip(&pairs.published);
        let sum: f64 = both.map(|(original, published)| (original - published).abs()).sum();
        (deviation > 0.0).then(|| sum / pairs.original.len() as f64 / deviation)
    }
}
