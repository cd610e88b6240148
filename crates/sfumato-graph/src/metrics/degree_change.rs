//! By how much degrees changed in all.

use sfumato_core::registry::Info;

use crate::traits::{GraphMetric, GraphView};

/// The metric `degree-change`, an entry of the registry.
pub struct DegreeChange;

static INFO: Info = Info {
    name: "degree-change",
    summary: "by how much degrees changed in all",
    doc: "The sum over all nodes of how far the degree in the release is from that in the original \
          (L1).",
    ..Info::DEFAULT
};

impl GraphMetric for DegreeChange {
    fn info(&self) -> &'static Info {
        &INFO
    }
    fn measure(&self, view: &GraphView<'_>) -> Option<f64> {
        let change = |node| view.original.degree(node).abs_diff(view.published.degree(node));
        Some(view.original.nodes().map(|node| u64::from(change(node))).sum::<u64>() as f64)
    }
}
