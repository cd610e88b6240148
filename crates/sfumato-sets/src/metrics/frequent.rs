//! Frequent sets of items before and after, for metrics of several forms.

use sfumato_core::combinations::AskedCombinations;
use sfumato_core::transactions::Transactions;
use sfumato_core::{FastSet, Result};
use sfumato_kernels::itemsets::{Limits, Listed, Records, mine};

/// The share of records that must have a frequent set.
const SUPPORT: f64 = 0.01;
/// The largest number of items of a frequent set.
const SIZE: usize = 3;
/// What is too much to be counted for a figure of a report.
const LIMITS: Limits = Limits { work: 200_000_000, held: 2_000_000 };
/// The largest number of items of all records that are counted.
const MOST_INSTANCES: u64 = 20_000_000;

/// What metrics about frequent sets say of themselves.
pub(crate) const DOC: &str = "\
Sets of at most three items that at least one of a hundred records has. One is found if its items \
are published as themselves in as many rows (the nuggets that are kept). What is found is frequent \
in the original as well, because a row has no item that its record lacks.

**Range** 0 to 1, **higher is better**. Not defined where no set is frequent, or where counting \
would take too long.
";

/// The share of the frequent sets of some records that are frequent in others as well. `None` if
/// there are none, or too many to be counted.
pub(crate) fn recall(before: &Transactions, after: &Transactions) -> Option<f64> {
    let required = ((before.len() as f64 * SUPPORT).ceil() as u64).max(1);
    if before.n_instances() > MOST_INSTANCES {
        return None;
    }
    let before = frequent(before, required).ok()?;
    let after = frequent(after, required).ok()?;
    let found = before.iter().filter(|items| after.contains(*items)).count();
    (!before.is_empty()).then(|| found as f64 / before.len() as f64)
}

/// The frequent sets of some records.
fn frequent(sets: &Transactions, required: u64) -> Result<FastSet<Vec<u32>>> {
    let asked = AskedCombinations { size: SIZE, required, most: None };
    let records = Records { sets, weights: None, private: None };
    let listed = Listed { failing: false, passing: true };
    let mined = mine(records, &asked, listed, LIMITS)?;
    let all = mined.passing.iter().flat_map(|list| list.iter());
    Ok(all.map(|(items, _)| items.to_vec()).collect())
}
