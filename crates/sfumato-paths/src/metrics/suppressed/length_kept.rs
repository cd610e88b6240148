//! Length kept: how long published paths are, on average.

use sfumato_core::registry::Info;

use super::{SuppressedMetric, SuppressedView};

/// The metric.
pub struct LengthKept;

static INFO: Info = Info {
    name: "length-kept",
    summary: "mean number of steps of published paths, as a share of that of all paths; higher is \
              better",
    doc: "\
Paths of which nothing is left count in neither mean.

**Range** 0 and more, **higher is better**; mostly below 1.
",
    ..Info::DEFAULT
};

impl SuppressedMetric for LengthKept {
    fn info(&self) -> &'static Info {
        &INFO
    }
    fn measure(&self, view: &SuppressedView<'_>) -> Option<f64> {
        let mean = |paths: &crate::data::Paths| {
            let n = paths.iter().filter(|path| !path.is_empty()).count();
            (n > 0).then(|| paths.n_steps() as f64 / n as f64)
        };
        Some(mean(&view.after.paths)? / mean(&view.before.paths)?)
    }
}
