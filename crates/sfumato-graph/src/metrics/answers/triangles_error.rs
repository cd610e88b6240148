//! How wrong the published number of triangles is.

use sfumato_core::registry::Info;

use super::{AnswersMetric, AnswersView, relative};
use crate::metrics::shape::triangles;

/// The metric `triangles-error`, an entry of the registry.
pub struct TrianglesError;

static INFO: Info = Info {
    name: "triangles-error",
    summary: "by which share of itself the published number of triangles is wrong",
    doc: "The difference between the published and the true number, divided by the true one.",
    ..Info::DEFAULT
};

impl AnswersMetric for TrianglesError {
    fn info(&self) -> &'static Info {
        &INFO
    }
    fn measure(&self, view: &AnswersView<'_>) -> Option<f64> {
        let (_, found) = view.published.triangles?;
        Some(relative(found, triangles(view.original)))
    }
}
