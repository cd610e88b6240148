//! How far the lengths of shortest paths of graphs that fit are from those of the original.

use sfumato_core::registry::Info;

use super::super::shape;
use super::{SupernodeMetric, SupernodeView};
use crate::data::Graph;

/// The metric `path-length-change`, an entry of the registry.
pub struct PathLengthChange;

static INFO: Info = Info {
    name: "path-length-change",
    summary: "how far the lengths of shortest paths of graphs that fit are from those of the \
          original",
    doc: "Between 500 random pairs, on average over ten graphs that fit what is published.",
    ..Info::DEFAULT
};

impl SupernodeMetric for PathLengthChange {
    fn info(&self) -> &'static Info {
        &INFO
    }
    fn measure(&self, view: &SupernodeView<'_>) -> Option<f64> {
        view.mean(|world| self.of_world(view, world))
    }
    fn of_world(&self, view: &SupernodeView<'_>, world: &Graph) -> Option<f64> {
        Some((shape::path_length(world, 0)? - shape::path_length(view.original, 0)?).abs())
    }
}
