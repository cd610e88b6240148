//! Total distortion: how far all positions were moved, together.

use sfumato_core::registry::Info;

use super::{MovedMetric, MovedView};

/// The metric.
pub struct TotalDistortion;

static INFO: Info = Info {
    name: "total-distortion",
    summary: "the sum of how far published positions were moved; smaller is better",
    doc: "\
The distortion cost of the paper on Never Walk Alone: the sum over all published positions of \
how far they are from where they were. It adds no penalty for tracks that were left out or \
positions that were cut off; these are counted by metrics of their own.

**Range** 0 and more, **smaller is better**.
",
    ..Info::DEFAULT
};

impl MovedMetric for TotalDistortion {
    fn info(&self) -> &'static Info {
        &INFO
    }
    fn measure(&self, view: &MovedView<'_>) -> Option<f64> {
        (!view.moved.is_empty()).then(|| view.moved.iter().sum())
    }
}
