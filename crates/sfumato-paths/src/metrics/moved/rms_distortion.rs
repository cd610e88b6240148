//! Root of the mean square distortion of positions.

use sfumato_core::registry::Info;

use super::{MovedMetric, MovedView};

/// The metric.
pub struct RmsDistortion;

static INFO: Info = Info {
    name: "rms-distortion",
    summary: "root of the mean square of how far positions were moved; smaller is better",
    doc: "\
In metres, or in the unit of x. Large distances count more than in the mean.

**Range** 0 and more, **smaller is better**.
",
    ..Info::DEFAULT
};

impl MovedMetric for RmsDistortion {
    fn info(&self) -> &'static Info {
        &INFO
    }
    fn measure(&self, view: &MovedView<'_>) -> Option<f64> {
        let n = view.moved.len();
        let sum: f64 = view.moved.iter().map(|distance| distance * distance).sum();
        (n > 0).then(|| (sum / n as f64).sqrt())
    }
}
