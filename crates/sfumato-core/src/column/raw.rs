//! The output of a reader: columns of codes with their texts, before their meaning is known.

use crate::column::{Codes, Dictionary};

/// A column as it was read: each distinct text once, in the order in which it was first seen.
#[derive(Debug, Clone)]
pub struct RawColumn {
    /// The column's name.
    pub name: String,
    /// One code per row, an index into `values`.
    pub codes: Codes,
    /// The distinct texts, in the order in which they were first seen.
    pub values: Dictionary,
    /// The code that stands for a null of a typed format (Parquet, Arrow, JSON). CSV has none:
    /// which texts mean missing is decided by the job.
    pub null: Option<u32>,
    /// The type in the file, in the words of the Arrow schema (`Int64`, `Utf8`, `Timestamp(...)`);
    /// `None` for formats without types. A column that passes through is written back with it.
    pub native_type: Option<String>,
}

/// The file that a table was read from.
#[derive(Debug, Clone, Default)]
pub struct Provenance {
    /// The path as the user gave it, `-` for standard input.
    pub path: String,
    /// The format, as in the registry of readers (`csv`, `parquet`, ...).
    pub format: String,
    /// The compression (`gzip`, `zstd`), if there was one.
    pub compression: Option<String>,
    /// The number of bytes read, before decompression.
    pub bytes: u64,
    /// The SHA-256 hash of these bytes, in hexadecimal.
    pub sha256: String,
    /// The delimiter of a CSV file.
    pub delimiter: Option<u8>,
    /// Whether lines of a CSV file end in CR LF.
    pub crlf: bool,
    /// The character encoding of a text file, unless it is UTF-8.
    pub encoding: Option<String>,
}

/// A table as it was read. Columns that the caller asked to skip are not there.
#[derive(Debug, Clone)]
pub struct RawTable {
    /// The columns, in file order.
    pub columns: Vec<RawColumn>,
    /// The number of rows.
    pub n_rows: usize,
    /// The names of all columns of the file, also of those that were skipped.
    pub header: Vec<String>,
    /// The file that the table was read from.
    pub source: Provenance,
}

impl RawTable {
    /// The column with a name.
    pub fn column(&self, name: &str) -> Option<&RawColumn> {
        self.columns.iter().find(|c| c.name == name)
    }
}
