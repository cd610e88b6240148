//! Several partitions as one, when the split between them was undone.

use sfumato_core::Result;
use sfumato_core::tuples::{Batch, Tuples};

/// Tuples that are read one list after the other.
pub struct Chained {
    parts: Vec<Box<dyn Tuples>>,
}

impl Chained {
    /// One partition of several.
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
}

#[cfg(test)]
mod tests {
    use super::*;
    use sfumato_core::tuples::InMemory;

    #[test]
    fn rows_follow_each_other() {
        let part = |words: std::ops::Range<u64>| -> Box<dyn Tuples> {
            Box::new(InMemory { n_rows: words.clone().count(), columns: vec![words.collect()] })
        };
        let chained = Chained::of(vec![part(0..5_000), part(0..0), part(5_000..5_010)]);
        assert_eq!(chained.n_rows(), 5_010);
        let mut seen: Vec<u64> = Vec::new();
        chained
            .scan(&[0], &mut |batch| {
                assert_eq!(batch.first_row, seen.len() as u64);
                seen.extend(&batch.columns[0]);
                Ok(())
            })
            .unwrap();
        assert!(seen.into_iter().eq(0..5_010));
    }
}
