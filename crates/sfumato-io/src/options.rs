//! Options for reading a file.

use crate::format::Format;

/// How to read a file. By default everything is guessed from the file.
#[derive(Debug, Clone)]
pub struct ReadOptions {
    /// The format. By default it is recognized by the first bytes, or else by the extension.
    pub format: Option<Format>,
    /// The delimiter of a CSV file. By default it is guessed from the first lines.
    pub delimiter: Option<u8>,
    /// Whether the first line of a CSV file names the columns. By default it must look as if it
    /// did.
    pub header: Option<bool>,
    /// How many bytes of text one worker parses at a time. No result depends on it.
    pub block_bytes: usize,
    /// The largest size of a record of a text file in bytes. It keeps a quote that is never closed
    /// from filling the memory.
    pub max_record_bytes: usize,
    /// How many rows of a Parquet or Arrow file are decoded at a time. No result depends on it.
    pub batch_rows: usize,
    /// Whether to compute the SHA-256 hash of the bytes while reading. A file that is read again
    /// needn't be hashed again.
    pub hash: bool,
}

impl Default for ReadOptions {
    fn default() -> Self {
        ReadOptions {
            format: None,
            delimiter: None,
            header: None,
            block_bytes: 4 << 20,
            max_record_bytes: 64 << 20,
            batch_rows: 1 << 16,
            hash: true,
        }
    }
}
