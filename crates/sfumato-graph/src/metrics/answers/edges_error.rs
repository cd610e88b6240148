//! How wrong the published number of edges is.

use sfumato_core::registry::Info;

use super::{AnswersMetric, AnswersView, relative};

/// The metric `edges-error`, an entry of the registry.
pub struct EdgesError;

static INFO: Info = Info {
    name: "edges-error",
    summary: "by which share of itself the published number of edges is wrong",
    doc: "The difference between the published and the true number, divided by the true one.",
    ..Info::DEFAULT
};

impl AnswersMetric for EdgesError {
    fn info(&self) -> &'static Info {
        &INFO
    }
    fn measure(&self, view: &AnswersView<'_>) -> Option<f64> {
        view.published.edges.map(|found| relative(found, view.original.m()))
    }
}
