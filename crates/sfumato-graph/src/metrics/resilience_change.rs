//! By how much the largest component differs once the most connected nodes are gone.

use sfumato_core::registry::Info;

use super::shape;
use crate::traits::{GraphMetric, GraphView};

/// The metric `resilience-change`, an entry of the registry.
pub struct ResilienceChange;

static INFO: Info = Info {
    name: "resilience-change",
    summary: "by how much the largest component differs once the most connected nodes are gone",
    doc: "The share of nodes in the largest component after the twentieth of all nodes with the \
          largest \
          degrees is removed. Of nodes with the same degree those with smaller numbers go first.",
    ..Info::DEFAULT
};

impl GraphMetric for ResilienceChange {
    fn info(&self) -> &'static Info {
        &INFO
    }
    fn measure(&self, view: &GraphView<'_>) -> Option<f64> {
        let of = |graph| shape::resilience(graph);
        let (before, after) = (of(view.original), of(view.published));
        Some((after - before).abs())
    }
}
