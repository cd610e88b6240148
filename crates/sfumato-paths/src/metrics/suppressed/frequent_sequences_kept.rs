//! Frequent sequences kept: the share of maximal frequent sequences that are so in the release.

use sfumato_core::registry::{Info, Paper};

use super::{SuppressedMetric, SuppressedView};

/// The metric.
pub struct FrequentSequencesKept;

static INFO: Info = Info {
    name: "frequent-sequences-kept",
    summary: "maximal frequent sequences of the original that are maximal frequent in the release, \
              as a share; higher is better",
    papers: &[Paper {
        authors: "N. Mohammed, B. C. M. Fung, M. Debbabi",
        title: "Walking in the crowd: anonymizing trajectory data for pattern analysis",
        venue: "CIKM",
        year: 2009,
    }],
    doc: "\
A sequence is frequent if enough paths have it, and maximal if no longer frequent one contains it. \
How many paths are enough is the `support` of the algorithm: the larger of k and a hundredth of \
all paths if nothing else is said. Of the maximal frequent sequences of the original those are \
counted that are maximal frequent in the release, with the same support.

A sequence of which a part is left isn't counted, though its part may be frequent.

**Range** 0 to 1, **higher is better**. Not defined where none is frequent, or more than half a \
million are.
",
    ..Info::DEFAULT
};

impl SuppressedMetric for FrequentSequencesKept {
    fn info(&self) -> &'static Info {
        &INFO
    }
    fn measure(&self, view: &SuppressedView<'_>) -> Option<f64> {
        let all = view.frequent?.0.maximal.len();
        (all > 0).then_some(())?;
        Some(view.frequent_kept()? as f64 / all as f64)
    }
}
