//! Counts how many original records contain each published set, until there are enough.
//!
//! The algorithm may name supporters. They are checked and not trusted: a named record counts if it
//! really contains the set and wasn't counted before. If these aren't enough, the records of the
//! set's rarest item are searched.

use rayon::prelude::*;
use sfumato_core::column::Code;
use sfumato_core::transactions::{Sets, Transactions};
use sfumato_core::with_sets;

use super::alike::Alike;
use super::subset::is_subset;

/// For each different published set, the number of original records that contain it, at most
/// `enough`.
///
/// `published` are the sets of the release with the codes of the original. `rows_are_true` says
/// that rows are known to be subsets of different original records, so that copies support each
/// other. `named` gives records that may be supporters of a row.
pub fn count<'n>(
    original: &Transactions,
    published: &Transactions,
    alike: &Alike,
    enough: u64,
    rows_are_true: bool,
    named: &(dyn Fn(usize) -> &'n [u32] + Sync),
) -> Vec<u64> {
    let by_name = |which: usize| {
        let row = alike.first[which] as usize;
        let copies = if rows_are_true { u64::from(alike.copies[which]) } else { 0 };
        if copies >= enough {
            copies
        } else {
            copies.max(confirmed(original, published, row, named(row), enough))
        }
    };
    let mut counts: Vec<u64> = (0..alike.len()).into_par_iter().map(by_name).collect();
    let open: Vec<usize> = (0..alike.len()).filter(|which| counts[*which] < enough).collect();
    if !open.is_empty() {
        let rows: Vec<usize> = open.iter().map(|which| alike.first[*which] as usize).collect();
        for (which, n) in open.into_iter().zip(search(original, published, &rows, enough)) {
            counts[which] = counts[which].max(n);
        }
    }
    counts
}

/// How many of the named records contain the set of a row.
fn confirmed(
    original: &Transactions,
    published: &Transactions,
    row: usize,
    named: &[u32],
    enough: u64,
) -> u64 {
    let mut different: Vec<u32> =
        named.iter().copied().filter(|record| (*record as usize) < original.len()).collect();
    different.sort_unstable();
    different.dedup();
    with_sets!(published, published => with_sets!(original, original => {
        let set = published.get(row);
        let contain =
            different.iter().filter(|record| is_subset(set, original.get(**record as usize)));
        contain.take(enough as usize).count() as u64
    }))
}

/// Count the supporters of some rows' sets by search, at most `enough` each.
fn search(
    original: &Transactions,
    published: &Transactions,
    rows: &[usize],
    enough: u64,
) -> Vec<u64> {
    let frequencies = original.counts();
    let rarest = |row: usize| {
        let set = published.set(row);
        set.into_iter().min_by_key(|item| frequencies[*item as usize]).map(|item| item as usize)
    };
    let rarest: Vec<Option<usize>> = rows.par_iter().map(|row| rarest(*row)).collect();
    let mut wanted = vec![false; original.n_items()];
    rarest.iter().flatten().for_each(|item| wanted[*item] = true);
    let lists = with_sets!(original, sets => lists_of(sets, &wanted));
    let n_original = original.len() as u64;
    rows.par_iter()
        .zip(&rarest)
        .map(|(row, rarest)| match rarest {
            // The empty set is contained in every record.
            None => n_original.min(enough),
            Some(item) => with_sets!(published, published => with_sets!(original, original => {
                let set = published.get(*row);
                let contain = lists[*item].iter()
                    .filter(|record| is_subset(set, original.get(**record as usize)));
                contain.take(enough as usize).count() as u64
            })),
        })
        .collect()
}

/// The records of some items.
fn lists_of<C: Code>(sets: Sets<'_, C>, wanted: &[bool]) -> Vec<Vec<u32>> {
    let mut lists: Vec<Vec<u32>> = vec![Vec::new(); wanted.len()];
    for (record, set) in sets.iter().enumerate() {
        for item in set.iter().map(|code| code.widen() as usize).filter(|item| wanted[*item]) {
            lists[item].push(record as u32);
        }
    }
    lists
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(80))]
        #[test]
        fn counts_are_those_of_a_plain_count(
            lists in prop::collection::vec((prop::collection::vec(0u32..6, 0..5),
                prop::collection::vec(any::<bool>(), 5)), 1..30),
            enough in 1u64..6,
            trusted: bool,
            liar in prop::collection::vec(0u32..40, 0..8),
        ) {
            let original = Transactions::from_sets(6, lists.iter().map(|(list, _)| list.clone()));
            let publish = |i: usize| original.set(i).into_iter().zip(&lists[i].1)
                .filter(|(_, keep)| **keep).map(|(item, _)| item).collect();
            let published = Transactions::from_sets(6, (0..original.len()).map(publish));
            let alike = Alike::of(&published);
            let counted = count(&original, &published, &alike, enough, trusted, &|_| &liar);
            for (which, counted) in counted.iter().enumerate() {
                let set = published.set(alike.first[which] as usize);
                let plain = (0..original.len()).filter(|i| set.iter()
                    .all(|item| original.set(*i).contains(item))).count() as u64;
                prop_assert_eq!((*counted).min(enough), plain.min(enough));
                prop_assert!(*counted <= plain);
            }
        }
    }
}
