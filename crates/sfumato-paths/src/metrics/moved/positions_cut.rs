//! Positions cut off at the ends of tracks, as a share.

use sfumato_core::registry::Info;

use super::{MovedMetric, MovedView};

/// The metric.
pub struct PositionsCut;

static INFO: Info = Info {
    name: "positions-cut",
    summary: "positions cut off at the ends of published tracks, as a share; smaller is better",
    doc: "\
Of the positions that published tracks have, on the common clock if they keep it.

**Range** 0 to 1, **smaller is better**.
",
    ..Info::DEFAULT
};

impl MovedMetric for PositionsCut {
    fn info(&self) -> &'static Info {
        &INFO
    }
    fn measure(&self, view: &MovedView<'_>) -> Option<f64> {
        (view.on_clock > 0).then(|| view.cut as f64 / view.on_clock as f64)
    }
}
