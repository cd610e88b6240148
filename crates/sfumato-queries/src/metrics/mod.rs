//! Metrics of released logs: one file each, listed once.

sfumato_core::registry! {
    /// Every metric of released logs.
    dyn LogMetric:
    readable_queries::ReadableQueries,
    readable_entries::ReadableEntries,
    queries_per_pseudonym::QueriesPerPseudonym,
    pseudonyms_per_person::PseudonymsPerPerson,
}

use sfumato_core::registry::Info;

use crate::data::Log;
use crate::forms::Told;

/// What a metric sees: the original and what the release says.
#[derive(Clone, Copy)]
pub struct LogView<'a> {
    /// The original.
    pub log: &'a Log,
    /// What the release says.
    pub told: &'a Told,
}

/// A metric of released logs: an entry of the registry.
pub trait LogMetric: Sync {
    /// The name and summary of the metric.
    fn info(&self) -> &'static Info;
    /// The forms that it is about, by name.
    fn forms(&self) -> &'static [&'static str];
    /// Measure a release. `None` if the metric isn't defined for it.
    fn measure(&self, view: &LogView<'_>) -> Option<f64>;
}

/// The metrics of a form.
pub fn of_form(form: &'static str) -> impl Iterator<Item = &'static dyn LogMetric> {
    ALL.iter().copied().filter(move |metric| metric.forms().contains(&form))
}

/// A share of a whole. None of nothing.
fn share(part: f64, whole: f64) -> Option<f64> {
    (whole > 0.0).then(|| part / whole)
}
