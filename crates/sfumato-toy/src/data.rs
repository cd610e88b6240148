//! Numbers as they are read.

use std::path::Path;

use sfumato_core::{Error, Result};
use sfumato_io::{sha256_hex, steps};

/// The numbers of a file, with the size and the hash of the file.
#[derive(Debug, Clone, PartialEq)]
pub struct Loaded {
    /// The numbers, in the order of the file.
    pub numbers: Vec<i64>,
    /// The size of the file in bytes.
    pub bytes: u64,
    /// The SHA-256 hash of the file.
    pub sha256: String,
}

/// Read a file with a number on each line.
pub fn read(path: &str) -> Result<Loaded> {
    let bytes = steps::read(Path::new(path))
        .map_err(|source| Error::io(Path::new(path), "read", &source))?;
    let text = String::from_utf8_lossy(&bytes);
    let number = |(line, text): (usize, &str)| {
        text.trim().parse::<i64>().map_err(|_| {
            Error::input("this isn't a whole number")
                .in_file(path)
                .at_line(line as u64 + 1)
                .hint("a file of numbers has one on each line")
        })
    };
    let numbers = text.lines().enumerate().map(number).collect::<Result<Vec<_>>>()?;
    if numbers.is_empty() {
        return Err(Error::input("the file has no records").in_file(path));
    }
    Ok(Loaded { numbers, bytes: bytes.len() as u64, sha256: sha256_hex(&bytes) })
}
