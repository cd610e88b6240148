//! The decision of an algorithm for baskets: the set that is published for each record.

use sfumato_core::column::Code;
use sfumato_core::transactions::Transactions;
use sfumato_core::with_sets;

/// Records that contain a published set, the same number for each set. They make a promise about
/// supporters fast to check. They are hints: the verifier checks each of them.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Witnesses {
    /// How many witnesses each set has.
    pub each: usize,
    /// The witnesses of the first set, then of the second, and so on. The witnesses of one set are
    /// different records.
    pub records: Vec<u32>,
}

impl Witnesses {
    /// The witnesses of a set.
    pub fn of(&self, set: usize) -> &[u32] {
        &self.records[set * self.each..][..self.each]
    }
}

/// The set that is published for each record.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PublishedSets {
    /// For each record, the index of its set.
    pub of_record: Vec<u32>,
    /// The sets. Two of them may be equal; a recipient then sees one class.
    pub sets: Transactions,
    /// The supporters of each set, for promises about supporters.
    pub witnesses: Option<Witnesses>,
}

/// How much of every item is published.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Kept {
    /// The number of published instances of each item.
    pub instances: Vec<u64>,
    /// The number of records that are published as the empty set.
    pub empty: u64,
}

impl PublishedSets {
    /// How many records are published as each set.
    pub fn sizes(&self) -> Vec<u64> {
        let mut sizes = vec![0; self.sets.len()];
        self.of_record.iter().for_each(|set| sizes[*set as usize] += 1);
        sizes
    }

    /// Count how much of every item is published.
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
