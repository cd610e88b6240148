//! How many documents are published as they were.

use sfumato_core::registry::Info;

use super::{Outcome, TextMetric};

/// The metric `documents-untouched`, an entry of the registry.
pub struct DocumentsUntouched;

static INFO: Info = Info {
    name: "documents-untouched",
    summary: "the share of documents in which nothing was replaced",
    doc: "Documents in which nothing was replaced, as a share of all. Where detectors decide, \
          these are the ones to read before they are published: what a detector overlooks is in \
          them too.",
    ..Info::DEFAULT
};

impl TextMetric for DocumentsUntouched {
    fn info(&self) -> &'static Info {
        &INFO
    }
    fn measure(&self, outcome: &Outcome<'_>) -> Option<f64> {
        let untouched = outcome.replaced.iter().filter(|replaced| replaced.is_empty()).count();
        let all = outcome.replaced.len();
        (all > 0).then(|| untouched as f64 / all as f64)
    }
}
