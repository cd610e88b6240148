//! Reads the records of a bucket, one after the other.

use std::path::Path;

use sfumato_core::Result;
use sfumato_core::memory::{Accountant, Reservation};

use super::counts::IoCounts;
use super::disk::{BLOCK, Window};
use super::runs::{HEAD, MAGIC, sum_of};

/// The records of a bucket. The checksum of each block is checked before its first record is
/// returned.
#[derive(Debug)]
pub struct RunReader<'a> {
    window: Window<'a>,
    memory: Reservation,
    n_records: u64,
    /// How many records were returned, and how many all blocks so far have.
    n_seen: u64,
    n_promised: u64,
    /// The first byte of the next block.
    offset: u64,
    block: Vec<u8>,
    at: usize,
}

/// The length, the number of records and the checksum of a block.
fn numbers(head: &[u8]) -> (u32, u64, u32) {
    let number =
        |bytes: &[u8]| bytes.iter().rev().fold(0u64, |all, byte| all << 8 | u64::from(*byte));
    (number(&head[..4]) as u32, number(&head[4..12]), number(&head[12..HEAD]) as u32)
}

impl<'a> RunReader<'a> {
    /// Open a file and check its beginning and its end. A file that wasn't finished is refused.
    pub fn open(path: &Path, accountant: &'a Accountant, counts: &'a IoCounts) -> Result<Self> {
        let memory = accountant.book("reading records", 2 * BLOCK as u64);
        let mut window = Window::open(path, 0, counts)?;
        if window.bytes(0, MAGIC.len())? != MAGIC {
            return Err(window.damaged("its head can't be read"));
        }
        let end = window.len().saturating_sub(HEAD as u64).max(MAGIC.len() as u64);
        let (len, n_records, sum) = numbers(window.bytes(end, HEAD)?);
        if len != 0 || sum != sum_of(len, n_records, &[]) {
            return Err(window.damaged("it was never finished"));
        }
        window.set_ahead(BLOCK);
        let offset = MAGIC.len() as u64;
        Ok(RunReader {
            window,
            memory,
            n_records,
            n_seen: 0,
            n_promised: 0,
            offset,
            block: Vec::new(),
            at: 0,
        })
    }

    /// The number of records, as the file states it.
    pub fn n_records(&self) -> u64 {
        self.n_records
    }

    /// The next record. `None` after the last.
    pub fn next_record(&mut self) -> Result<Option<&[u8]>> {
        if self.at == self.block.len() && !self.next_block()? {
            return Ok(None);
        }
        let broken = "a record's length can't be read";
        let (mut len, mut shift) = (0u64, 0);
        loop {
            let byte = *self.block.get(self.at).ok_or_else(|| self.window.damaged(broken))?;
            self.at += 1;
            len |= u64::from(byte & 0x7F) << shift;
            if byte < 0x80 {
                break;
            }
            shift += 7;
            if shift > 56 {
                return Err(self.window.damaged(broken));
            }
        }
        let first = self.at;
        if len > (self.block.len() - first) as u64 {
            return Err(self.window.damaged(broken));
        }
        self.at += len as usize;
        self.n_seen += 1;
        Ok(Some(&self.block[first..self.at]))
    }

    fn next_block(&mut self) -> Result<bool> {
        let end = self.window.len() - HEAD as u64;
        if self.n_seen != self.n_promised || (self.offset == end && self.n_seen != self.n_records) {
            return Err(self.window.damaged("it doesn't have the records it says"));
        }
        if self.offset == end {
            return Ok(false);
        }
        let (len, n_here, sum) = numbers(self.window.bytes(self.offset, HEAD)?);
        let first = self.offset + HEAD as u64;
        if len == 0 || first + u64::from(len) > end {
            return Err(self.window.damaged("a block's head can't be read"));
        }
        let needed = 2 * BLOCK.max(len as usize) as u64;
        if needed > self.memory.bytes() {
            self.memory.rebook(needed);
        }
        let bytes = self.window.bytes(first, len as usize)?;
        let is_sound = sum == sum_of(len, n_here, bytes);
        self.block.clear();
        if is_sound {
            self.block.extend_from_slice(bytes);
        }
        self.at = 0;
        if !is_sound {
            return Err(self.window.damaged("a block's bytes have changed"));
        }
        self.offset = first + u64::from(len);
        self.n_promised = self.n_promised.saturating_add(n_here);
        Ok(true)
    }
}
