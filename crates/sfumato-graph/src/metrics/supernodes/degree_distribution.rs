//! How far the degrees of graphs that fit are from those of the original.

use sfumato_core::registry::Info;

use super::{SupernodeMetric, SupernodeView};
use crate::data::Graph;

/// The metric `degree-distribution`, an entry of the registry.
pub struct DegreeDistribution;

static INFO: Info = Info {
    name: "degree-distribution",
    summary: "how far the degrees of graphs that fit are from those of the original",
    doc: "The earth mover's distance between the distributions of degrees, on average over ten \
          graphs \
          that fit what is published.",
    ..Info::DEFAULT
};

impl SupernodeMetric for DegreeDistribution {
    fn info(&self) -> &'static Info {
        &INFO
    }
    fn measure(&self, view: &SupernodeView<'_>) -> Option<f64> {
        view.mean(|world| self.of_world(view, world))
    }
    fn of_world(&self, view: &SupernodeView<'_>, world: &Graph) -> Option<f64> {
        let sorted = |graph: &Graph| {
            let mut degrees = graph.degrees();
            degrees.sort_unstable();
            degrees
        };
        let (before, after) = (sorted(view.original), sorted(world));
        let moved: u64 = before.iter().zip(&after).map(|(a, b)| u64::from(a.abs_diff(*b))).sum();
        (!before.is_empty()).then(|| moved as f64 / before.len() as f64)
    }
}
