//! Tuples in memory, for tests and for algorithms that were written for larger data.

use sfumato_core::{Error, Result};

use super::tuples::{Batch, Divide, Route, Tuples};

/// The number of tuples in a batch.
const ROWS: usize = 1 << 12;

/// Tuples in memory.
#[derive(Debug, Clone, Default)]
pub struct InMemory {
    /// One list per column.
    pub columns: Vec<Vec<u64>>,
    /// The number of tuples.
    pub n_rows: usize,
}

impl Tuples for InMemory {
    fn n_rows(&self) -> u64 {
        self.n_rows as u64
    }

    fn scan(
        &self,
        wanted: &[usize],
        visit: &mut dyn FnMut(&Batch<'_>) -> Result<()>,
    ) -> Result<()> {
        for first in (0..self.n_rows).step_by(ROWS) {
            let rows = first..(first + ROWS).min(self.n_rows);
            let column = |(place, words): (usize, &Vec<u64>)| match wanted.contains(&place) {
                true => words[rows.clone()].to_vec(),
                false => Vec::new(),
            };
            let columns: Vec<Vec<u64>> = self.columns.iter().enumerate().map(column).collect();
            visit(&Batch { first_row: first as u64, n_rows: rows.len(), columns: &columns })?;
        }
        Ok(())
    }
}

/// Divides tuples into partitions in memory.
#[derive(Debug, Clone, Copy)]
pub struct DivideInMemory {
    n_columns: usize,
}

/// Makes partitions in memory of tuples with `n_columns` columns.
pub fn divide_in_memory(n_columns: usize) -> DivideInMemory {
    DivideInMemory { n_columns }
}

impl Divide for DivideInMemory {
    fn divide(
        &self,
        tuples: &dyn Tuples,
        n_parts: usize,
        route: &mut Route<'_>,
    ) -> Result<Vec<Box<dyn Tuples>>> {
        let empty = InMemory { columns: vec![Vec::new(); self.n_columns], n_rows: 0 };
        let mut parts = vec![empty; n_parts];
        let mut part_of_row = Vec::new();
        let wanted: Vec<usize> = (0..self.n_columns).collect();
        tuples.scan(&wanted, &mut |batch| {
            part_of_row.clear();
            route(batch, &mut part_of_row)?;
            if part_of_row.len() != batch.n_rows
                || part_of_row.iter().any(|part| *part as usize >= n_parts)
            {
                return Err(Error::internal("a tuple has no partition to go to"));
            }
            for (row, part) in part_of_row.iter().enumerate() {
                let part = &mut parts[*part as usize];
                part.n_rows += 1;
                part.columns
                    .iter_mut()
                    .zip(batch.columns)
                    .for_each(|(to, from)| to.push(from[row]));
            }
            Ok(())
        })?;
        Ok(parts.into_iter().map(|part| Box::new(part) as Box<dyn Tuples>).collect())
    }
}
