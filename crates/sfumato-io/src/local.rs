//! Reads a table in independent blocks: each has the texts of its own rows, so memory doesn't grow
//! with the number of different values in the file.
//!
//! Codes of different blocks are unrelated. Callers that need codes of the whole file use
//! [`scan`](crate::scan).

use sfumato_core::Result;
use sfumato_core::column::Dictionary;
use sfumato_core::observer::Observer;

use crate::options::ReadOptions;
use crate::scan::{Scanned, Select, Target, dispatch};

/// The cells of one column in one block.
#[derive(Debug, Clone, Copy)]
pub enum LocalCells<'a> {
    /// Cells that are texts.
    Texts {
        /// The code of each row, an index into `texts`.
        codes: &'a [u32],
        /// The distinct texts of this block, in the order in which they were first seen.
        texts: &'a Dictionary,
        /// The code of null, if the block has one. Its text is empty; an empty text has another
        /// code.
        null: Option<u32>,
    },
    /// Numbers of a typed format that were never texts. Their text is the number in decimal.
    Integers {
        /// The number of each row. It has no meaning where the row is null.
        values: &'a [i64],
        /// Whether each row is null. `None` if no row is null.
        is_null: Option<&'a [bool]>,
    },
}

/// Some rows in file order.
#[derive(Debug, Clone, Copy)]
pub struct LocalBlock<'a> {
    /// The number of the first row, from 0.
    pub first_row: u64,
    /// The line of the first row in its file, where each row has one line.
    pub first_line: Option<u64>,
    /// The number of rows.
    pub n_rows: usize,
    /// The cells of each selected column.
    pub columns: &'a [LocalCells<'a>],
}

/// Receives the rows of a table.
pub trait LocalSink {
    /// Receive the next rows. An error stops the reading.
    fn block(&mut self, block: &LocalBlock<'_>) -> Result<()>;
}

impl<F: FnMut(&LocalBlock<'_>) -> Result<()>> LocalSink for F {
    fn block(&mut self, block: &LocalBlock<'_>) -> Result<()> {
        self(block)
    }
}

/// Read a table in blocks with texts of their own. Memory holds a few blocks, whose size is an
/// option, and nothing that grows with the file. The result has no dictionaries and no codes of
/// null. The path `-` is standard input.
pub fn scan_local(
    path: &str,
    options: &ReadOptions,
    select: &mut Select<'_>,
    sink: &mut dyn LocalSink,
    observer: &dyn Observer,
) -> Result<Scanned> {
    dispatch(path, options, select, Target::Local(sink), observer)
}
