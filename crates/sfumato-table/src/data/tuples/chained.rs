//! Several lists of tuples as one list, and one list as several.

use std::sync::Arc;

use sfumato_core::Result;
use sfumato_io::spill::{Batch, Tuples};

/// Tuples of several lists, read one list after the other.
pub struct Chained {
    parts: Vec<Box<dyn Tuples>>,
}

impl Chained {
    /// Chain several lists into one.
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

    fn scan(
        &self,
        wanted: &[usize],
        visit: &mut dyn FnMut(&Batch<'_>) -> Result<()>,
    ) -> Result<()> {
        let mut before = 0;
        for part in &self.parts {
            part.scan(wanted, &mut |batch| {
                visit(&Batch { first_row: before + batch.first_row, ..*batch })
            })?;
            before += part.n_rows();
        }
        Ok(())
    }

    fn names(&self) -> Vec<String> {
        self.parts.iter().flat_map(|part| part.names()).collect()
    }
}

/// Every `of`-th tuple of a list. Such slices keep as little of its order as possible.
pub struct Sliced {
    /// The list that is sliced.
    pub tuples: Arc<dyn Tuples>,
    /// The number of the slice, from 0.
    pub which: u64,
    /// The number of slices.
    pub of: u64,
}

impl Tuples for Sliced {
    fn n_rows(&self) -> u64 {
        self.tuples.n_rows().saturating_sub(self.which).div_ceil(self.of)
    }

    fn scan(
        &self,
        wanted: &[usize],
        visit: &mut dyn FnMut(&Batch<'_>) -> Result<()>,
    ) -> Result<()> {
        let mut columns: Vec<Vec<u64>> = Vec::new();
        let mut first_row = 0;
        self.tuples.scan(wanted, &mut |batch| {
            // The first row of the batch that is one of the slice.
            let skipped = (self.which + self.of - batch.first_row % self.of) % self.of;
            let n_rows = (batch.n_rows as u64).saturating_sub(skipped).div_ceil(self.of) as usize;
            columns.resize_with(batch.columns.len(), Vec::new);
            for (words, all) in columns.iter_mut().zip(batch.columns) {
                words.clear();
                words.extend(all.iter().skip(skipped as usize).step_by(self.of as usize));
            }
            first_row += n_rows as u64;
            match n_rows {
                0 => Ok(()),
                _ => visit(&Batch {
                    first_row: first_row - n_rows as u64,
                    n_rows,
                    columns: &columns,
                }),
            }
        })
    }

    fn names(&self) -> Vec<String> {
        self.tuples.names()
    }
}

#[cfg(test)]
mod tests {
    use std::ops::Range;

    use super::*;
    use sfumato_io::spill::InMemory;

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
        let all: Arc<dyn Tuples> = Arc::from(part(0..9_001));
        for of in [1, 2, 3, 7, 5_000, 9_001, 20_000] {
            for which in [0, 1 % of, of / 2, of - 1] {
                let sliced = Sliced { tuples: Arc::clone(&all), which, of };
                assert!(
                    words(&sliced).into_iter().eq((0..9_001).filter(|word| word % of == which))
                );
            }
        }
    }
}
