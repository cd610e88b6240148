//! The recall of the frequent itemsets that a recipient mines.

use sfumato_core::registry::Info;

use super::PAPER;
use super::frequent_itemsets::{Mining, mine};
use super::reconstruct::Reconstruction;
use crate::traits::{BucketMetric, BucketView};

/// The metric `frequent-itemset-recall`, an entry of the registry.
pub struct FrequentItemsetRecall;

static INFO: Info = Info {
    name: "frequent-itemset-recall",
    summary: "of the frequent sets with a sensitive item, the share that a recipient finds; higher \
        is better",
    papers: &[PAPER],
    params: &[],
    doc: "\
Which share of the sets that are frequent in the original a recipient finds. Not defined where \
there are none.

Mined are sets of one sensitive item and one to three quasi items that at least a thousandth of \
all records have (and at least one record). A recipient knows
only estimates: a b / |G| summed over the groups, a of a group's records with the sensitive item, \
b with all of the quasi items; a set is found if
that reaches the threshold. Sets of quasi items alone are exact in any bucket release and aren't \
counted, nor are sets with several sensitive items.

**Range** 0 to 1, **higher is better**.

**Cost** for each sensitive item the records of its groups, and the frequent sets with the records \
that have them.
",
    ..Info::DEFAULT
};

impl BucketMetric for FrequentItemsetRecall {
    fn info(&self) -> &'static Info {
        &INFO
    }
    fn measure(&self, view: &BucketView<'_>) -> Option<f64> {
        mine(&Reconstruction::new(view), &Mining::default()).recall()
    }
}
