//! Owners of several rows: how many of them have the same rows.

use sfumato_core::FastMap;
use sfumato_core::column::Codes;
use sfumato_core::facts::Least;

/// Owners whose rows are of the same classes, each as often: how many there are of each kind.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct OwnersAlike(Vec<u64>);

impl OwnersAlike {
    /// The owners of the first rows of a table, by the class of each row and its owner.
    pub fn new(class_of_row: &[u32], owners: &Codes) -> Self {
        let owned = class_of_row.iter().enumerate().map(|(row, class)| (owners.get(row), *class));
        let mut rows: Vec<(u32, u32)> = owned.collect();
        rows.sort_unstable();
        let mut alike: FastMap<Vec<u32>, u64> = FastMap::default();
        for of_owner in rows.chunk_by(|a, b| a.0 == b.0) {
            let classes = of_owner.iter().map(|(_, class)| *class).collect();
            *alike.entry(classes).or_insert(0) += 1;
        }
        OwnersAlike(alike.into_values().collect())
    }

    /// The fewest, and how many kinds have fewer than `required`.
    pub fn least(&self, required: u64) -> Least {
        let few = self.0.iter().filter(|owners| **owners < required).count();
        Least { least: self.0.iter().copied().min().unwrap_or(0), violations: few as u64 }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        /// Owner by owner: how many have as many rows of every class.
        #[test]
        fn owners_are_counted_one_by_one(
            rows in prop::collection::vec((0u32..6, 0u32..3), 1..24), required in 1u64..5,
        ) {
            let owners = Codes::U32(rows.iter().map(|row| row.0).collect());
            let classes: Vec<u32> = rows.iter().map(|row| row.1).collect();
            let of = |owner: u32, class: u32| rows.iter().filter(|r| **r == (owner, class)).count();
            let there = |owner: &u32| rows.iter().any(|row| row.0 == *owner);
            let same = |a: u32, b: u32| (0..3).all(|class| of(a, class) == of(b, class));
            let others = |a: u32| (0..6).filter(there).filter(|b| same(a, *b)).count() as u64;
            let found = OwnersAlike::new(&classes, &owners).least(required);
            let least = (0..6).filter(there).map(others).min().unwrap();
            prop_assert_eq!(found.least, least);
            prop_assert_eq!(found.violations > 0, least < required);
        }
    }
}
