//! Writes baskets, with one file of code per layout. A written file holds the items of the records
//! and nothing else: no name that no record has (except the columns of a table), and no key except
//! one that the caller gives a record, such as its group.

mod lines;
mod list;
mod long;
mod table;

use sfumato_core::column::Code;
use sfumato_core::observer::{Observer, Unit};
use sfumato_core::transactions::Transactions;
use sfumato_core::{Error, Result, with_sets};

use crate::baskets::BasketLayout;
use crate::format::{Format, of_extensions};
use crate::output::Output;
use crate::writers::WriteOptions;

/// A source of records, in the order in which they are to be written.
pub trait RecordSource: Sync {
    /// Append the codes of a record, ascending.
    fn append(&self, record: usize, codes: &mut Vec<u32>);
    /// The key of the record in the file. Either every record has one, or none. It is written in
    /// layouts that have a place for keys.
    fn key(&self, _: usize) -> Option<u32> {
        None
    }
}

/// Records with a key each.
pub struct Keyed<'a> {
    /// The records.
    pub records: &'a dyn RecordSource,
    /// The key of each record.
    pub keys: &'a [u32],
}

impl RecordSource for Keyed<'_> {
    fn append(&self, record: usize, codes: &mut Vec<u32>) {
        self.records.append(record, codes);
    }
    fn key(&self, record: usize) -> Option<u32> {
        self.keys.get(record).copied()
    }
}

impl<F: Fn(usize, &mut Vec<u32>) + Sync> RecordSource for F {
    fn append(&self, record: usize, codes: &mut Vec<u32>) {
        self(record, codes);
    }
}

impl RecordSource for Transactions {
    fn append(&self, record: usize, codes: &mut Vec<u32>) {
        with_sets!(self, sets => codes.extend(sets.get(record).iter().map(|code| code.widen())));
    }
}

/// How to write baskets.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct BasketWriteOptions {
    /// The format, the compression and the line ends. The layout of lines has no format and no
    /// delimiter.
    pub file: WriteOptions,
    /// Whether lists hold numbers. Then every item must be a number.
    pub numeric: bool,
}

impl BasketWriteOptions {
    /// The options that the extensions of a destination ask for. Lines may be written to a file of
    /// any name.
    pub fn for_destination(path: &str, layout: &BasketLayout) -> Result<Self> {
        let file = match layout {
            BasketLayout::Lines { .. } => WriteOptions {
                format: Format::Csv,
                compression: of_extensions(path).1,
                delimiter: b',',
                crlf: false,
            },
            _ => WriteOptions::for_destination(path)?,
        };
        Ok(BasketWriteOptions { file, numeric: false })
    }
}

/// Write `n_records` records in their order. `names` has the name of each code. The file isn't
/// committed.
pub fn write_baskets(
    out: impl Into<Output>,
    layout: &BasketLayout,
    names: &[String],
    n_records: usize,
    records: &dyn RecordSource,
    options: &BasketWriteOptions,
    observer: &dyn Observer,
) -> Result<Output> {
    layout.check()?;
    let out = out.into();
    observer.begin("write", n_records as u64, Unit::Rows);
    let job = Job { names, n_records, records, options, observer };
    let result = match layout {
        BasketLayout::Lines { separator, .. } => lines::write(out, *separator, &job),
        BasketLayout::Long { .. } if job.is_keyed() => {
            Err(Error::internal("a row for each item has no place for keys of records"))
        }
        BasketLayout::Long { id, item, .. } => long::write(out, id, item, &job),
        BasketLayout::List { column, key } => list::write(out, column, key.as_deref(), &job),
        BasketLayout::Queries { .. } => {
            Err(Error::internal("sets of terms are written as lines, not as a log"))
        }
        BasketLayout::Table { columns, rest, key } => match rest {
            None => table::write(out, columns, key.as_deref(), &job),
            Some(_) => Err(Error::internal("a table is written without knowing all its columns")),
        },
    };
    observer.end();
    let mut out = result?;
    out.flush_all()?;
    Ok(out)
}

/// What to write, and the observer.
pub(crate) struct Job<'a> {
    names: &'a [String],
    n_records: usize,
    records: &'a dyn RecordSource,
    options: &'a BasketWriteOptions,
    observer: &'a dyn Observer,
}

impl Job<'_> {
    /// Whether records have keys.
    fn is_keyed(&self) -> bool {
        self.n_records > 0 && self.records.key(0).is_some()
    }
}
