//! Finds the rows of a bitmap release that admit a record as a possible world, without comparing
//! all pairs.
//!
//! A row that admits a record has each of its items, for certain or possibly, so only the rows of
//! the record's rarest item are examined. A record without items is admitted only by rows without
//! certain items.

use sfumato_core::column::Code;
use sfumato_core::transactions::Sets;
use sfumato_io::RecordSource as _;

use crate::data::Bitmaps;

/// The rows that may have each item.
pub struct Index {
    offsets: Vec<usize>,
    rows: Vec<u32>,
    /// Rows without certain items.
    sure_of_none: Vec<u32>,
}

impl Index {
    /// Make the index of a release. Its codes must be those of the records to look up.
    pub fn new(bitmaps: &Bitmaps) -> Self {
        let n_items = bitmaps.base.n_items();
        let mut counts = vec![0usize; n_items + 1];
        let mut sure_of_none = Vec::new();
        let mut possible = Vec::new();
        for row in 0..bitmaps.len() {
            let sure = possible_items(bitmaps, row, &mut possible);
            possible.iter().for_each(|item| counts[*item as usize + 1] += 1);
            if sure == 0 {
                sure_of_none.push(row as u32);
            }
        }
        (0..n_items).for_each(|item| counts[item + 1] += counts[item]);
        let offsets = counts;
        let mut next = offsets.clone();
        let mut rows = vec![0; offsets[n_items]];
        for row in 0..bitmaps.len() {
            possible_items(bitmaps, row, &mut possible);
            for item in &possible {
                rows[next[*item as usize]] = row as u32;
                next[*item as usize] += 1;
            }
        }
        Index { offsets, rows, sure_of_none }
    }

    /// The rows of the indexed release that admit a record and that suit, up to a limit, ascending.
    pub fn admitting<C: Code>(
        &self,
        bitmaps: &Bitmaps,
        sets: Sets<'_, C>,
        record: usize,
        most: usize,
        suits: impl Fn(u32) -> bool,
    ) -> Vec<u32> {
        let set = sets.get(record);
        let of_item = |code: &C| {
            let item = code.widen() as usize;
            &self.rows[self.offsets[item]..self.offsets[item + 1]]
        };
        let rows = match set.iter().map(of_item).min_by_key(|rows| rows.len()) {
            Some(rows) => rows,
            None => &self.sure_of_none,
        };
        let admits = |row: &u32| bitmaps.admits(*row as usize, set) && suits(*row);
        rows.iter().copied().filter(admits).take(most).collect()
    }
}

/// Collect the items that a row may have, and return how many of them it has for certain.
fn possible_items(bitmaps: &Bitmaps, row: usize, possible: &mut Vec<u32>) -> usize {
    possible.clear();
    bitmaps.base.append(row, possible);
    let base = possible.len();
    bitmaps.distance.append(row, possible);
    let distance = possible.len() - base;
    possible.sort_unstable();
    possible.dedup();
    possible.len() - distance
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use sfumato_core::transactions::Transactions;
    use sfumato_core::with_sets;

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(60))]
        #[test]
        fn those_found_are_all_there_are(
            rows in prop::collection::vec((0u32..64, 0u32..64, 0u32..4), 0..12),
            records in prop::collection::vec(0u32..64, 0..12),
        ) {
            let set = |bits: u32| (0..6).filter(|item| bits >> item & 1 == 1).collect::<Vec<u32>>();
            let bitmaps = Bitmaps {
                base: Transactions::from_sets(6, rows.iter().map(|row| set(row.0))),
                distance: Transactions::from_sets(6, rows.iter().map(|row| set(row.1))),
                threshold: rows.iter().map(|row| row.2).collect(),
                label_of: Vec::new(),
            };
            let index = Index::new(&bitmaps);
            let original = Transactions::from_sets(6, records.iter().map(|bits| set(*bits)));
            for (record, bits) in records.iter().enumerate() {
                let is_admitted = |row: &(u32, u32, u32)| {
                    let differs = row.0 ^ bits;
                    differs & !row.1 == 0 && differs.count_ones() <= row.2
                };
                let expected: Vec<u32> = (0u32..).zip(&rows).filter(|(_, row)| is_admitted(row))
                    .map(|(i, _)| i).collect();
                let found = with_sets!(&original, sets =>
                    index.admitting(&bitmaps, sets, record, usize::MAX, |_| true));
                prop_assert_eq!(found, expected);
            }
        }
    }
}
