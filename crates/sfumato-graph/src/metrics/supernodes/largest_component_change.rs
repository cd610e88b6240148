//! How far the largest component of graphs that fit is from that of the original.

use sfumato_core::registry::Info;

use super::super::shape;
use super::{SupernodeMetric, SupernodeView};
use crate::data::Graph;

/// The metric `largest-component-change`, an entry of the registry.
pub struct LargestComponentChange;

static INFO: Info = Info {
    name: "largest-component-change",
    summary: "how far the largest component of graphs that fit is from that of the original",
    doc: "As a share of all nodes, on average over ten graphs that fit what is published.",
    ..Info::DEFAULT
};

impl SupernodeMetric for LargestComponentChange {
    fn info(&self) -> &'static Info {
        &INFO
    }
    fn measure(&self, view: &SupernodeView<'_>) -> Option<f64> {
        view.mean(|world| self.of_world(view, world))
    }
    fn of_world(&self, view: &SupernodeView<'_>, world: &Graph) -> Option<f64> {
        let of = shape::largest_component;
        Some((of(world) - of(view.original)).abs())
    }
}
