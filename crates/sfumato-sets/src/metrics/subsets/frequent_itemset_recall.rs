//! Frequent itemset recall: the share of frequent sets of items that are found in the release.

use sfumato_core::registry::Info;

use crate::metrics::frequent;
use crate::traits::{SetMetric, SetView};

/// The metric.
pub struct FrequentItemsetRecall;

static INFO: Info = Info {
    name: "frequent-itemset-recall",
    summary: "frequent sets of items that are frequent in the release as well, as a share of all; \
        higher is better",
    doc: frequent::DOC,
    ..Info::DEFAULT
};

impl SetMetric for FrequentItemsetRecall {
    fn info(&self) -> &'static Info {
        &INFO
    }
    fn measure(&self, view: &SetView<'_>) -> Option<f64> {
        let (before, after) = view.sets?;
        frequent::recall(before, after)
    }
}
