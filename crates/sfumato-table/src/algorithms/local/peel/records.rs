//! The different records of a table: equal quasi cells are stored once, with the rows that have
//! them.

use sfumato_core::FastMap;

use super::ladder::Ladder;
use crate::algorithms::shared::mix::mix;
use crate::algorithms::shared::space::Space;

/// Records with equal quasi cells, collapsed.
pub struct Records {
    /// The number of quasi columns.
    pub n_columns: usize,
    /// The codes of each record, one record after the other.
    pub codes: Vec<u32>,
    /// How many rows each record stands for.
    pub weight: Vec<u32>,
    starts: Vec<u32>,
    rows: Vec<u32>,
    /// The record of each row.
    pub of_row: Vec<u32>,
}

impl Records {
    /// Collapse the rows of a table, or leave every row a record of its own if rows with equal
    /// quasi cells may be separated.
    pub fn new(space: &Space<'_>, n_rows: usize, collapse: bool) -> Self {
        let n_columns = space.n_columns();
        let mut hashes = vec![0u64; n_rows];
        for (place, axis) in space.axes.iter().enumerate() {
            for (hash, code) in hashes.iter_mut().zip(axis.column.codes.iter()) {
                *hash = mix(*hash ^ (u64::from(code) | (place as u64) << 32));
            }
        }
        let mut first: FastMap<u64, u32> = FastMap::default();
        let mut weight: Vec<u32> = Vec::new();
        let mut representative: Vec<u32> = Vec::new();
        let mut of_row = vec![0u32; n_rows];
        let same = |a: usize, b: usize| {
            space.axes.iter().all(|axis| axis.column.codes.get(a) == axis.column.codes.get(b))
        };
        for (row, mut hash) in hashes.into_iter().enumerate() {
            // Chance could give two records one number: then the second looks for another.
            let record = loop {
                if !collapse {
                    weight.push(0);
                    representative.push(row as u32);
                    break row as u32;
                }
                let next = weight.len() as u32;
                let record = *first.entry(hash).or_insert(next);
                if record == next {
                    weight.push(0);
                    representative.push(row as u32);
                    break record;
                }
                if same(representative[record as usize] as usize, row) {
                    break record;
                }
                hash = mix(hash);
            };
            weight[record as usize] += 1;
            of_row[row] = record;
        }
        let mut codes = vec![0u32; weight.len() * n_columns];
        for (place, axis) in space.axes.iter().enumerate() {
            for (record, &row) in representative.iter().enumerate() {
                codes[record * n_columns + place] = axis.column.codes.get(row as usize);
            }
        }
        let mut starts = vec![0u32; weight.len() + 1];
        for (record, &w) in weight.iter().enumerate() {
            starts[record + 1] = starts[record] + w;
        }
        let mut next = starts.clone();
        let mut rows = vec![0u32; n_rows];
        for (row, &record) in of_row.iter().enumerate() {
            rows[next[record as usize] as usize] = row as u32;
            next[record as usize] += 1;
        }
        Records { n_columns, codes, weight, starts, rows, of_row }
    }

    /// The number of different records.
    pub fn len(&self) -> usize {
        self.weight.len()
    }
    /// The codes of a record.
    #[inline]
    pub fn codes(&self, record: u32) -> &[u32] {
        let start = record as usize * self.n_columns;
        &self.codes[start..start + self.n_columns]
    }
    /// The rows of a record.
    #[inline]
    pub fn rows(&self, record: u32) -> &[u32] {
        &self.rows[self.starts[record as usize] as usize..self.starts[record as usize + 1] as usize]
    }
    /// All rows of some records.
    pub fn rows_of(&self, records: &[u32]) -> Vec<u32> {
        records.iter().flat_map(|&record| self.rows(record)).copied().collect()
    }
    /// The levels of every column.
    pub fn ladders(&self, space: &Space<'_>) -> Vec<Ladder> {
        let ladder = |(place, axis): (usize, &crate::algorithms::shared::space::Axis<'_>)| {
            let mut counts = vec![0u64; axis.missing as usize + 1];
            for (record, &weight) in self.weight.iter().enumerate() {
                counts[self.codes[record * self.n_columns + place] as usize] += u64::from(weight);
            }
            Ladder::new(place, axis, &counts)
        };
        space.axes.iter().enumerate().map(ladder).collect()
    }
}
