//! Mean distortion: how far a position was moved, on average.

use sfumato_core::registry::Info;

use super::{MovedMetric, MovedView};

/// The metric.
pub struct MeanDistortion;

static INFO: Info = Info {
    name: "mean-distortion",
    summary: "how far a published position is from where it was, on average; smaller is better",
    doc: "\
In metres, or in the unit of x. Only published positions count: those of tracks that were left \
out or cut off are counted by other metrics.

**Range** 0 and more, **smaller is better**.
",
    ..Info::DEFAULT
};

impl MovedMetric for MeanDistortion {
    fn info(&self) -> &'static Info {
        &INFO
    }
    fn measure(&self, view: &MovedView<'_>) -> Option<f64> {
        let n = view.moved.len();
        (n > 0).then(|| view.moved.iter().sum::<f64>() / n as f64)
    }
}
