//! Several lists of tuples as one, and one as several.

use std::ops::Range;
use std::sync::Arc;

use crate::error::Result;
use crate::tuples::{Batch, Tuples};

/// Tuples that are read one list after the other.
pub struct Chained {
    parts: Vec<Box<dyn Tuples>>,
}

impl Chained {
    /// One list of several.
    pub fn of(mut parts: Vec<Box<dyn Tuples>>) -> Box<dyn Tuples> {
        match parts.len() {
            1 => parts.remove(0),
            _ => Box::new(Chained { parts }),
        }
    }
}

impl Tuples for Chained {
    fn n_rows(&self) -> u64 {
        self.parts.iter().map(|part| part.n_rows()).sum()
    }

    fn scan(&self, wanted: &[usize], visit: &mut dyn FnMut(&Batch<'_>) -> Result<()>) -> Result<()> {
        let mut before = 0;
        for part in &self.parts {
            part.scan(wanted, &mut |batch| visit(&Batch { first_row: before + batch.first_row, ..*batch }))?;
            before += part.n_rows();
        }
        Ok(())
    }

    fn names(&self) -> Vec<String> {
        self.parts.iter().flat_map(|part| part.names()).collect()
    }
}

/// Some consecutive tuples of a list.
pub struct Sliced {
    /// The list.
    pub tuples: Arc<dyn Tuples>,
    /// Which of them.
    pub rows: Range<u64>,
}

impl Tuples for Sliced {
    fn n_rows(&self) -> u64 {
        self.rows.end - self.rows.start
    }

    fn scan(&self, wanted: &[usize], visit: &mut dyn FnMut(&Batch<'_>) -> Result<()>) -> Result<()> {
        let mut columns: Vec<Vec<u64>> = Vec::new();
        self.tuples.scan(wanted, &mut |batch| {
            let rows = batch.first_row..batch.first_row + batch.n_rows as u64;
            let (first, end) = (rows.start.max(self.rows.start), rows.end.min(self.rows.end));
            if first >= end {
                return Ok(());
            }
            let inside = (first - rows.start) as usize..(end - rows.start) as usize;
            columns.resize_with(batch.columns.len(), Vec::new);
            for (words, all) in columns.iter_mut().zip(batch.columns) {
                words.clear();
                words.extend_from_slice(all.get(inside.clone()).unwrap_or_default());
            }
            visit(&Batch { first_row: first - self.rows.start, n_rows: inside.len(), columns: &columns })
        })
    }

    fn names(&self) -> Vec<String> {
        self.tuples.names()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tuples::InMemory;

    fn part(words: Range<u64>) -> Box<dyn Tuples> {
        Box::new(InMemory { n_rows: words.clone().count(), columns: vec![words.collect()] })
    }

    fn words(tuples: &dyn Tuples) -> Vec<u64> {
        let mut seen: Vec<u64> = Vec::new();
        let scanned = tuples.scan(&[0], &mut |batch| {
            assert_eq!(batch.first_row, seen.len() as u64);
            seen.extend(&batch.columns[0]);
            Ok(())
        });
        scanned.unwrap();
        assert_eq!(seen.len() as u64, tuples.n_rows());
        seen
    }

    #[test]
    fn rows_follow_each_other() {
        let chained = Chained::of(vec![part(0..5_000), part(0..0), part(5_000..5_010)]);
        assert!(words(chained.as_ref()).into_iter().eq(0..5_010));
    }

    #[test]
    fn slices_make_the_whole() {
        let all: Arc<dyn Tuples> = Arc::from(part(0..9_000));
        for rows in [0..9_000, 0..1, 4_000..4_200, 4_095..8_999, 9_000..9_000] {
            let sliced = Sliced { tuples: Arc::clone(&all), rows: rows.clone() };
            assert!(words(&sliced).into_iter().eq(rows));
        }
    }
}
