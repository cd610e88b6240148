//! How many edges were added or deleted.

use sfumato_core::registry::Info;

use crate::forms::edited::read_back::difference;
use crate::traits::{GraphMetric, GraphView};

/// The metric `edges-changed`, an entry of the registry.
pub struct EdgesChanged;

static INFO: Info = Info {
    name: "edges-changed",
    summary: "how many edges were added or deleted",
    doc: "The edges that only the original or only the release has. 0 if nothing was changed.",
    ..Info::DEFAULT
};

impl GraphMetric for EdgesChanged {
    fn info(&self) -> &'static Info {
        &INFO
    }
    fn measure(&self, view: &GraphView<'_>) -> Option<f64> {
        let (added, deleted) = difference(view.published, view.original);
        Some((added.len() + deleted.len()) as f64)
    }
}
