//! Groups of rows that are published alike: one group per combination of values.

use sfumato_core::column::{Code, Codes};
use sfumato_core::dataset::Column;
use sfumato_core::recoding::Cut;
use sfumato_core::{FastMap, with_codes};

/// The largest table with which combinations are numbered without hashing.
const MOST_DENSE: u64 = 1 << 22;

/// The groups of some cuts, numbered in the order of their first rows.
pub struct Groups {
    /// The group of each row.
    pub of_row: Vec<u32>,
    /// A row of each group.
    pub example: Vec<u32>,
    /// How many rows each group has.
    pub rows: Vec<u64>,
}

impl Groups {
    /// Group the rows of a table by the values that cuts give them.
    pub fn new(quasi: &[&Column], cuts: &[Cut], n_rows: usize) -> Self {
        let columns = quasi.iter().zip(cuts);
        Self::of_columns(
            n_rows,
            columns.map(|(column, cut)| (&column.codes, cut.of_code(), cut.values().len())),
        )
    }

    /// Group rows by tables for their codes: `table[code]` is below `n`.
    pub fn of_columns<'a>(
        n_rows: usize,
        columns: impl Iterator<Item = (&'a Codes, &'a [u32], usize)>,
    ) -> Self {
        let mut keys = vec![0u64; n_rows];
        let mut range = 1u64;
        for (codes, table, n) in columns {
            let n = n.max(1) as u64;
            if range.checked_mul(n).is_none() {
                range = renumber(&mut keys, range).len() as u64;
            }
            let step = range;
            with_codes!(codes, codes => keys.iter_mut().zip(codes).for_each(|(key, code)| {
                *key += step * u64::from(table[code.widen() as usize]);
            }));
            range = range.saturating_mul(n);
        }
        let example = renumber(&mut keys, range);
        let mut rows = vec![0u64; example.len()];
        let of_row: Vec<u32> = keys.into_iter().map(|key| key as u32).collect();
        of_row.iter().for_each(|&group| rows[group as usize] += 1);
        Groups { of_row, example, rows }
    }

    /// The rows of all groups, one group after the other, and where each group begins.
    pub fn rows_in_order(&self) -> (Vec<u32>, Vec<usize>) {
        let mut starts = vec![0usize; self.len() + 1];
        for (group, &rows) in self.rows.iter().enumerate() {
            starts[group + 1] = starts[group] + rows as usize;
        }
        let mut next = starts.clone();
        let mut rows = vec![0u32; self.of_row.len()];
        for (row, &group) in self.of_row.iter().enumerate() {
            rows[next[group as usize]] = row as u32;
            next[group as usize] += 1;
        }
        (rows, starts)
    }

    /// The number of groups.
    pub fn len(&self) -> usize {
        self.rows.len()
    }
    /// Whether there are no groups.
    pub fn is_empty(&self) -> bool {
        self.rows.is_empty()
    }
}

/// Number keys below `range` from 0 in the order of first appearance. Returns where each appears
/// first.
pub fn renumber(keys: &mut [u64], range: u64) -> Vec<u32> {
    let mut example = Vec::new();
    if range <= MOST_DENSE.min(8 * keys.len() as u64 + 64) {
        let mut numbers = vec![u32::MAX; range as usize];
        for (place, key) in keys.iter_mut().enumerate() {
            let number = &mut numbers[*key as usize];
            if *number == u32::MAX {
                *number = example.len() as u32;
                example.push(place as u32);
            }
            *key = u64::from(*number);
        }
    } else {
        let mut numbers: FastMap<u64, u32> = FastMap::default();
        for (place, key) in keys.iter_mut().enumerate() {
            let next = example.len() as u32;
            let number = *numbers.entry(*key).or_insert(next);
            if number == next {
                example.push(place as u32);
            }
            *key = u64::from(number);
        }
    }
    example
}
