//! Cells of some rows as parts of a training column's domain: exact ones of the original, regions
//! of a release.

use sfumato_core::dataset::{Column, Table};
use sfumato_core::recoding::{Recoding, Value};

/// What a cell stands for, in the codes of a training column.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Extent {
    /// The codes `lo..hi`.
    Codes {
        /// The first code of the range.
        lo: u32,
        /// One past the last.
        hi: u32,
    },
    /// An exact number that the training part doesn't have.
    Number(f64),
    /// Missing.
    Missing,
    /// Anything: a suppressed cell, or a word that the training part doesn't have.
    Any,
}

impl Extent {
    /// What a published value stands for.
    pub fn of_value(column: &Column, value: Value) -> Self {
        match value {
            Value::Any => Extent::Any,
            Value::Missing => Extent::Missing,
            value => {
                let codes = value.codes(column);
                Extent::Codes { lo: codes.start, hi: codes.end }
            }
        }
    }
}

/// One column of cells: the distinct ones, and which of them each row has.
#[derive(Debug, Clone, PartialEq)]
pub struct Cells {
    /// The distinct cells.
    pub extents: Vec<Extent>,
    /// For each row an index into `extents`.
    pub of_row: Vec<u32>,
}

impl Cells {
    /// The number of rows.
    pub fn n_rows(&self) -> usize {
        self.of_row.len()
    }

    /// Some rows, in the order given.
    pub fn take(&self, rows: &[u32]) -> Self {
        let of_row = rows.iter().map(|row| self.of_row[*row as usize]).collect();
        Cells { extents: self.extents.clone(), of_row }
    }

    /// The cell of a row.
    pub fn get(&self, row: usize) -> Extent {
        self.extents[self.of_row[row] as usize]
    }
}

/// The cells of the quasi columns of some published rows, in their order.
pub fn published_cells(table: &Table, recoding: &dyn Recoding, kept: &[u32]) -> Vec<Cells> {
    let classes = recoding.class_of_row();
    let cells = |(place, column): (usize, &&Column)| {
        let recoded = recoding.column(place);
        Cells {
            extents: recoded.values.iter().map(|value| Extent::of_value(column, *value)).collect(),
            of_row: kept
                .iter()
                .map(|row| recoded.of_class[classes[*row as usize] as usize])
                .collect(),
        }
    };
    table.quasi().iter().enumerate().map(cells).collect()
}
