//! How far the clustering coefficient of graphs that fit is from that of the original.

use sfumato_core::registry::Info;

use super::super::shape;
use super::{SupernodeMetric, SupernodeView};
use crate::data::Graph;

/// The metric `clustering-change`, an entry of the registry.
pub struct ClusteringChange;

static INFO: Info = Info {
    name: "clustering-change",
    summary: "how far the clustering coefficient of graphs that fit is from that of the original",
    doc: "On average over ten graphs that fit what is published.",
    ..Info::DEFAULT
};

impl SupernodeMetric for ClusteringChange {
    fn info(&self) -> &'static Info {
        &INFO
    }
    fn measure(&self, view: &SupernodeView<'_>) -> Option<f64> {
        view.mean(|world| self.of_world(view, world))
    }
    fn of_world(&self, view: &SupernodeView<'_>, world: &Graph) -> Option<f64> {
        Some((shape::clustering(world, 0) - shape::clustering(view.original, 0)).abs())
    }
}
