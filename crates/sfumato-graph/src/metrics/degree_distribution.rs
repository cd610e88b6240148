//! How far the distribution of degrees moved.

use sfumato_core::registry::Info;

use crate::traits::{GraphMetric, GraphView};

/// The metric `degree-distribution`, an entry of the registry.
pub struct DegreeDistribution;

static INFO: Info = Info {
    name: "degree-distribution",
    summary: "how far the distribution of degrees moved",
    doc: "The earth mover's distance between the distributions of degrees: by how much the degree \
          of a \
          node changes on average if nodes are matched by the order of their degrees.",
    ..Info::DEFAULT
};

impl GraphMetric for DegreeDistribution {
    fn info(&self) -> &'static Info {
        &INFO
    }
    fn measure(&self, view: &GraphView<'_>) -> Option<f64> {
        let sorted = |graph: &crate::data::Graph| {
            let mut degrees = graph.degrees();
            degrees.sort_unstable();
            degrees
        };
        let (before, after) = (sorted(view.original), sorted(view.published));
        let moved: u64 = before.iter().zip(&after).map(|(a, b)| u64::from(a.abs_diff(*b))).sum();
        (!before.is_empty()).then(|| moved as f64 / before.len() as f64)
    }
}
