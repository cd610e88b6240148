//! What a caller can say about how a file is to be read.

use crate::format::Format;

/// How to read a file. The default guesses everything from the file.
#[derive(Debug, Clone)]
pub struct ReadOptions {
    /// The format; otherwise told from the first bytes, then from the extension.
    pub format: Option<Format>,
    /// The delimiter of a CSV file; otherwise guessed from its first lines.
    pub delimiter: Option<u8>,
    /// Whether the first line of a CSV file names the columns; otherwise it must look as if it did.
    pub header: Option<bool>,
    /// Bytes of text that one worker parses at a time. No result depends on it.
    pub block_bytes: usize,
    /// The longest record of a text file. A quote that is never closed runs into this instead of
    /// into all memory.
    pub max_record_bytes: usize,
    /// Rows of a Parquet or Arrow file that are decoded at a time. No result depends on it.
    pub batch_rows: usize,
    /// Whether the SHA-256 of the bytes is found on the way. A file that is read again needn't be
    /// hashed again.
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
