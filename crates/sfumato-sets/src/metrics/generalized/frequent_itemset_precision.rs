//! Frequent itemset precision: the share of the sets that a recipient takes for frequent that
//! really are.

use sfumato_core::registry::Info;

use super::{TreeMetric, TreeView};

/// The metric.
pub struct FrequentItemsetPrecision;

static INFO: Info = Info {
    name: "frequent-itemset-precision",
    summary: "frequent sets of items that a recipient finds and that really are frequent, as a \
        share of all that are found; higher is better",
    doc: "\
Sets of at most three items that a recipient takes for frequent, because the expected number of \
rows reaches one of a hundred: the share that so many records have. Each item below a published \
node counts as one among them, whatever else the row has: where a node is frequent and its items \
aren't equally so, what is found is wrong.

**Range** 0 to 1, **higher is better**. Not defined where nothing is found, or where counting \
would take too long.
",
    ..Info::DEFAULT
};

impl TreeMetric for FrequentItemsetPrecision {
    fn info(&self) -> &'static Info {
        &INFO
    }
    fn more_is_better(&self) -> bool {
        true
    }
    fn measure(&self, view: &TreeView<'_>) -> Option<f64> {
        view.patterns.precision()
    }
}
