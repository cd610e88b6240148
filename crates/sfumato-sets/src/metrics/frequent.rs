//! What a recipient of baskets learns about combinations of items: frequent sets and counts, for
//! metrics of several forms.

use std::cell::OnceCell;

use sfumato_core::combinations::AskedCombinations;
use sfumato_core::transactions::Transactions;
use sfumato_core::{FastSet, Result};
use sfumato_kernels::itemsets::{Limits, Listed, Records, mine};

use super::{asked, estimated};
use crate::data::item_tree::ItemTree;

/// The share of records that must have a frequent set.
const SUPPORT: f64 = 0.01;
/// The largest number of items of a frequent set.
const SIZE: usize = 3;
/// What is too much to be counted for a figure of a report.
const LIMITS: Limits = Limits { work: 200_000_000, held: 2_000_000 };
/// The largest number of items of all records that are counted.
const MOST_INSTANCES: u64 = 20_000_000;

/// Records and the rows that are published of them, in any order, with what was counted in both.
pub struct Patterns<'a> {
    before: &'a Transactions,
    after: &'a Transactions,
    tree: Option<&'a ItemTree>,
    found: OnceCell<Option<Found>>,
}

/// How many frequent sets were found.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Found {
    /// Those of the original.
    pub actual: u64,
    /// Those that are frequent by the estimates of a recipient, and how many of them are frequent
    /// in the original. `None` if they are too many to be counted.
    pub estimated: Option<(u64, u64)>,
    /// Those of the original whose items are published as themselves in enough rows.
    pub kept: u64,
}

/// A share. `None` if it is one of nothing.
fn share(part: u64, all: u64) -> Option<f64> {
    (all > 0).then(|| part as f64 / all as f64)
}

impl<'a> Patterns<'a> {
    /// Compare rows with records. With an item hierarchy both are sets of its nodes.
    pub fn new(
        before: &'a Transactions,
        after: &'a Transactions,
        tree: Option<&'a ItemTree>,
    ) -> Self {
        Patterns { before, after, tree, found: OnceCell::new() }
    }
    /// The share of the frequent sets of the original that a recipient finds. `None` if there are
    /// none, or too many to be counted.
    pub(crate) fn recall(&self) -> Option<f64> {
        let found = self.found()?;
        found.estimated.and_then(|(_, both)| share(both, found.actual))
    }
    /// The share of what a recipient finds that is frequent in the original.
    pub(crate) fn precision(&self) -> Option<f64> {
        self.found()?.estimated.and_then(|(estimated, both)| share(both, estimated))
    }
    /// The share of the frequent sets of the original that rows have as themselves.
    pub(crate) fn nuggets(&self) -> Option<f64> {
        self.found().and_then(|found| share(found.kept, found.actual))
    }
    /// The mean relative error of counts of records with two items.
    pub(crate) fn query_error(&self) -> Option<f64> {
        if self.before.n_instances() > MOST_INSTANCES {
            return None;
        }
        asked::mean_error(self.before, self.after, self.tree)
    }
    fn found(&self) -> Option<Found> {
        *self.found.get_or_init(|| self.count())
    }
    fn count(&self) -> Option<Found> {
        let required = ((self.before.len() as f64 * SUPPORT).ceil() as u64).max(1);
        if self.before.n_instances() > MOST_INSTANCES {
            return None;
        }
        let before = frequent(self.before, required).ok()?;
        let themselves = frequent(self.after, required).ok()?;
        let kept = before.iter().filter(|items| themselves.contains(*items)).count() as u64;
        let estimated = match self.tree {
            Some(tree) => estimated::frequent(self.after, tree, required, SIZE),
            None => Some(themselves),
        };
        let counted = |estimated: FastSet<Vec<u32>>| {
            let both = before.iter().filter(|items| estimated.contains(*items)).count();
            (estimated.len() as u64, both as u64)
        };
        Some(Found { actual: before.len() as u64, estimated: estimated.map(counted), kept })
    }
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

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::super::estimated::testing::{by_definition, records_and_rows};
    use super::*;
    use crate::data::item_tree::testing::book;

    /// All sets of one to three of four items.
    fn all_sets() -> Vec<Vec<u32>> {
        let sets = (1u32..16).map(|mask| (0..4).filter(|item| mask >> item & 1 == 1).collect());
        sets.filter(|set: &Vec<u32>| set.len() <= SIZE).collect()
    }

    proptest! {
        #[test]
        fn what_is_found_is_what_the_definition_says((records, rows) in records_and_rows()) {
            let tree = book();
            let leaf: Vec<u32> = (0..4).map(|item| tree.leaf(item).unwrap()).collect();
            let nodes = |set: &[u32]| set.iter().map(|item| leaf[*item as usize]).collect();
            let before = Transactions::from_sets(tree.n_nodes(), records.iter().map(|s| nodes(s)));
            let after = Transactions::from_sets(tree.n_nodes(), rows.clone());
            let found = Patterns::new(&before, &after, Some(&tree)).found().unwrap();
            let (mut plain, mut by_estimates) = ((0, 0), (0, 0));
            for set in all_sets() {
                let has = |row: &&Vec<u32>| set.iter().all(|item| row.contains(item));
                let is_actual = records.iter().filter(has).count() >= 1;
                let set: Vec<u32> = nodes(&set);
                let has = |row: &&Vec<u32>| set.iter().all(|item| row.contains(item));
                let is_kept = rows.iter().filter(has).count() >= 1;
                let is_estimated = by_definition(&tree, &rows, &set) >= 1.0 - 1e-9;
                plain.0 += u64::from(is_actual);
                plain.1 += u64::from(is_actual && is_kept);
                by_estimates.0 += u64::from(is_estimated);
                by_estimates.1 += u64::from(is_actual && is_estimated);
            }
            prop_assert_eq!((found.actual, found.kept), plain);
            prop_assert_eq!(found.estimated, Some(by_estimates));
        }
    }

    #[test]
    fn a_file_that_has_items_which_records_lack_is_imprecise() {
        let before = Transactions::from_sets(3, [vec![0, 1], vec![0], vec![2]]);
        let after = Transactions::from_sets(3, [vec![0, 1], vec![0, 2], vec![]]);
        let patterns = Patterns::new(&before, &after, None);
        // Found are 0, 1, 2, 0 1 and 0 2, of which 0 2 is in no record.
        assert_eq!((patterns.precision(), patterns.recall()), (Some(0.8), Some(1.0)));
        let empty = Transactions::from_sets(3, [vec![], vec![], vec![]]);
        let nothing = Patterns::new(&before, &empty, None);
        assert_eq!((nothing.precision(), nothing.recall()), (None, Some(0.0)));
    }
}
