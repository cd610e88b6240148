//! Frequent itemset precision: the share of what is frequent in the release that really is.

use sfumato_core::registry::Info;

use crate::traits::{SetMetric, SetView};

/// The metric.
pub struct FrequentItemsetPrecision;

static INFO: Info = Info {
    name: "frequent-itemset-precision",
    summary: "frequent sets of items of the release that are frequent in the original, as a share \
        of all that are found; higher is better",
    doc: "\
Sets of at most three items that as many rows have as one of a hundred records would be: the share \
that so many records have. It is 1 if no row has an item that its record lacks, as in every \
release of subsets; a file of another tool may add or exchange items.

**Range** 0 to 1, **higher is better**. Not defined where nothing is frequent in the release, or \
where counting would take too long.
",
    ..Info::DEFAULT
};

impl SetMetric for FrequentItemsetPrecision {
    fn info(&self) -> &'static Info {
        &INFO
    }
    fn measure(&self, view: &SetView<'_>) -> Option<f64> {
        view.patterns?.precision()
    }
}
