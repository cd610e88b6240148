//! Different points kept: the share of different points that some published path has.

use sfumato_core::registry::Info;

use super::{SuppressedMetric, SuppressedView};

/// The metric.
pub struct DifferentPointsKept;

static INFO: Info = Info {
    name: "different-points-kept",
    summary: "different points that any published path has, as a share; higher is better",
    doc: "\
A point is a place at a time, or a place where paths have no times.

**Range** 0 to 1, **higher is better**. Not defined where there are no points.
",
    ..Info::DEFAULT
};

impl SuppressedMetric for DifferentPointsKept {
    fn info(&self) -> &'static Info {
        &INFO
    }
    fn measure(&self, view: &SuppressedView<'_>) -> Option<f64> {
        let n_steps = view.before.steps.len();
        let different = |counts: Vec<u64>| counts.iter().filter(|n| **n > 0).count();
        let before = different(view.before.paths.counts(n_steps));
        (before > 0).then(|| different(view.after.paths.counts(n_steps)) as f64 / before as f64)
    }
}
