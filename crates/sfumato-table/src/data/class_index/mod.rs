//! Groups rows by their published values. The verifier and `audit` use it; algorithms don't.
//!
//! Keys are compared in full: a promise must not depend on a hash.

mod packed;
mod sizes;
mod wide;

pub use sizes::class_sizes;

use packed::PackedKeys;
use rayon::prelude::*;
use sfumato_core::group::{ClassTable, Summary, Tally};
use wide::WideKeys;

/// Classes of rows with equal codes in all columns.
#[derive(Debug, Clone)]
pub struct ClassIndex {
    keys: Keys,
    /// Rows per class.
    pub sizes: Vec<u64>,
}

/// The codes of classes: packed into one number if they fit, which is the case in real releases.
#[derive(Debug, Clone)]
enum Keys {
    Packed(PackedKeys),
    Wide(WideKeys),
}

impl ClassIndex {
    /// An index without classes.
    pub fn new(n_columns: usize) -> Self {
        let keys = PackedKeys::new(n_columns)
            .map_or_else(|| Keys::Wide(WideKeys::new(n_columns)), Keys::Packed);
        ClassIndex { keys, sizes: Vec::new() }
    }

    /// The number of classes.
    pub fn len(&self) -> usize {
        self.sizes.len()
    }
    /// Whether there is no class.
    pub fn is_empty(&self) -> bool {
        self.sizes.is_empty()
    }

    /// Add rows, given column by column. The class of each is appended to `classes` if that is
    /// wanted.
    pub fn add(&mut self, columns: &[&[u32]], n_rows: usize, mut classes: Option<&mut Vec<u32>>) {
        if let Keys::Packed(packed) = &mut self.keys
            && !packed.make_room(columns)
        {
            self.keys = Keys::Wide(WideKeys::from_columns(&packed.unpack()));
        }
        let sizes = &mut self.sizes;
        let mut count = |class: u32| {
            if class as usize == sizes.len() {
                sizes.push(0);
            }
            sizes[class as usize] += 1;
            if let Some(classes) = &mut classes {
                classes.push(class);
            }
        };
        match &mut self.keys {
            Keys::Packed(packed) => packed.add(columns, n_rows, &mut count),
            Keys::Wide(wide) => wide.add(columns, n_rows, &mut count),
        }
    }

    /// The keys of all classes, column by column, and their sizes.
    pub fn into_keys(self) -> (Vec<Vec<u32>>, Vec<u64>) {
        let keys = match &self.keys {
            Keys::Packed(packed) => packed.unpack(),
            Keys::Wide(wide) => wide.columns(),
        };
        (keys, self.sizes)
    }

    /// The classes with their keys and summaries, ready for the models. `rows` are the classes of
    /// all rows, needed only if a model needs more than the size of a class.
    pub fn into_class_table(self, rows: Option<(&[u32], &Tally<'_>)>) -> ClassTable {
        self.into_class_table_from(0, rows)
    }

    /// The same where the rows are those of the table from row `first` on.
    pub fn into_class_table_from(
        self,
        first: usize,
        rows: Option<(&[u32], &Tally<'_>)>,
    ) -> ClassTable {
        let keys = match &self.keys {
            Keys::Packed(packed) => packed.unpack(),
            Keys::Wide(wide) => wide.columns(),
        };
        match rows {
            None => {
                let release = Summary::of_count(self.sizes.iter().sum());
                let summaries = self.sizes.into_iter().map(Summary::of_count).collect();
                ClassTable { keys, summaries, release }
            }
            Some((class_of_row, tally)) => {
                let mut members = rows_by_class(class_of_row, &self.sizes);
                members.iter_mut().flatten().for_each(|row| *row += first as u32);
                let summaries = members.par_iter().map(|rows| tally.of_rows(rows)).collect();
                let release = tally.of_range(first..first + class_of_row.len());
                ClassTable { keys, summaries, release }
            }
        }
    }
}

/// The rows of each class.
pub fn rows_by_class(class_of_row: &[u32], sizes: &[u64]) -> Vec<Vec<u32>> {
    let mut members: Vec<Vec<u32>> =
        sizes.iter().map(|size| Vec::with_capacity(*size as usize)).collect();
    for (row, class) in class_of_row.iter().enumerate() {
        members[*class as usize].push(row as u32);
    }
    members
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        /// Codes up to 2^31 outgrow the packed keys in some cases and not in others.
        #[test]
        fn groups_like_a_sorted_map(
            rows in prop::collection::vec((0u32..4, 0u32..5, 0u32..40), 0..3000),
            shift in 0u32..25,
            n_copies in 0usize..5,
        ) {
            let rows: Vec<(u32, u32, u32)> =
                rows.iter().map(|r| (r.0, r.1 << shift, r.2 << shift)).collect();
            let columns: Vec<Vec<u32>> = vec![
                rows.iter().map(|r| r.0).collect(),
                rows.iter().map(|r| r.1).collect(),
                rows.iter().map(|r| r.2).collect(),
            ];
            let extra: Vec<Vec<u32>> =
                columns[1..].iter().cycle().take(n_copies).cloned().collect();
            let columns: Vec<Vec<u32>> = columns.into_iter().chain(extra).collect();
            let mut naive = std::collections::BTreeMap::new();
            rows.iter().for_each(|row| *naive.entry(*row).or_insert(0u64) += 1);
            let mut index = ClassIndex::new(columns.len());
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
                (0..table.summaries.len())
                    .map(|c| (table.keys[0][c], table.keys[1][c], table.keys[2][c])).collect();
            prop_assert_eq!(keys, naive.keys().copied().collect());
        }
    }
}
