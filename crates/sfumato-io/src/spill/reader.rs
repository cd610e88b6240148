//! Reads the wanted columns of a spilled partition.

use std::path::Path;

use sfumato_core::Result;
use sfumato_core::memory::{Accountant, Reservation};

use super::chunk;
use super::counts::IoCounts;
use super::disk::Window;
use crate::spill::Batch;

/// The number of bytes that are read at once if all columns are wanted.
const AHEAD: usize = 1 << 20;
/// The number of bytes that are read at once if columns are skipped: more would often be read in
/// vain.
const AHEAD_OF_SOME: usize = 4 << 10;

/// An open spilled file.
#[derive(Debug)]
pub struct SpillReader<'a> {
    window: Window<'a>,
    accountant: &'a Accountant,
    n_columns: usize,
    n_rows: u64,
}

impl<'a> SpillReader<'a> {
    /// Open a file and check its head and its end. A file that wasn't finished is refused.
    pub fn open(path: &Path, accountant: &'a Accountant, counts: &'a IoCounts) -> Result<Self> {
        let mut window = Window::open(path, 0, counts)?;
        let n_columns = chunk::read_file_head(window.bytes(0, chunk::HEAD)?);
        let n_columns = n_columns.ok_or_else(|| window.damaged("its head can't be read"))?;
        let end = window.len().saturating_sub(chunk::END as u64).max(chunk::HEAD as u64);
        let n_rows = chunk::read_file_end(window.bytes(end, chunk::END)?);
        let n_rows = n_rows.ok_or_else(|| window.damaged("it was never finished"))?;
        Ok(SpillReader { window, accountant, n_columns, n_rows })
    }

    /// The number of rows, as the file states it.
    pub fn n_rows(&self) -> u64 {
        self.n_rows
    }
    /// The number of columns.
    pub fn n_columns(&self) -> usize {
        self.n_columns
    }

    /// Visit the wanted columns, a chunk at a time. See [`crate::spill::Tuples::scan`].
    pub fn scan(
        self,
        wanted: &[usize],
        visit: &mut dyn FnMut(&Batch<'_>) -> Result<()>,
    ) -> Result<()> {
        let mut chunks = self.chunks(wanted)?;
        while let Some(batch) = chunks.next_chunk()? {
            visit(&batch)?;
        }
        Ok(())
    }

    /// The wanted columns, a chunk whenever one is asked for: so that several files can be read
    /// side by side.
    pub fn chunks(mut self, wanted: &[usize]) -> Result<SpillChunks<'a>> {
        let is_wanted: Vec<bool> =
            (0..self.n_columns).map(|column| wanted.contains(&column)).collect();
        let n_wanted = is_wanted.iter().filter(|wanted| **wanted).count();
        let ahead = if n_wanted == self.n_columns { AHEAD } else { AHEAD_OF_SOME };
        self.window.set_ahead(ahead);
        let memory = self.accountant.book("reading a partition", ahead as u64);
        let columns = vec![Vec::new(); self.n_columns];
        let offset = chunk::HEAD as u64;
        Ok(SpillChunks {
            reader: self,
            is_wanted,
            n_wanted,
            ahead,
            memory,
            columns,
            parts: Vec::new(),
            first_row: 0,
            offset,
        })
    }
}

/// The chunks of a spilled file, from the first to the last.
#[derive(Debug)]
pub struct SpillChunks<'a> {
    reader: SpillReader<'a>,
    is_wanted: Vec<bool>,
    n_wanted: usize,
    ahead: usize,
    memory: Reservation,
    columns: Vec<Vec<u64>>,
    parts: Vec<chunk::ColumnBytes>,
    first_row: u64,
    offset: u64,
}

impl SpillChunks<'_> {
    /// The next chunk; `None` behind the last.
    pub fn next_chunk(&mut self) -> Result<Option<Batch<'_>>> {
        let window = &mut self.reader.window;
        let end = window.len() - chunk::END as u64;
        if self.offset >= end {
            return match self.offset == end && self.first_row == self.reader.n_rows {
                true => Ok(None),
                false => Err(window.damaged("it doesn't have the rows it says")),
            };
        }
        let head_len = chunk::head_len(self.reader.n_columns);
        let n_rows = chunk::read_head(window.bytes(self.offset, head_len)?, &mut self.parts);
        let n_rows = n_rows.ok_or_else(|| window.damaged("a chunk's head can't be read"))?;
        self.offset += head_len as u64;
        let longest = self.parts.iter().map(|part| part.len).max().unwrap_or(0);
        let needed = (self.ahead + longest + self.n_wanted * n_rows * 8) as u64;
        if needed > self.memory.bytes() {
            self.memory.rebook(needed);
        }
        for (column, words) in
            self.columns.iter_mut().enumerate().filter(|(column, _)| self.is_wanted[*column])
        {
            let part = &self.parts[column];
            let bytes = window.bytes(self.offset + part.at, part.len)?;
            chunk::decode(part, bytes, n_rows, words)
                .ok_or_else(|| window.damaged("a column's bytes have changed"))?;
        }
        self.offset += self.parts.iter().map(|part| part.len as u64).sum::<u64>();
        let first_row = self.first_row;
        self.first_row += n_rows as u64;
        Ok(Some(Batch { first_row, n_rows, columns: &self.columns }))
    }
}
