//! Frequent itemset recall: the share of frequent sets of items that are found in the release.

use sfumato_core::registry::Info;

use crate::traits::{SetMetric, SetView};

/// The metric.
pub struct FrequentItemsetRecall;

static INFO: Info = Info {
    name: "frequent-itemset-recall",
    summary: "frequent sets of items that are frequent in the release as well, as a share of all; \
        higher is better",
    doc: "\
Sets of at most three items that at least one of a hundred records has: the share that as many \
rows have (the nuggets that are kept).

**Range** 0 to 1, **higher is better**. Not defined where no set is frequent, or where counting \
would take too long.
",
    ..Info::DEFAULT
};

impl SetMetric for FrequentItemsetRecall {
    fn info(&self) -> &'static Info {
        &INFO
    }
    fn measure(&self, view: &SetView<'_>) -> Option<f64> {
        view.patterns?.recall()
    }
}
