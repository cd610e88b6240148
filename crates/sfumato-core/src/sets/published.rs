//! What an algorithm for baskets decides: the set that each record is published as.

use crate::column::Code;
use crate::sets::Transactions;
use crate::with_sets;

/// Records that contain a published set, as many for each set: what makes a promise about
/// supporters quick to check. Whoever reads them trusts none of them.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Witnesses {
    /// How many for each set.
    pub each: usize,
    /// The witnesses of the first set, of the second, ...; those of one set are different records.
    pub records: Vec<u32>,
}

impl Witnesses {
    /// Those of a set.
    pub fn of(&self, set: usize) -> &[u32] {
        &self.records[set * self.each..][..self.each]
    }
}

/// The set that each record is published as.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PublishedSets {
    /// For each record, which of the sets.
    pub of_record: Vec<u32>,
    /// The sets. Two of them may be equal: a recipient sees one class then.
    pub sets: Transactions,
    /// For promises about supporters: who they are.
    pub witnesses: Option<Witnesses>,
}

/// What is left of every item.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Kept {
    /// Published instances of each item.
    pub instances: Vec<u64>,
    /// Records that are published as the empty set.
    pub empty: u64,
}

impl PublishedSets {
    /// How many records are published as each set.
    pub fn sizes(&self) -> Vec<u64> {
        let mut sizes = vec![0; self.sets.len()];
        self.of_record.iter().for_each(|set| sizes[*set as usize] += 1);
        sizes
    }

    /// What is left of every item.
    pub fn kept(&self) -> Kept {
        let mut kept = Kept { instances: vec![0; self.sets.n_items()], empty: 0 };
        with_sets!(&self.sets, sets => {
            for (set, size) in sets.iter().zip(self.sizes()) {
                set.iter().for_each(|code| kept.instances[code.widen() as usize] += size);
                kept.empty += if set.is_empty() { size } else { 0 };
            }
        });
        kept
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_kept_is_counted_by_record() {
        let sets = Transactions::from_sets(3, [vec![0, 2], vec![], vec![2]]);
        let published = PublishedSets { of_record: vec![0, 0, 1, 2, 0], sets, witnesses: None };
        assert_eq!(published.sizes(), [3, 1, 1]);
        assert_eq!(published.kept(), Kept { instances: vec![3, 0, 4], empty: 1 });
    }
}
