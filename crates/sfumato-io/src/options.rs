//! Options for reading a file.

use sfumato_core::dataset::Written;
use sfumato_core::memory::Accountant;

use crate::encoding::Encoding;
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
    /// The character encoding of a text file. By default it is UTF-8, unless a byte order mark says
    /// that it is UTF-16.
    pub encoding: Option<Encoding>,
    /// How columns write their dates or numbers, where that isn't the plain form.
    pub written: Vec<(String, Written)>,
    /// Texts that mean missing: they stay what they are however their column is written.
    pub missing: Vec<String>,
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
    /// Who is told how much memory blocks take that are read and wait to be received. By default
    /// nobody has a limit.
    pub memory: Accountant,
}

impl Default for ReadOptions {
    fn default() -> Self {
        ReadOptions {
            format: None,
            delimiter: None,
            header: None,
            encoding: None,
            written: Vec::new(),
            missing: Vec::new(),
            block_bytes: 4 << 20,
            max_record_bytes: 64 << 20,
            batch_rows: 1 << 16,
            hash: true,
            memory: Accountant::default(),
        }
    }
}
