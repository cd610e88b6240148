//! Risks that follow from the columns of a table before anything is published: which records are
//! rare by few columns, which columns tell people apart, and how rare a record is where nobody has
//! looked.
//!
//! A table here is a list of columns of codes. Nothing is read and nothing is decided.

pub mod log_linear;
pub mod partition;
pub mod quasi_identifiers;
pub mod suda2;

/// Small random tables, and what agrees on some of their columns.
#[cfg(test)]
pub(crate) mod testing {
    use proptest::prelude::*;
    use sfumato_core::column::Codes;

    /// Rows of few columns with few values.
    pub fn rows(most_columns: usize) -> impl Strategy<Value = Vec<Vec<u8>>> {
        (1..=most_columns)
            .prop_flat_map(|n| prop::collection::vec(prop::collection::vec(0u8..4, n), 1..30))
    }

    /// The columns of some rows.
    pub fn columns(rows: &[Vec<u8>]) -> Vec<Codes> {
        let column = |at: usize| Codes::U8(rows.iter().map(|row| row[at]).collect());
        (0..rows[0].len()).map(column).collect()
    }

    /// How many rows agree with one on the columns of a mask.
    pub fn alike(rows: &[Vec<u8>], row: usize, mask: u32) -> usize {
        let agrees = |other: &&Vec<u8>| {
            (0..other.len()).all(|at| mask >> at & 1 == 0 || other[at] == rows[row][at])
        };
        rows.iter().filter(agrees).count()
    }
}
