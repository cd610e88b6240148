//! Bitmap releases of baskets: each published record is a base set, the items in which it may be
//! wrong, and in how many of them.
//!
//! What is published about a record is the family of its possible worlds: all sets that differ from
//! the base set only in items of the distance set, and in no more of them than the threshold.
//! Unlike a suppressed set, a base set may have items that its record never had.

use sfumato_core::column::Code;
use sfumato_core::transactions::Transactions;
use sfumato_core::with_sets;
use sfumato_core::{Error, Result};

/// Published records as base set, distance set and threshold, and the record from which each takes
/// its label.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Bitmaps {
    /// The base set of each published record.
    pub base: Transactions,
    /// The items in which the base set may be wrong.
    pub distance: Transactions,
    /// In how many items of the distance set the base set may be wrong, at most.
    pub threshold: Vec<u32>,
    /// Which original record the published one takes its label (identity, sensitive value) from.
    /// Never published itself.
    pub label_of: Vec<u32>,
}

impl Bitmaps {
    /// The number of published records.
    pub fn len(&self) -> usize {
        self.threshold.len()
    }
    /// Whether there are no published records.
    pub fn is_empty(&self) -> bool {
        self.threshold.is_empty()
    }

    /// Whether a set, ascending, is one of the possible worlds of a published record.
    pub fn admits<C: Code>(&self, row: usize, set: &[C]) -> bool {
        with_sets!(&self.base, base => with_sets!(&self.distance, distance => {
            let errors = errors(base.get(row), distance.get(row), set);
            errors.is_some_and(|errors| errors <= u64::from(self.threshold[row]))
        }))
    }

    /// Check that the parts fit together: one of each per record, thresholds that the distance sets
    /// allow, and labels that are a permutation of the records.
    pub fn check(&self) -> Result<()> {
        let n = self.len();
        if [self.base.len(), self.distance.len(), self.label_of.len()] != [n; 3] {
            return Err(Error::input(
                "base, distance, threshold and label have different numbers of records",
            ));
        }
        if self.base.n_items() != self.distance.n_items() {
            return Err(Error::input("base and distance have different numbers of items"));
        }
        if let Some(row) =
            (0..n).find(|row| self.threshold[*row] as usize > self.distance.size(*row))
        {
            let message =
                format!("record {} has a threshold above the size of its distance set", row + 1);
            return Err(Error::input(message));
        }
        let mut taken = vec![false; n];
        for label in &self.label_of {
            match taken.get_mut(*label as usize) {
                Some(taken) if !*taken => *taken = true,
                _ => {
                    return Err(Error::input("the labels are not those of the records, each once"));
                }
            }
        }
        Ok(())
    }
}

/// The number of items in which a set differs from a base set. `None` if it differs in an item
/// outside the distance set.
fn errors<B: Code, D: Code, C: Code>(base: &[B], distance: &[D], set: &[C]) -> Option<u64> {
    let mut base = base.iter().map(|code| code.widen()).peekable();
    let mut set = set.iter().map(|code| code.widen()).peekable();
    let mut allowed = distance.iter().map(|code| code.widen());
    let mut errors = 0;
    loop {
        let differs = match (base.peek().copied(), set.peek().copied()) {
            (None, None) => return Some(errors),
            (Some(left), Some(right)) if left == right => {
                base.next();
                set.next();
                continue;
            }
            (Some(left), right) if right.is_none_or(|right| left < right) => base.next(),
            _ => set.next(),
        }?;
        // All three ascend, so the search goes on where it stopped.
        if allowed.by_ref().find(|item| *item >= differs) != Some(differs) {
            return None;
        }
        errors += 1;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn example() -> Bitmaps {
        Bitmaps {
            base: Transactions::from_sets(4, [vec![0, 1], vec![1, 2, 3]]),
            distance: Transactions::from_sets(4, [vec![2, 3], vec![0, 1, 3]]),
            threshold: vec![1, 2],
            label_of: vec![1, 0],
        }
    }

    #[test]
    fn possible_worlds_are_those_of_the_definition() {
        let bitmaps = example();
        for row in 0..bitmaps.len() {
            let bits = |set: Vec<u32>| set.iter().fold(0u32, |bits, item| bits | 1 << item);
            let (base, distance) = (bits(bitmaps.base.set(row)), bits(bitmaps.distance.set(row)));
            let mut worlds = Vec::new();
            for world in 0..16u32 {
                let set: Vec<u32> = (0..4).filter(|item| world >> item & 1 == 1).collect();
                let differs = world ^ base;
                let is_one =
                    differs & !distance == 0 && differs.count_ones() <= bitmaps.threshold[row];
                assert_eq!(bitmaps.admits(row, &set), is_one, "{row} {set:?}");
                worlds.extend(is_one.then_some(set));
            }
            assert_eq!(worlds.len(), [3, 7][row]);
        }
    }

    #[test]
    fn parts_that_do_not_fit_are_refused() {
        assert!(example().check().is_ok());
        assert!(!example().is_empty());
        assert!(Bitmaps { threshold: vec![3, 2], ..example() }.check().is_err());
        assert!(Bitmaps { threshold: vec![1], ..example() }.check().is_err());
        assert!(Bitmaps { label_of: vec![1, 1], ..example() }.check().is_err());
        assert!(Bitmaps { label_of: vec![1, 2], ..example() }.check().is_err());
        let distance = Transactions::from_sets(5, [vec![2, 3], vec![0, 1, 3]]);
        assert!(Bitmaps { distance, ..example() }.check().is_err());
    }
}
