//! By how much the mean clustering coefficient changed.

use sfumato_core::registry::Info;

use super::shape;
use crate::traits::{GraphMetric, GraphView};

/// The metric `clustering-change`, an entry of the registry.
pub struct ClusteringChange;

static INFO: Info = Info {
    name: "clustering-change",
    summary: "by how much the mean clustering coefficient changed",
    doc: "The clustering coefficient of a node is the share of pairs of its neighbours that are \
          neighbours; 0 for nodes with fewer than two. All nodes are looked at, or 10,000 of large \
          graphs with 50 pairs each.",
    ..Info::DEFAULT
};

impl GraphMetric for ClusteringChange {
    fn info(&self) -> &'static Info {
        &INFO
    }
    fn measure(&self, view: &GraphView<'_>) -> Option<f64> {
        let of = |graph| shape::clustering(graph, view.seed);
        let (before, after) = (of(view.original), of(view.published));
        Some((after - before).abs())
    }
}
