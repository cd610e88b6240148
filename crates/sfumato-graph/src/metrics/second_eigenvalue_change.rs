//! By which share the eigenvalue changed that is second in size.

use sfumato_core::registry::Info;

use super::shape;
use crate::traits::{GraphMetric, GraphView};

/// The metric `second-eigenvalue-change`, an entry of the registry.
pub struct SecondEigenvalueChange;

static INFO: Info = Info {
    name: "second-eigenvalue-change",
    summary: "by which share the eigenvalue changed that is second in size",
    doc: "The eigenvalue of the adjacency matrix that is second by absolute value, by 60 steps of \
          orthogonal iteration with two vectors: an approximation where eigenvalues lie close.",
    ..Info::DEFAULT
};

impl GraphMetric for SecondEigenvalueChange {
    fn info(&self) -> &'static Info {
        &INFO
    }
    fn measure(&self, view: &GraphView<'_>) -> Option<f64> {
        let of = |graph| shape::eigenvalues(graph).map(|[_, second]| second);
        let (before, after) = (of(view.original)?, of(view.published)?);
        (before > 0.0).then(|| (after - before).abs() / before)
    }
}
