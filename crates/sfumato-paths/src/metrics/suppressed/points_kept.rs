//! Points kept: the share of all points of all paths that are published.

use sfumato_core::registry::Info;

use super::{SuppressedMetric, SuppressedView};

/// The metric.
pub struct PointsKept;

static INFO: Info = Info {
    name: "points-kept",
    summary: "published points of all paths, as a share; higher is better",
    doc: "\
**Range** 0 to 1, **higher is better**. Not defined where there are no points.
",
    ..Info::DEFAULT
};

impl SuppressedMetric for PointsKept {
    fn info(&self) -> &'static Info {
        &INFO
    }
    fn measure(&self, view: &SuppressedView<'_>) -> Option<f64> {
        let before = view.before.paths.n_steps();
        (before > 0).then(|| view.after.paths.n_steps() as f64 / before as f64)
    }
}
