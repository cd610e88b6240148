//! Reads a draft of perturbed values back: every cell must be the one that was drawn, or that of
//! the original if nothing was drawn.

use std::path::Path;

use sfumato_core::dataset::{Role, Table};
use sfumato_core::facts::{ClassFacts, Facts};
use sfumato_core::group::{ClassTable, Guarantee, evaluate_with};
use sfumato_core::observer::{Observer, Renamed};
use sfumato_core::traits::{ClassSizes, Requirements};
use sfumato_core::{ErrorKind, Result};
use sfumato_engine::threads::at_once;
use sfumato_engine::verify::failed_verification;
use sfumato_io::{Block, BlockSink, ReadOptions, scan};
use sfumato_report::Classes;

use crate::data::class_index::ClassIndex;
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
    /// The classes of rows that say the same in all quasi columns, as figures.
    pub classes: Classes,
    /// The same with their summaries, where a model asks for them.
    groups: Option<ClassTable>,
}

impl Facts for ReadValues {
    fn release(&self) -> &'static str {
        "a table of perturbed values"
    }
    fn classes(&self) -> Option<&dyn ClassFacts> {
        self.groups.as_ref().map(|_| self as &dyn ClassFacts)
    }
}

impl ClassFacts for ReadValues {
    fn evaluate(&self, requirements: &Requirements) -> Result<Vec<Guarantee>> {
        match &self.groups {
            Some(groups) => Ok(evaluate_with(requirements, groups, &at_once)),
            None => Err(failed_verification("the classes of the file weren't counted")),
        }
    }
}

/// Compare a file with the table that was to be written.
pub fn read_back(
    table: &Table,
    (path, layout): (&Path, &Layout),
    promises: &Requirements,
    observer: &dyn Observer,
) -> Result<ReadValues> {
    let columns: Vec<_> = table.published().collect();
    let expected: Vec<&str> = columns.iter().map(|column| column.name.as_str()).collect();
    let mut cells = Cells {
        checks: columns.iter().map(|column| CellCheck::new(column)).collect(),
        n_rows: layout.n_rows,
        quasi: (0..columns.len()).filter(|place| columns[*place].role == Role::Quasi).collect(),
        index: ClassIndex::new(table.quasi().len()),
        class_of_row: Vec::new(),
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
    let scanned = scanned.map_err(|error| match error.kind {
        ErrorKind::Input => {
            failed_verification(&format!("the release can't be read back: {}", error.message))
        }
        _ => error,
    })?;
    if scanned.n_rows != layout.n_rows {
        return Err(failed_verification(&format!(
            "{} rows were written, {} read back",
            layout.n_rows, scanned.n_rows
        )));
    }
    let sizes = ClassSizes::from_sizes(cells.index.sizes.iter().copied());
    let classes = Classes::from_sizes(sizes.iter());
    // Columns that aren't quasi are those of the original, cell by cell, and so are their codes.
    let groups =
        promises.iter().next().is_some().then(|| {
            cells.index.into_class_table(Some((&cells.class_of_row, &promises.tally(table))))
        });
    Ok(ReadValues {
        classes,
        groups,
        rows: scanned.n_rows as u64,
        cells: (scanned.n_rows * columns.len()) as u64,
        sha256: scanned.source.sha256,
        bytes: scanned.source.bytes,
    })
}

struct Cells<'a> {
    checks: Vec<CellCheck<'a>>,
    n_rows: usize,
    /// The places of quasi columns in the file.
    quasi: Vec<usize>,
    index: ClassIndex,
    class_of_row: Vec<u32>,
}

impl BlockSink for Cells<'_> {
    fn block(&mut self, block: &Block<'_>) -> Result<()> {
        let first = block.first_row as usize;
        if first + block.n_rows > self.n_rows {
            return Err(failed_verification("the file has more rows than were published"));
        }
        let quasi: Vec<&[u32]> = self.quasi.iter().map(|c| block.columns[*c].as_slice()).collect();
        self.index.add(&quasi, block.n_rows, Some(&mut self.class_of_row));
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
