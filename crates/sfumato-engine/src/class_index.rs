//! Groups rows by what is published of them. Used by the verifier and by `audit`; algorithms have no part in it.
//!
//! Keys are compared in full: a promise must not hang on a hash.

use rayon::prelude::*;
use sfumato_core::column::{Code, Codes};
use sfumato_core::group::{ClassTable, Summary, Tally};
use sfumato_core::with_codes;

/// Classes of rows with equal codes in all columns.
#[derive(Debug, Clone)]
pub struct ClassIndex {
    n_columns: usize,
    /// Open addressing over classes: 0 is free, otherwise the class plus one.
    slots: Vec<u32>,
    hashes: Vec<u64>,
    /// The codes of each class, one class after the other.
    keys: Vec<u32>,
    /// Rows per class.
    pub sizes: Vec<u64>,
}

impl ClassIndex {
    /// No classes yet.
    pub fn new(n_columns: usize) -> Self {
        ClassIndex { n_columns, slots: vec![0; 1024], hashes: Vec::new(), keys: Vec::new(), sizes: Vec::new() }
    }

    /// How many classes.
    pub fn len(&self) -> usize {
        self.sizes.len()
    }
    /// Whether there is no class.
    pub fn is_empty(&self) -> bool {
        self.sizes.is_empty()
    }

    /// Add rows, given column by column. The class of each goes to `classes` if that is wanted.
    pub fn add(&mut self, columns: &[&[u32]], n_rows: usize, mut classes: Option<&mut Vec<u32>>) {
        let hashes = hash_rows(columns, n_rows);
        for (row, hash) in hashes.into_iter().enumerate() {
            let class = self.find_or_insert(hash, columns, row);
            self.sizes[class as usize] += 1;
            if let Some(classes) = &mut classes {
                classes.push(class);
            }
        }
    }

    fn find_or_insert(&mut self, hash: u64, columns: &[&[u32]], row: usize) -> u32 {
        if self.sizes.len() * 2 >= self.slots.len() {
            self.grow();
        }
        let mask = self.slots.len() - 1;
        let mut slot = hash as usize & mask;
        loop {
            match self.slots[slot] {
                0 => {
                    self.slots[slot] = self.sizes.len() as u32 + 1;
                    self.hashes.push(hash);
                    self.keys.extend(columns.iter().map(|column| column[row]));
                    self.sizes.push(0);
                    return self.sizes.len() as u32 - 1;
                }
                taken => {
                    let class = taken as usize - 1;
                    if self.hashes[class] == hash && self.is_key(class, columns, row) {
                        return class as u32;
                    }
                }
            }
            slot = (slot + 1) & mask;
        }
    }

    #[inline]
    fn is_key(&self, class: usize, columns: &[&[u32]], row: usize) -> bool {
        let key = &self.keys[class * self.n_columns..(class + 1) * self.n_columns];
        key.iter().zip(columns).all(|(code, column)| *code == column[row])
    }

    fn grow(&mut self) {
        let mask = self.slots.len() * 4 - 1;
        self.slots = vec![0; mask + 1];
        for (class, hash) in self.hashes.iter().enumerate() {
            let mut slot = *hash as usize & mask;
            while self.slots[slot] != 0 {
                slot = (slot + 1) & mask;
            }
            self.slots[slot] = class as u32 + 1;
        }
    }

    /// The classes with their keys and summaries, ready for the models. `rows` are the classes of all rows, needed
    /// only where a model looks at more than the size of a class.
    pub fn into_class_table(self, rows: Option<(&[u32], &Tally<'_>)>) -> ClassTable {
        let n = self.n_columns;
        let keys = (0..n).map(|c| self.keys.iter().skip(c).step_by(n.max(1)).copied().collect()).collect();
        match rows {
            None => {
                let release = Summary::of_count(self.sizes.iter().sum());
                let summaries = self.sizes.into_iter().map(Summary::of_count).collect();
                ClassTable { keys, summaries, release }
            }
            Some((class_of_row, tally)) => {
                let members = rows_by_class(class_of_row, &self.sizes);
                let summaries = members.par_iter().map(|rows| tally.of_rows(rows)).collect();
                let release = tally.of_range(0..class_of_row.len());
                ClassTable { keys, summaries, release }
            }
        }
    }
}

/// The rows of each class.
fn rows_by_class(class_of_row: &[u32], sizes: &[u64]) -> Vec<Vec<u32>> {
    let mut members: Vec<Vec<u32>> = sizes.iter().map(|size| Vec::with_capacity(*size as usize)).collect();
    for (row, class) in class_of_row.iter().enumerate() {
        members[*class as usize].push(row as u32);
    }
    members
}

/// A hash per row, column by column so that each pass is sequential.
fn hash_rows(columns: &[&[u32]], n_rows: usize) -> Vec<u64> {
    let mut hashes = vec![HASH_START; n_rows];
    for column in columns {
        hashes.iter_mut().zip(*column).for_each(|(hash, code)| *hash = mix(*hash, *code));
    }
    hashes
}

const HASH_START: u64 = 0x9E37_79B9_7F4A_7C15;

#[inline]
fn mix(hash: u64, code: u32) -> u64 {
    // The code is spread over all bits first, or small codes would only touch the low ones.
    let spread = u64::from(code).wrapping_add(1).wrapping_mul(0xD6E8_FEB8_6659_FD93);
    let product = u128::from(hash ^ spread) * 0xA076_1D64_78BD_642F_u128;
    (product >> 64) as u64 ^ product as u64
}

/// Sizes of the classes of rows with equal codes, in people where a subject is given.
///
/// For figures of a report, not for promises: rows are told apart by a 64-bit hash, which confuses two of 20 million
/// different rows with a chance of 1 in 90,000.
pub fn class_sizes(columns: &[&Codes], n_rows: usize, subject: Option<&Codes>) -> Vec<u64> {
    const CHUNK: usize = 8192;
    let mut hashes = vec![HASH_START; n_rows];
    hashes.par_chunks_mut(CHUNK).enumerate().for_each(|(chunk, hashes)| {
        let rows = chunk * CHUNK..chunk * CHUNK + hashes.len();
        for column in columns {
            with_codes!(column, codes => {
                hashes.iter_mut().zip(&codes[rows.clone()]).for_each(|(h, code)| *h = mix(*h, code.widen()));
            });
        }
    });
    match subject {
        None => {
            hashes.par_sort_unstable();
            hashes.chunk_by(|a, b| a == b).map(|class| class.len() as u64).collect()
        }
        Some(subject) => {
            let mut pairs: Vec<(u64, u32)> = hashes.into_iter().zip(subject.iter()).collect();
            pairs.par_sort_unstable();
            pairs.dedup();
            pairs.chunk_by(|a, b| a.0 == b.0).map(|class| class.len() as u64).collect()
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn groups_like_a_sorted_map(rows in prop::collection::vec((0u32..4, 0u32..5, 0u32..40), 0..3000)) {
            let columns: Vec<Vec<u32>> = vec![
                rows.iter().map(|r| r.0).collect(),
                rows.iter().map(|r| r.1).collect(),
                rows.iter().map(|r| r.2).collect(),
            ];
            let mut naive = std::collections::BTreeMap::new();
            rows.iter().for_each(|row| *naive.entry(*row).or_insert(0u64) += 1);
            let mut index = ClassIndex::new(3);
            let mut classes = Vec::new();
            let cut = rows.len() / 3;
            for range in [0..cut, cut..rows.len()] {
                let slices: Vec<&[u32]> = columns.iter().map(|c| &c[range.clone()]).collect();
                index.add(&slices, range.len(), Some(&mut classes));
            }
            prop_assert_eq!(index.len(), naive.len());
            for (row, class) in rows.iter().zip(&classes) {
                prop_assert_eq!(index.sizes[*class as usize], naive[row]);
            }
            let table = index.into_class_table(None);
            prop_assert_eq!(table.release.rows, rows.len() as u64);
            let keys: std::collections::BTreeSet<_> =
                (0..table.summaries.len()).map(|c| (table.keys[0][c], table.keys[1][c], table.keys[2][c])).collect();
            prop_assert_eq!(keys, naive.keys().copied().collect());
        }
    }
}
