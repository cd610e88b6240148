//! By how much the share of nodes in the largest component changed.

use sfumato_core::registry::Info;

use super::shape;
use crate::traits::{GraphMetric, GraphView};

/// The metric `largest-component-change`, an entry of the registry.
pub struct LargestComponentChange;

static INFO: Info = Info {
    name: "largest-component-change",
    summary: "by how much the share of nodes in the largest component changed",
    doc: "A component are nodes that paths join.",
    ..Info::DEFAULT
};

impl GraphMetric for LargestComponentChange {
    fn info(&self) -> &'static Info {
        &INFO
    }
    fn measure(&self, view: &GraphView<'_>) -> Option<f64> {
        let of = |graph| shape::largest_component(graph);
        let (before, after) = (of(view.original), of(view.published));
        Some((after - before).abs())
    }
}
