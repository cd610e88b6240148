//! How the memory of an audit is dealt out.

use sfumato_core::{Error, Result};

/// What the program, its threads and its allocator take before anything is read.
const PROGRAM: u64 = 40 << 20;
/// Less than this can't be promised.
const LEAST: u64 = 64 << 20;

/// Who gets how much, in bytes.
#[derive(Debug, Clone, Copy)]
pub struct Room {
    /// All that isn't the program.
    pub free: u64,
    /// A run of blocks until its classes are grouped.
    pub run: u64,
    /// Classes that are brought together.
    pub classes: u64,
    /// People that are brought together, where there are any.
    pub people: u64,
    /// Values of sensitive columns.
    pub values: u64,
    /// Text that a worker parses at a time.
    pub block_bytes: usize,
    /// Rows of a typed file that are decoded at a time.
    pub batch_rows: usize,
}

impl Room {
    /// Deal out so many bytes.
    pub fn of(memory: u64, with_people: bool) -> Result<Self> {
        let Some(free) = memory.checked_sub(PROGRAM).filter(|_| memory >= LEAST) else {
            return Err(Error::params(format!(
                "--memory must be at least {}",
                sfumato_report::numbers::bytes(LEAST)
            )));
        };
        let people = if with_people { free / 5 } else { 0 };
        Ok(Room {
            free,
            run: free / 4,
            classes: free / 2 - people,
            people,
            values: free / 8,
            block_bytes: ((free / 64) as usize).clamp(1 << 18, 4 << 20),
            batch_rows: ((free / 8192) as usize).clamp(1 << 12, 1 << 16),
        })
    }
}
