//! Frequent itemset recall: the share of frequent sets of items that are found in the release.

use sfumato_core::combinations::AskedCombinations;
use sfumato_core::registry::Info;
use sfumato_core::transactions::{Transactions};
use sfumato_core::{FastSet, Result};
use sfumato_kernels::itemsets::{Limits, Listed, Records, mine};

use super::{TreeMetric, TreeView};

/// The metric.
pub struct FrequentItemsetRecall;

/// The share of records that must have a frequent set, and its largest number of items.
const SUPPORT: f64 = 0.01;
const SIZE: usize = 3;

static INFO: Info = Info {
    name: "frequent-itemset-recall",
    summary: "frequent sets of items that are frequent in the release as well, as a share of all; \
        higher is better",
    doc: "\
Sets of at most three items that at least one of a hundred records has. One is found if its items are \
published as themselves in as many rows; sets of nodes above items aren't counted. **Range** 0 to 1, \
**higher is better**. Not defined where no set is frequent, or where counting would take too long.
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
        let required = ((view.leaves.len() as f64 * SUPPORT).ceil() as u64).max(1);
        let before = frequent(view.leaves, required).ok()?;
        let after = frequent(view.rows, required).ok()?;
        let found = before.iter().filter(|items| after.contains(*items)).count();
        (!before.is_empty()).then(|| found as f64 / before.len() as f64)
    }
}

/// The frequent sets of some records.
fn frequent(sets: &Transactions, required: u64) -> Result<FastSet<Vec<u32>>> {
    let asked = AskedCombinations { size: SIZE, required, most: None };
    let records = Records { sets, weights: None, private: None };
    let listed = Listed { failing: false, passing: true };
    let limits = Limits { work: 1_000_000_000, held: 5_000_000 };
    let mined = mine(records, &asked, listed, limits)?;
    let all = mined.passing.iter().flat_map(|list| list.iter());
    Ok(all.map(|(items, _)| items.to_vec()).collect())
}
