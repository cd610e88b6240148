//! How many terms of protected entities are left.

use sfumato_core::registry::Info;

use super::{Outcome, TextMetric};
use crate::models::k_safety::ERASE;

/// The metric `terms-kept`, an entry of the registry.
pub struct TermsKept;

static INFO: Info = Info {
    name: "terms-kept",
    summary: "the share of terms of protected entities that documents still have",
    papers: &[ERASE],
    doc: "Different terms of the contexts of protected entities that a document still has, as a \
          share of those that it had, over all documents: |T| / |D|. It is what the algorithms \
          keep as large as they can. Without entities it isn't defined.",
    ..Info::DEFAULT
};

impl TextMetric for TermsKept {
    fn info(&self) -> &'static Info {
        &INFO
    }
    fn measure(&self, outcome: &Outcome<'_>) -> Option<f64> {
        let terms = outcome.terms?;
        let before: u64 = terms.iter().map(|(before, _)| before).sum();
        let after: u64 = terms.iter().map(|(_, after)| after).sum();
        (before > 0).then(|| after as f64 / before as f64)
    }
}
