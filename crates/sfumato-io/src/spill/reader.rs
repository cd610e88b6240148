//! Reads the wanted columns of a spilled partition.

use std::path::Path;

use sfumato_core::Result;
use sfumato_core::memory::Accountant;
use sfumato_core::tuples::Batch;

use super::chunk;
use super::counts::IoCounts;
use super::disk::Window;

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

    /// Visit the wanted columns, a chunk at a time. See [`sfumato_core::tuples::Tuples::scan`].
    pub fn scan(
        &mut self,
        wanted: &[usize],
        visit: &mut dyn FnMut(&Batch<'_>) -> Result<()>,
    ) -> Result<()> {
        let is_wanted: Vec<bool> =
            (0..self.n_columns).map(|column| wanted.contains(&column)).collect();
        let n_wanted = is_wanted.iter().filter(|wanted| **wanted).count();
        let ahead = if n_wanted == self.n_columns { AHEAD } else { AHEAD_OF_SOME };
        self.window.set_ahead(ahead);
        let mut memory = self.accountant.reserve("reading a partition", ahead as u64)?;
        let mut columns = vec![Vec::new(); self.n_columns];
        let (mut parts, mut first_row, mut offset) = (Vec::new(), 0, chunk::HEAD as u64);
        let end = self.window.len() - chunk::END as u64;
        let head_len = chunk::head_len(self.n_columns);
        while offset < end {
            let n_rows = chunk::read_head(self.window.bytes(offset, head_len)?, &mut parts);
            let n_rows =
                n_rows.ok_or_else(|| self.window.damaged("a chunk's head can't be read"))?;
            offset += head_len as u64;
            let longest = parts.iter().map(|part| part.len).max().unwrap_or(0);
            let needed = (ahead + longest + n_wanted * n_rows * 8) as u64;
            if needed > memory.bytes() {
                memory.resize(needed)?;
            }
            for (column, words) in
                columns.iter_mut().enumerate().filter(|(column, _)| is_wanted[*column])
            {
                let part = &parts[column];
                let bytes = self.window.bytes(offset + part.at, part.len)?;
                chunk::decode(part, bytes, n_rows, words)
                    .ok_or_else(|| self.window.damaged("a column's bytes have changed"))?;
            }
            offset += parts.iter().map(|part| part.len as u64).sum::<u64>();
            visit(&Batch { first_row, n_rows, columns: &columns })?;
            first_row += n_rows as u64;
        }
        if offset != end || first_row != self.n_rows {
            return Err(self.window.damaged("it doesn't have the rows it says"));
        }
        Ok(())
    }
}
