//! Divides the memory of an audit.

use sfumato_core::Result;
use sfumato_engine::exec::for_data;

/// The shares of memory, in bytes.
#[derive(Debug, Clone, Copy)]
pub struct Room {
    /// Everything except the program.
    pub free: u64,
    /// For a run of blocks until its classes are grouped.
    pub run: u64,
    /// For classes that are merged.
    pub classes: u64,
    /// For people that are merged, if there are any.
    pub people: u64,
    /// For values of sensitive columns.
    pub values: u64,
    /// For text that a worker parses at a time.
    pub block_bytes: usize,
    /// The number of rows of a typed file that are decoded at a time.
    pub batch_rows: usize,
}

impl Room {
    /// Divide `memory` bytes.
    pub fn of(memory: u64, with_people: bool) -> Result<Self> {
        let free = for_data(memory)?;
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
