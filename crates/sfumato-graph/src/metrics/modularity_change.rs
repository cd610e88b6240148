//! By how much the modularity of the communities of the original changed.

use sfumato_core::registry::Info;

use super::shape;
use crate::traits::{GraphMetric, GraphView};

/// The metric `modularity-change`, an entry of the registry.
pub struct ModularityChange;

static INFO: Info = Info {
    name: "modularity-change",
    summary: "by how much the modularity of the communities of the original changed",
    doc: "Communities are found in the original by propagation of labels; their modularity is \
          measured \
          in the original and in the release. Nothing is measured in a graph without edges.",
    ..Info::DEFAULT
};

impl GraphMetric for ModularityChange {
    fn info(&self) -> &'static Info {
        &INFO
    }
    fn measure(&self, view: &GraphView<'_>) -> Option<f64> {
        let communities = shape::communities(view.original, view.seed);
        let before = shape::modularity(view.original, &communities)?;
        let after = shape::modularity(view.published, &communities)?;
        Some((after - before).abs())
    }
}
