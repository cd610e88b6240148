//! Metrics for noisy answers: how far they are from the truth. One file each, listed once.

use sfumato_core::registry::Info;

use crate::data::Graph;
use crate::forms::answers::Published;

/// A metric for noisy answers: an entry of the registry.
pub trait AnswersMetric: Sync {
    /// The name, summary and parameters of the metric.
    fn info(&self) -> &'static Info;
    /// Measure a release. `None` if it has no such answer.
    fn measure(&self, view: &AnswersView<'_>) -> Option<f64>;
}

sfumato_core::registry! {
    /// Every metric for noisy answers.
    dyn AnswersMetric:
    edges_error::EdgesError,
    degrees_error::DegreesError,
    triangles_error::TrianglesError,
}

/// What a metric sees: the original, and what is published.
pub struct AnswersView<'a> {
    /// The original.
    pub original: &'a Graph,
    /// What is published.
    pub published: &'a Published,
}

/// By which share of itself a number is wrong.
fn relative(found: u64, truth: u64) -> f64 {
    found.abs_diff(truth) as f64 / truth.max(1) as f64
}
