//! Frequent itemset recall: the share of frequent sets of items that are found in the release.

use sfumato_core::registry::Info;

use super::{TreeMetric, TreeView};
use crate::metrics::frequent;

/// The metric.
pub struct FrequentItemsetRecall;

static INFO: Info = Info {
    name: "frequent-itemset-recall",
    summary: "frequent sets of items that are frequent in the release as well, as a share of all; \
        higher is better",
    doc: frequent::DOC,
    ..Info::DEFAULT
};

impl TreeMetric for FrequentItemsetRecall {
    fn info(&self) -> &'static Info {
        &INFO
    }
    fn more_is_better(&self) -> bool {
        true
    }
    fn measure(&self, view: &TreeView<'_>) -> Option<f64> {
        frequent::recall(view.leaves, view.rows)
    }
}
