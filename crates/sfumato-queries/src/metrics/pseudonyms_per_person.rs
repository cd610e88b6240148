//! Pseudonyms per person: into how many a person is split, on average.

use sfumato_core::registry::Info;

use super::{LogMetric, LogView, share};

/// The metric.
pub struct PseudonymsPerPerson;

static INFO: Info = Info {
    name: "pseudonyms-per-person",
    summary: "pseudonyms of the release for each person, on average",
    doc: "One where people aren'\''t split.",
    ..Info::DEFAULT
};

impl LogMetric for PseudonymsPerPerson {
    fn info(&self) -> &'static Info {
        &INFO
    }
    fn forms(&self) -> &'static [&'static str] {
        &["hashed", "personas"]
    }
    fn measure(&self, view: &LogView<'_>) -> Option<f64> {
        share(view.told.pseudonyms as f64, view.log.n_users as f64)
    }
}
