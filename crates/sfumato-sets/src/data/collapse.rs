//! Collapses records with the same set into one record with a weight.

use hashbrown::HashTable;
use sfumato_core::column::Code;
use sfumato_core::transactions::{Builder, Transactions};
use sfumato_core::with_sets;

use crate::data::{PublishedSets, Witnesses};

/// The different sets of a data set, in the order in which they first occur.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Collapsed {
    /// The different sets.
    pub sets: Transactions,
    /// How many records have each set.
    pub weights: Vec<u32>,
    /// For each record, the index of its set.
    pub of_record: Vec<u32>,
}

impl Collapsed {
    /// Find the different sets. Sets are compared in full, not by a hash.
    pub fn of(all: &Transactions) -> Self {
        with_sets!(all, sets => {
            let hash = |set: &[_]| hash_of(set);
            let mut table: HashTable<(u64, u32)> = HashTable::new();
            let (mut builder, mut weights): (Builder, Vec<u32>) =
                (Builder::new(all.n_items()), Vec::new());
            let mut of_record = Vec::with_capacity(sets.len());
            let mut first: Vec<u32> = Vec::new();
            for (i, set) in sets.iter().enumerate() {
                let hashed = hash(set);
                let same = |other: &(u64, u32)| other.0 == hashed
                    && sets.get(first[other.1 as usize] as usize) == set;
                let which = match table.find(hashed, same) {
                    Some((_, which)) => *which,
                    None => {
                        let which = weights.len() as u32;
                        table.insert_unique(hashed, (hashed, which), |other| other.0);
                        builder.push(set);
                        weights.push(0);
                        first.push(i as u32);
                        which
                    }
                };
                weights[which as usize] += 1;
                of_record.push(which);
            }
            Collapsed { sets: builder.finish(), weights, of_record }
        })
    }

    /// Estimate the share of records that are copies of others, from about `looked_at` evenly
    /// spaced records.
    pub fn share_of_copies(all: &Transactions, looked_at: usize) -> f64 {
        let step = (all.len() / looked_at.max(1)).max(1);
        let mut builder = Builder::new(all.n_items());
        with_sets!(all, sets =>
            (0..sets.len()).step_by(step).for_each(|i| builder.push(sets.get(i))));
        let some = builder.finish();
        if some.is_empty() {
            return 0.0;
        }
        1.0 - Collapsed::of(&some).weights.len() as f64 / some.len() as f64
    }

    /// Turn a decision about the different sets into one about the records.
    pub fn expand(&self, published: PublishedSets) -> PublishedSets {
        let of_record =
            self.of_record.iter().map(|which| published.of_record[*which as usize]).collect();
        PublishedSets { of_record, sets: published.sets, witnesses: None::<Witnesses> }
    }
}

/// The hash of a set, only ever used before a full comparison.
fn hash_of<C: Code>(set: &[C]) -> u64 {
    use std::hash::{BuildHasher, Hasher};
    let mut hasher = foldhash::fast::FixedState::default().build_hasher();
    set.iter().for_each(|code| hasher.write_u32(code.widen()));
    hasher.finish()
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(50))]
        #[test]
        fn collapsed_sets_are_those_of_the_records(
            lists in prop::collection::vec(prop::collection::vec(0u32..4, 0..4), 0..40)) {
            let all = Transactions::from_sets(4, lists);
            let collapsed = Collapsed::of(&all);
            prop_assert_eq!(collapsed.weights.iter().sum::<u32>() as usize, all.len());
            for (i, which) in collapsed.of_record.iter().enumerate() {
                prop_assert_eq!(all.set(i), collapsed.sets.set(*which as usize));
            }
            let different: std::collections::BTreeSet<Vec<u32>> =
                (0..all.len()).map(|i| all.set(i)).collect();
            prop_assert_eq!(different.len(), collapsed.sets.len());
        }
    }
}
