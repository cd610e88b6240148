//! Reading a table in blocks that stand for themselves: each has the texts of its own rows, so
//! memory doesn't grow with the number of different values in the file.
//!
//! Codes of different blocks have nothing to do with each other. Who needs codes of the whole file
//! uses [`scan`](crate::scan).

use sfumato_core::Result;
use sfumato_core::column::Dictionary;
use sfumato_core::observer::Observer;

use crate::options::ReadOptions;
use crate::scan::{Scanned, Select, Target, dispatch};

/// The cells of one column in one block.
#[derive(Debug, Clone, Copy)]
pub enum LocalCells<'a> {
    /// Texts.
    Texts {
        /// The code of each row, an index into `texts`.
        codes: &'a [u32],
        /// The distinct texts of this block, in the order first seen.
        texts: &'a Dictionary,
        /// The code of null, if the block has one. Its text is empty; an empty text has another
        /// code.
        null: Option<u32>,
    },
    /// Numbers of a typed format that were never texts. Their text is the number in decimal.
    Integers {
        /// The number of each row; of no meaning where it is null.
        values: &'a [i64],
        /// Whether each row is null; `None` if none is.
        is_null: Option<&'a [bool]>,
    },
}

/// Some rows in file order.
#[derive(Debug, Clone, Copy)]
pub struct LocalBlock<'a> {
    /// The number of the first row, from 0.
    pub first_row: u64,
    /// How many rows.
    pub n_rows: usize,
    /// The cells of each selected column.
    pub columns: &'a [LocalCells<'a>],
}

/// Receives the rows of a table.
pub trait LocalSink {
    /// Take the next rows. An error stops the reading.
    fn block(&mut self, block: &LocalBlock<'_>) -> Result<()>;
}

impl<F: FnMut(&LocalBlock<'_>) -> Result<()>> LocalSink for F {
    fn block(&mut self, block: &LocalBlock<'_>) -> Result<()> {
        self(block)
    }
}

/// Read a table in blocks with texts of their own. Memory holds a few blocks, whose size the
/// options decide, and nothing that grows with the file. What comes back has no dictionaries and no
/// codes of null. `-` is standard input.
pub fn scan_local(
    path: &str,
    options: &ReadOptions,
    select: &mut Select<'_>,
    sink: &mut dyn LocalSink,
    observer: &dyn Observer,
) -> Result<Scanned> {
    dispatch(path, options, select, Target::Local(sink), observer)
}
