//! The records that are measured: one of each person.

use rand_chacha::ChaCha20Rng;
use rand_chacha::rand_core::Rng as _;
use sfumato_core::dataset::Table;

/// Records as codes of columns, each person once.
pub struct Records {
    /// The codes of each published column.
    pub codes: Vec<Vec<u32>>,
    /// The number of values of each column; missing is one where it occurs.
    pub sizes: Vec<usize>,
    /// The number of records.
    pub n: usize,
}

impl Records {
    /// The published columns of a table. With a subject column, a random row of each person.
    pub fn of(table: &Table, random: &mut ChaCha20Rng) -> Self {
        let rows = Records::rows(table, random);
        let codes: Vec<Vec<u32>> = table
            .published()
            .map(|column| rows.iter().map(|row| column.codes.get(*row as usize)).collect())
            .collect();
        // The list of values is that of the table: it is public, with whether some are missing.
        let size = |column: &sfumato_core::dataset::Column| {
            let missing = column.domain.missing();
            missing as usize + usize::from(column.codes.iter().any(|code| code == missing))
        };
        let sizes = table.published().map(size).collect();
        Records { codes, sizes, n: rows.len() }
    }

    /// The rows that are measured: all, or with a subject column a random one of each person.
    pub fn rows(table: &Table, random: &mut ChaCha20Rng) -> Vec<u32> {
        let mut rows: Vec<u32> = (0..table.n_rows as u32).collect();
        if let Some(subject) = &table.subject {
            let mut keyed: Vec<(u32, u64, u32)> = rows
                .iter()
                .map(|row| (subject.get(*row as usize), random.next_u64(), *row))
                .collect();
            keyed.sort_unstable();
            keyed.dedup_by_key(|(person, _, _)| *person);
            rows = keyed.into_iter().map(|(_, _, row)| row).collect();
            rows.sort_unstable();
        }
        rows
    }

    /// How often each combination of values of some columns occurs; the last column changes
    /// fastest.
    pub fn table(&self, columns: &[usize]) -> Vec<i64> {
        table_of(&self.codes, &self.sizes, columns, self.n)
    }
}

/// How often each combination of values of some columns occurs.
pub fn table_of(codes: &[Vec<u32>], sizes: &[usize], columns: &[usize], n: usize) -> Vec<i64> {
    let mut cells = vec![0usize; n];
    for column in columns {
        let codes = cells.iter_mut().zip(&codes[*column]);
        codes.for_each(|(cell, code)| *cell = *cell * sizes[*column] + *code as usize);
    }
    let mut counts = vec![0i64; columns.iter().map(|column| sizes[*column]).product()];
    cells.iter().for_each(|cell| counts[*cell] += 1);
    counts
}
