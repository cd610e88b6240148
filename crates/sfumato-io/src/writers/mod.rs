//! Writes rows, with one file of code per format. A written file holds the cells of the given rows
//! and nothing else: no unused dictionary values, no statistics, no metadata.

mod columns;
pub(crate) mod ipc;
pub(crate) mod parquet;
mod release;
pub(crate) mod rows;
pub(crate) mod text;

pub use columns::{BETWEEN, LISTS};
pub use release::{ReleaseWriter, write_rows};

use std::ops::Range;

use sfumato_core::column::{Code, Codes, Dictionary};
use sfumato_core::{Result, with_codes};

use crate::format::{Compression, Format, delimiter_of_destination, format_of_destination};

/// The source of a column's codes.
pub trait ColumnSource: Sync {
    /// Append the code of each of the rows.
    fn codes(&self, rows: Range<usize>, out: &mut Vec<u32>);
}

impl ColumnSource for Codes {
    fn codes(&self, rows: Range<usize>, out: &mut Vec<u32>) {
        with_codes!(self, codes => out.extend(codes[rows].iter().map(|code| code.widen())));
    }
}

/// A column to be written.
#[derive(Clone, Copy)]
pub struct WriteColumn<'a> {
    /// The name in the header.
    pub name: &'a str,
    /// The text of each code. Texts of codes that no row has are not written.
    pub values: &'a Dictionary,
    /// The code of null: an empty field in CSV.
    pub null: Option<u32>,
    /// The type to write, as Arrow names it; `None` is text. Every text that is used must be a
    /// value of it.
    pub native_type: Option<&'a str>,
    /// The code of each row.
    pub source: &'a dyn ColumnSource,
}

/// How to write a file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct WriteOptions {
    /// The format.
    pub format: Format,
    /// The compression around a text format. Parquet and Arrow files are always compressed inside.
    pub compression: Option<Compression>,
    /// The delimiter of CSV.
    pub delimiter: u8,
    /// Whether lines of CSV end in CR LF.
    pub crlf: bool,
}

impl WriteOptions {
    /// The options that the extensions of a destination ask for.
    pub fn for_destination(path: &str) -> Result<Self> {
        let (format, compression) = format_of_destination(path)?;
        Ok(WriteOptions {
            format,
            compression,
            delimiter: delimiter_of_destination(path),
            crlf: false,
        })
    }
}

/// Split rows into blocks of at most `size`.
pub(crate) fn blocks(rows: Range<usize>, size: usize) -> impl Iterator<Item = Range<usize>> {
    let end = rows.end;
    rows.step_by(size).map(move |first| first..(first + size).min(end))
}
