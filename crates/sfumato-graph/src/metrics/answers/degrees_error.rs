//! How wrong the published degrees are.

use sfumato_core::registry::Info;

use super::{AnswersMetric, AnswersView};

/// The metric `degrees-error`, an entry of the registry.
pub struct DegreesError;

static INFO: Info = Info {
    name: "degrees-error",
    summary: "by how many the published degrees are wrong on average",
    doc: "The mean difference between the published and the true degrees, both sorted.",
    ..Info::DEFAULT
};

impl AnswersMetric for DegreesError {
    fn info(&self) -> &'static Info {
        &INFO
    }
    fn measure(&self, view: &AnswersView<'_>) -> Option<f64> {
        let found = view.published.degrees.as_ref()?;
        let mut truth = view.original.degrees();
        truth.sort_unstable_by(|a, b| b.cmp(a));
        let wrong = found.iter().zip(&truth).map(|(a, b)| a.abs_diff(u64::from(*b))).sum::<u64>();
        Some(wrong as f64 / truth.len().max(1) as f64)
    }
}
