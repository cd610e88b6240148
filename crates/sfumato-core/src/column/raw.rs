//! What a reader hands over: columns of codes with the texts they stand for, before anyone knows
//! their meaning.

use crate::column::{Codes, Dictionary};

/// A column as it was read: each distinct text once, in the order first seen.
#[derive(Debug, Clone)]
pub struct RawColumn {
    /// The column's name.
    pub name: String,
    /// One code per row, an index into `values`.
    pub codes: Codes,
    /// The distinct texts, in the order first seen.
    pub values: Dictionary,
    /// The code that stands for a null of a typed format (Parquet, Arrow, JSON). CSV has none:
    /// which texts mean missing is decided by the job.
    pub null: Option<u32>,
    /// The type in the file, in the words of the Arrow schema (`Int64`, `Utf8`, `Timestamp(...)`);
    /// `None` for formats without types. A column that passes through is written back with it.
    pub native_type: Option<String>,
}

/// Where a table came from.
#[derive(Debug, Clone, Default)]
pub struct Source {
    /// The path as the user gave it, `-` for standard input.
    pub path: String,
    /// The format, as in the registry of readers (`csv`, `parquet`, ...).
    pub format: String,
    /// The compression (`gzip`, `zstd`) if there was one.
    pub compression: Option<String>,
    /// Bytes read, before decompression.
    pub bytes: u64,
    /// SHA-256 of these bytes, in hex.
    pub sha256: String,
    /// The delimiter of a CSV file.
    pub delimiter: Option<u8>,
    /// Whether lines of a CSV file end in CR LF.
    pub crlf: bool,
}

/// A table as it was read. Columns that the caller asked to skip are not there.
#[derive(Debug, Clone)]
pub struct RawTable {
    /// The columns, in file order.
    pub columns: Vec<RawColumn>,
    /// How many rows.
    pub n_rows: usize,
    /// All column names of the file, skipped ones too.
    pub header: Vec<String>,
    /// Where it came from.
    pub source: Source,
}

impl RawTable {
    /// The column of a name.
    pub fn column(&self, name: &str) -> Option<&RawColumn> {
        self.columns.iter().find(|c| c.name == name)
    }
}
