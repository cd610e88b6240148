//! Paths kept: the share of paths of which anything is left.

use sfumato_core::registry::Info;

use super::{SuppressedMetric, SuppressedView};

/// The metric.
pub struct PathsKept;

static INFO: Info = Info {
    name: "paths-kept",
    summary: "paths of which at least one point is published, as a share; higher is better",
    doc: "\
**Range** 0 to 1, **higher is better**. Paths that were empty to begin with don't count.
",
    ..Info::DEFAULT
};

impl SuppressedMetric for PathsKept {
    fn info(&self) -> &'static Info {
        &INFO
    }
    fn measure(&self, view: &SuppressedView<'_>) -> Option<f64> {
        let before = view.before.paths.iter().filter(|path| !path.is_empty()).count();
        (before > 0).then(|| view.after.paths.len() as f64 / before as f64)
    }
}
