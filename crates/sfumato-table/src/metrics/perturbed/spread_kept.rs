//! The standard deviation of the published numbers divided by that of the original ones.

use sfumato_core::registry::Info;

use super::{Pairs, PerturbedMetric};

/// The metric `spread-kept`, an entry of the registry.
pub struct SpreadKept;

static INFO: Info = Info {
    name: "spread-kept",
    summary: "the standard deviation of published numbers over that of the originals",
    papers: &[],
    params: &[],
    doc: "1 where the spread is kept. Independent noise of the share s gives about the root of 1 + \
        s².",
    ..Info::DEFAULT
};

impl PerturbedMetric for SpreadKept {
    fn info(&self) -> &'static Info {
        &INFO
    }
    fn measure(&self, pairs: &Pairs) -> Option<f64> {
        let (_, before) = Pairs::moments(&pairs.original);
        let (_, after) = Pairs::moments(&pairs.published);
        (before > 0.0).then(|| after / before)
    }
}
