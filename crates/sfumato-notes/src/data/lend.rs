//! Tables in memory that the readers of tables know by a name.

use std::sync::Arc;

use arrow_array::{ArrayRef, RecordBatch, StringArray};
use sfumato_core::column::RawColumn;
use sfumato_core::{Error, Result};
use sfumato_io::Loan;

/// The text of a cell; empty where it is missing.
pub fn cell(column: &RawColumn, row: usize) -> &str {
    match column.codes.get(row) {
        code if column.null == Some(code) => "",
        code => column.values.get(code),
    }
}

/// A column of a file as a column to be lent.
pub fn lent(column: &RawColumn, rows: usize) -> ArrayRef {
    let text = |row: usize| match column.codes.get(row) {
        code if column.null == Some(code) => None,
        code => Some(column.values.get(code)),
    };
    Arc::new((0..rows).map(text).collect::<StringArray>())
}

/// Lend columns as a table.
pub fn lent_columns(columns: Vec<(String, ArrayRef)>) -> Result<Loan> {
    let batch = RecordBatch::try_from_iter(columns)
        .map_err(|error| Error::internal(format!("a view can't be made: {error}")))?;
    Loan::new(vec![batch])
}
