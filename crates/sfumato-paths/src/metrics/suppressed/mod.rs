//! Metrics for suppressed paths: one file each, listed once. They say how much is kept.

sfumato_core::registry! {
    /// All metrics for suppressed paths, in the order of the catalogue.
    dyn SuppressedMetric:
    frequent_sequences_kept::FrequentSequencesKept,
    points_kept::PointsKept,
    different_points_kept::DifferentPointsKept,
    paths_kept::PathsKept,
    length_kept::LengthKept,
    od_kept::OdKept,
    entropy_kept::EntropyKept,
    query_error::QueryAnswersKept,
}

use sfumato_core::FastSet;
use sfumato_core::registry::Info;

use crate::data::PathData;
use crate::data::sequences::Frequent;

/// Paths before and after.
pub struct SuppressedView<'a> {
    /// The original.
    pub before: &'a PathData,
    /// The release, in the codes of the original.
    pub after: &'a PathData,
    /// The maximal frequent sequences before and after, if there aren't too many.
    pub frequent: Option<(&'a Frequent, &'a Frequent)>,
}

impl SuppressedView<'_> {
    /// How many maximal frequent sequences of the original are so in the release.
    pub fn frequent_kept(&self) -> Option<u64> {
        let (before, after) = self.frequent?;
        let after: FastSet<&[u32]> = after.maximal.iter().map(Vec::as_slice).collect();
        let is_kept = |sequence: &&Vec<u32>| after.contains(&sequence[..]);
        Some(before.maximal.iter().filter(is_kept).count() as u64)
    }
}

/// A metric for suppressed paths.
pub trait SuppressedMetric: Sync {
    /// The name, summary and parameters of the metric.
    fn info(&self) -> &'static Info;
    /// Measure what is kept. `None` if it isn't defined.
    fn measure(&self, view: &SuppressedView<'_>) -> Option<f64>;
}
