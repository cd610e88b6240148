//! Groups the records of a release by their sets. Sets are compared in full; a hash is only used to
//! find them.

use hashbrown::HashTable;
use rayon::prelude::*;
use sfumato_core::column::Code;
use sfumato_core::transactions::{Sets, Transactions};
use sfumato_core::with_sets;

use sfumato_engine::hash::{HASH_START, mix};

/// The different sets of a file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Alike {
    /// For each different set, the first row that has it.
    pub first: Vec<u32>,
    /// How many rows have each different set.
    pub copies: Vec<u32>,
    /// For each row, the number of its set.
    pub of_row: Vec<u32>,
}

/// The number of parts into which sets are divided by their hash. Each part is processed by one
/// thread. No count depends on it.
const PARTS: usize = 64;

impl Alike {
    /// Find the different sets of all rows.
    pub fn of(rows: &Transactions) -> Self {
        with_sets!(rows, sets => of(sets))
    }
    /// The number of different sets.
    pub fn len(&self) -> usize {
        self.first.len()
    }
    /// Whether there is no row.
    pub fn is_empty(&self) -> bool {
        self.first.is_empty()
    }
}

fn of<C: Code>(sets: Sets<'_, C>) -> Alike {
    let hashes: Vec<u64> = (0..sets.len()).into_par_iter().map(|row| hash(sets.get(row))).collect();
    // Bits that the table below uses neither for its places nor for its tags.
    let part_of = |hash: u64| (hash >> 40) as usize % PARTS;
    let mut parts: Vec<Vec<u32>> = vec![Vec::new(); PARTS];
    hashes.iter().enumerate().for_each(|(row, hash)| parts[part_of(*hash)].push(row as u32));
    // The different sets of each part, and for each of its rows which one it has.
    let grouped: Vec<(Vec<u32>, Vec<u32>, Vec<u32>)> = parts
        .par_iter()
        .map(|rows| {
            let mut table: HashTable<u32> = HashTable::new();
            let (mut first, mut copies, mut of_row): (Vec<u32>, Vec<u32>, Vec<u32>) =
                Default::default();
            for row in rows {
                let (hashed, set) = (hashes[*row as usize], sets.get(*row as usize));
                let same = |other: &u32| {
                    let other = first[*other as usize] as usize;
                    hashes[other] == hashed && sets.get(other) == set
                };
                let which = match table.find(hashed, same) {
                    Some(which) => *which,
                    None => {
                        let which = first.len() as u32;
                        first.push(*row);
                        copies.push(0);
                        table.insert_unique(hashed, which, |other| {
                            hashes[first[*other as usize] as usize]
                        });
                        which
                    }
                };
                copies[which as usize] += 1;
                of_row.push(which);
            }
            (first, copies, of_row)
        })
        .collect();
    let mut alike = Alike { first: Vec::new(), copies: Vec::new(), of_row: vec![0; sets.len()] };
    for (rows, (first, copies, of_row)) in parts.into_iter().zip(grouped) {
        let before = alike.first.len() as u32;
        rows.iter()
            .zip(of_row)
            .for_each(|(row, which)| alike.of_row[*row as usize] = before + which);
        alike.first.extend(first);
        alike.copies.extend(copies);
    }
    alike
}

fn hash<C: Code>(set: &[C]) -> u64 {
    let mixed = set.iter().fold(HASH_START, |hash, code| mix(hash, u64::from(code.widen())));
    mix(mixed, set.len() as u64)
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use proptest::prelude::*;

    use super::*;

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(60))]
        #[test]
        fn rows_are_alike_if_their_sets_are(
            lists in prop::collection::vec(prop::collection::vec(0u32..5, 0..4), 0..60)) {
            let rows = Transactions::from_sets(5, lists);
            let alike = Alike::of(&rows);
            let mut counted: BTreeMap<Vec<u32>, u32> = BTreeMap::new();
            (0..rows.len()).for_each(|row| *counted.entry(rows.set(row)).or_default() += 1);
            prop_assert_eq!(alike.len(), counted.len());
            for (row, which) in alike.of_row.iter().enumerate() {
                prop_assert_eq!(rows.set(row), rows.set(alike.first[*which as usize] as usize));
                prop_assert_eq!(alike.copies[*which as usize], counted[&rows.set(row)]);
            }
        }
    }
}
