//! By how much the mean length of shortest paths changed.

use sfumato_core::registry::Info;

use super::shape;
use crate::traits::{GraphMetric, GraphView};

/// The metric `path-length-change`, an entry of the registry.
pub struct PathLengthChange;

static INFO: Info = Info {
    name: "path-length-change",
    summary: "by how much the mean length of shortest paths changed",
    doc: "Shortest paths between 500 random pairs of nodes: 25 nodes, and 20 others for each. \
          Pairs \
          that no path joins are left out; nothing is measured where all are.",
    ..Info::DEFAULT
};

impl GraphMetric for PathLengthChange {
    fn info(&self) -> &'static Info {
        &INFO
    }
    fn measure(&self, view: &GraphView<'_>) -> Option<f64> {
        let of = |graph| shape::path_length(graph, view.seed);
        let (before, after) = (of(view.original)?, of(view.published)?);
        Some((after - before).abs())
    }
}
