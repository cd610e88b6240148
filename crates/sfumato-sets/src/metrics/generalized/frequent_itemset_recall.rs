//! Frequent itemset recall: the share of frequent sets of items that a recipient finds.

use sfumato_core::registry::Info;

use super::{TreeMetric, TreeView};

/// The metric.
pub struct FrequentItemsetRecall;

static INFO: Info = Info {
    name: "frequent-itemset-recall",
    summary: "frequent sets of items that a recipient finds, as a share of all; \
        higher is better",
    doc: "\
Sets of at most three items that at least one of a hundred records has: the share that a recipient \
finds. Each item below a published node counts as one among them, whatever else the row has, and \
a set is found if the expected number of rows reaches the threshold.

**Range** 0 to 1, **higher is better**. Not defined where no set is frequent, or where counting \
would take too long.
",
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
        view.patterns.recall()
    }
}
