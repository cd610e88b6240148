//! How far counts of records with two items are from the truth, as a recipient estimates them.

use rand_chacha::ChaCha20Rng;
use rand_chacha::rand_core::{Rng, SeedableRng};
use sfumato_core::FastMap;
use sfumato_core::transactions::Transactions;

use super::estimated::Chances;
use crate::data::item_tree::ItemTree;

/// The number of queries.
const QUERIES: usize = 100;
/// Counts below this share of all records are replaced by it in denominators.
const SANITY: f64 = 0.001;

/// What metrics about queries say of themselves.
pub(super) const DOC: &str = "\
How many records have both of two items? The items of a query are two of a random record, so that \
no query counts nothing. A recipient counts rows; where a node stands for several items, each of \
them counts as one among them, whatever else the row has. The error of a query is |actual - \
estimate| / max(actual, bound), where the bound is a thousandth of all records, at least 1. The \
measure is the mean over 100 queries; the same data are always asked the same.

**Range** 0 and above, **lower is better**. Not defined where no record has two items, or where \
there are too many to be counted for a report.
";

/// The mean relative error of the estimates. `None` if no record has two items.
pub(super) fn mean_error(
    before: &Transactions,
    after: &Transactions,
    tree: Option<&ItemTree>,
) -> Option<f64> {
    let queries = draw(before)?;
    let truth = counts(before, None, &queries);
    let estimate = counts(after, tree, &queries);
    let bound = (SANITY * before.len() as f64).max(1.0);
    let errors = truth.iter().zip(&estimate).map(|(t, e)| (t - e).abs() / t.max(bound));
    Some(errors.fold(0.0, |sum, error| sum + error) / queries.len() as f64)
}

/// Pairs of items of random records.
fn draw(sets: &Transactions) -> Option<Vec<[u32; 2]>> {
    let records: Vec<usize> = (0..sets.len()).filter(|record| sets.size(*record) > 1).collect();
    if records.is_empty() {
        return None;
    }
    let mut random = ChaCha20Rng::seed_from_u64(0);
    let mut below = |n: usize| (random.next_u64() % n as u64) as usize;
    let pair = |_| {
        let set = sets.set(records[below(records.len())]);
        let (first, second) = (below(set.len()), below(set.len() - 1));
        [set[first], set[second + usize::from(second >= first)]]
    };
    Some((0..QUERIES).map(pair).collect())
}

/// How many rows are expected to have both items of each query.
fn counts(rows: &Transactions, tree: Option<&ItemTree>, queries: &[[u32; 2]]) -> Vec<f64> {
    let mut of_item: FastMap<u32, Vec<(usize, u32)>> = FastMap::default();
    for (number, [one, other]) in queries.iter().enumerate() {
        of_item.entry(*one).or_default().push((number, *other));
        of_item.entry(*other).or_default();
    }
    let mut counts = vec![0.0; queries.len()];
    let mut add = |has: &FastMap<u32, f32>| {
        for (item, chance) in has {
            for (number, other) in &of_item[item] {
                let both = has.get(other).map_or(0.0, |o| f64::from(*chance) * f64::from(*o));
                counts[*number] += both;
            }
        }
    };
    let chances = Chances::of(rows, tree, |item| of_item.contains_key(&item));
    let (mut at, mut has) = (0, FastMap::default());
    chances.each(|row, item, chance: f32| {
        if row != at {
            add(&has);
            has.clear();
            at = row;
        }
        let known = has.entry(item).or_insert(chance);
        *known = known.max(chance);
    });
    add(&has);
    counts
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::super::estimated::testing::{by_definition, records_and_rows};
    use super::*;
    use crate::data::item_tree::testing::book;

    proptest! {
        #[test]
        fn counts_are_those_of_the_definition((records, rows) in records_and_rows()) {
            let tree = book();
            let leaf: Vec<u32> = (0..4).map(|item| tree.leaf(item).unwrap()).collect();
            let pairs = [(0, 1), (0, 2), (1, 3), (2, 3), (3, 0)];
            let queries = pairs.map(|(a, b)| [leaf[a], leaf[b]]);
            let after = Transactions::from_sets(tree.n_nodes(), rows.clone());
            for (found, query) in counts(&after, Some(&tree), &queries).iter().zip(&queries) {
                prop_assert!((found - by_definition(&tree, &rows, query)).abs() < 1e-9);
            }
            let plain = Transactions::from_sets(4, records.clone());
            let queries = pairs.map(|(a, b)| [a as u32, b as u32]);
            for (found, query) in counts(&plain, None, &queries).iter().zip(&queries) {
                let has = |set: &&Vec<u32>| query.iter().all(|item| set.contains(item));
                prop_assert_eq!(*found, records.iter().filter(has).count() as f64);
            }
            prop_assert_eq!(mean_error(&plain, &plain, None).unwrap_or(0.0), 0.0);
        }
    }

    #[test]
    fn lost_items_are_errors_and_pairs_are_of_two_items() {
        let before = Transactions::from_sets(3, [vec![0, 1], vec![0, 1], vec![2], vec![]]);
        assert!(draw(&before).unwrap().iter().all(|[a, b]| a + b == 1));
        let after = Transactions::from_sets(3, [vec![0, 1], vec![0], vec![2], vec![]]);
        assert_eq!(mean_error(&before, &after, None), Some(0.5));
        assert_eq!(mean_error(&Transactions::from_sets(3, [vec![0]]), &after, None), None);
    }
}
