//! Metrics for documents: one file each, listed once.

use sfumato_core::registry::Info;

use crate::data::{Corpus, Replaced};

/// What a metric looks at.
pub struct Outcome<'a> {
    /// The documents as they were.
    pub corpus: &'a Corpus,
    /// What was replaced in each.
    pub replaced: &'a [Vec<Replaced>],
    /// How many terms of protected entities each document had, and how many it has now; none where
    /// no entity is protected.
    pub terms: Option<&'a [(u64, u64)]>,
}

/// A metric for documents.
pub trait TextMetric: Sync {
    /// The name, summary and page of the metric.
    fn info(&self) -> &'static Info;
    /// Measure what was kept.
    fn measure(&self, outcome: &Outcome<'_>) -> Option<f64>;
}

sfumato_core::registry! {
    /// Every metric for documents.
    dyn TextMetric:
    characters_kept::CharactersKept,
    documents_untouched::DocumentsUntouched,
    terms_kept::TermsKept,
    search_kept::SearchKept,
    classifier_accuracy::ClassifierAccuracy,
}
