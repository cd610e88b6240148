//! Queries per pseudonym: how much is published under one name, on average.

use sfumato_core::registry::Info;

use super::{LogMetric, LogView, share};

/// The metric.
pub struct QueriesPerPseudonym;

static INFO: Info = Info {
    name: "queries-per-pseudonym",
    summary: "rows of the release for each pseudonym, on average",
    doc: "The more there is under one name, the more can be put together about somebody.",
    ..Info::DEFAULT
};

impl LogMetric for QueriesPerPseudonym {
    fn info(&self) -> &'static Info {
        &INFO
    }
    fn forms(&self) -> &'static [&'static str] {
        &["shared", "hashed", "personas"]
    }
    fn measure(&self, view: &LogView<'_>) -> Option<f64> {
        share(view.told.rows as f64, view.told.pseudonyms as f64)
    }
}
