//! By how much the share of nodes differs that an infection reaches.

use sfumato_core::registry::Info;

use super::shape;
use crate::traits::{GraphMetric, GraphView};

/// The metric `infectiousness-change`, an entry of the registry.
pub struct InfectiousnessChange;

static INFO: Info = Info {
    name: "infectiousness-change",
    summary: "by how much the share of nodes differs that an infection reaches",
    doc: "An infection begins at a random node and passes over each edge with a chance of one in \
          ten: \
          the mean share of nodes that it reaches, over 10 draws of edges. An edge that both \
          graphs \
          have is drawn alike.",
    ..Info::DEFAULT
};

impl GraphMetric for InfectiousnessChange {
    fn info(&self) -> &'static Info {
        &INFO
    }
    fn measure(&self, view: &GraphView<'_>) -> Option<f64> {
        let of = |graph| shape::infectiousness(graph, view.seed);
        let (before, after) = (of(view.original), of(view.published));
        Some((after - before).abs())
    }
}
