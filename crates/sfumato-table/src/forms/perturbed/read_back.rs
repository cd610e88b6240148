//! Reads a draft of perturbed values back: every cell must be the one that was drawn, or that of
//! the original if nothing was drawn.

use std::path::Path;

use sfumato_core::Result;
use sfumato_core::dataset::Table;
use sfumato_core::facts::Facts;
use sfumato_core::observer::{Observer, Renamed};
use sfumato_engine::verify::{cant_read_back, failed_verification};
use sfumato_io::{Block, BlockSink, ReadOptions, scan};

use crate::forms::buckets::CellCheck;
use crate::forms::generalized::apply::Layout;

/// What the bytes of a draft say.
pub struct ReadValues {
    /// The number of rows.
    pub rows: u64,
    /// The number of compared cells.
    pub cells: u64,
    /// The SHA-256 hash of the file.
    pub sha256: String,
    /// The number of bytes of the file.
    pub bytes: u64,
}

impl Facts for ReadValues {
    fn release(&self) -> &'static str {
        "a table of perturbed values"
    }
}

/// Compare a file with the table that was to be written.
pub fn read_back(
    table: &Table,
    (path, layout): (&Path, &Layout),
    observer: &dyn Observer,
) -> Result<ReadValues> {
    let columns: Vec<_> = table.published().collect();
    let expected: Vec<&str> = columns.iter().map(|column| column.name.as_str()).collect();
    let mut cells = Cells {
        checks: columns.iter().map(|column| CellCheck::new(column)).collect(),
        n_rows: layout.n_rows,
    };
    let options = ReadOptions {
        format: Some(layout.options.format),
        delimiter: Some(layout.options.delimiter),
        header: Some(true),
        ..ReadOptions::default()
    };
    let mut select = |header: &[String]| match header == expected {
        true => Ok(vec![true; header.len()]),
        false => Err(failed_verification("the columns of the release aren't those of the job")),
    };
    let observer = &Renamed { step: "verify", inner: observer };
    let path = path.display().to_string();
    let scanned = scan(&path, &options, &mut select, &mut cells, observer);
    let scanned = scanned.map_err(cant_read_back)?;
    if scanned.n_rows != layout.n_rows {
        return Err(failed_verification(&format!(
            "{} rows were written, {} read back",
            layout.n_rows, scanned.n_rows
        )));
    }
    Ok(ReadValues {
        rows: scanned.n_rows as u64,
        cells: (scanned.n_rows * columns.len()) as u64,
        sha256: scanned.source.sha256,
        bytes: scanned.source.bytes,
    })
}

struct Cells<'a> {
    checks: Vec<CellCheck<'a>>,
    n_rows: usize,
}

impl BlockSink for Cells<'_> {
    fn block(&mut self, block: &Block<'_>) -> Result<()> {
        let first = block.first_row as usize;
        if first + block.n_rows > self.n_rows {
            return Err(failed_verification("the file has more rows than were published"));
        }
        for (place, check) in self.checks.iter_mut().enumerate() {
            check.learn(&block.dictionaries[place], block.nulls[place]);
            if let Some(row) = check.first_other(&block.columns[place], first) {
                return Err(failed_verification(&format!(
                    "the cell of row {} in column '{}' isn't the one that was drawn",
                    first + row + 1,
                    check.name()
                )));
            }
        }
        Ok(())
    }
}
