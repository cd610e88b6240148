//! By which share the largest eigenvalue of the adjacency matrix changed.

use sfumato_core::registry::Info;

use super::shape;
use crate::traits::{GraphMetric, GraphView};

/// The metric `largest-eigenvalue-change`, an entry of the registry.
pub struct LargestEigenvalueChange;

static INFO: Info = Info {
    name: "largest-eigenvalue-change",
    summary: "by which share the largest eigenvalue of the adjacency matrix changed",
    doc: "By 60 steps of power iteration; by 12 in graphs of more than a million edges.",
    ..Info::DEFAULT
};

impl GraphMetric for LargestEigenvalueChange {
    fn info(&self) -> &'static Info {
        &INFO
    }
    fn measure(&self, view: &GraphView<'_>) -> Option<f64> {
        let of = |graph| shape::principal(graph).map(|(largest, _)| largest);
        let (before, after) = (of(view.original)?, of(view.published)?);
        (before > 0.0).then(|| (after - before).abs() / before)
    }
}
