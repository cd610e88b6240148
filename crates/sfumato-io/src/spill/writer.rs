//! Writes a spilled partition: rows are collected until a chunk is full, and chunks until a block
//! is full.

use sfumato_core::memory::Reservation;
use sfumato_core::{Error, Result};

use super::chunk;
use super::disk::{Appender, BLOCK};
use super::folder::SpillFolder;
use super::partition::SpillTuples;
use super::rows::{Layout, Rows};
use crate::spill::Batch;

/// The buffers that encoding needs besides the rows, one for each thread that encodes.
#[derive(Debug, Default)]
pub(super) struct Scratch {
    words: Vec<u64>,
    bytes: Vec<u8>,
}

impl Scratch {
    /// The memory that chunks of `n_rows` rows need.
    pub(super) fn bytes_of(layout: &Layout, n_rows: usize) -> usize {
        // A word of three bytes becomes one of four, one of five to seven bytes becomes one of
        // eight: less than twice as many.
        n_rows * 8 + 2 * layout.bytes_of(n_rows) + chunk::head_len(layout.n_columns())
    }
}

/// A file of chunks.
#[derive(Debug)]
pub(super) struct ChunkFile {
    folder: SpillFolder,
    appender: Appender,
    n_columns: usize,
    n_rows: u64,
}

impl ChunkFile {
    pub(super) fn create(folder: &SpillFolder, n_columns: usize) -> Result<Self> {
        if n_columns > chunk::MOST_COLUMNS {
            return Err(Error::unsupported(format!("{n_columns} columns are too many to spill")));
        }
        let mut appender = Appender::create(folder, "part")?;
        appender.append(&chunk::file_head(n_columns))?;
        Ok(ChunkFile { folder: folder.clone(), appender, n_columns, n_rows: 0 })
    }

    /// Add rows as one chunk.
    pub(super) fn put(
        &mut self,
        layout: &Layout,
        rows: &Rows,
        scratch: &mut Scratch,
    ) -> Result<()> {
        if rows.n_rows() == 0 {
            return Ok(());
        }
        let Scratch { words, bytes } = scratch;
        bytes.clear();
        let fill = |column: usize, words: &mut Vec<u64>| layout.unpack(rows, column, words);
        chunk::encode(rows.n_rows(), self.n_columns, fill, words, bytes);
        self.n_rows += rows.n_rows() as u64;
        self.appender.append(bytes)
    }

    /// Write the number of rows, which completes the file.
    pub(super) fn finish(mut self, sync: bool) -> Result<SpillTuples> {
        self.appender.append(&chunk::file_end(self.n_rows))?;
        let path = self.appender.finish(sync)?;
        Ok(SpillTuples::new(self.folder, path, self.n_columns, self.n_rows))
    }
}

/// Writes tuples into one spilled file, in their order. The file is removed when dropped, unless it
/// was finished.
#[derive(Debug)]
pub struct SpillWriter {
    file: ChunkFile,
    layout: Layout,
    rows: Rows,
    rows_per_chunk: usize,
    tile: Vec<u8>,
    scratch: Scratch,
    _memory: Reservation,
}

impl SpillWriter {
    /// Create a new file in the folder. `widths` are the bytes of the words of each column (see
    /// [`super::width_of`]).
    pub fn create(folder: &SpillFolder, widths: &[u8], rows_per_chunk: usize) -> Result<Self> {
        let layout = Layout::new(widths)?;
        let rows_per_chunk = rows_per_chunk.clamp(1, chunk::MOST_ROWS);
        let bytes =
            layout.bytes_of(rows_per_chunk) + Scratch::bytes_of(&layout, rows_per_chunk) + BLOCK;
        let memory = folder.accountant().plan("writing a partition", bytes as u64)?;
        let file = ChunkFile::create(folder, layout.n_columns())?;
        let mut rows = Rows::default();
        rows.allocate(&layout, rows_per_chunk);
        let (tile, scratch) = (Vec::new(), Scratch::default());
        Ok(SpillWriter { file, layout, rows, rows_per_chunk, tile, scratch, _memory: memory })
    }

    /// The path of the file.
    pub fn path(&self) -> &std::path::Path {
        self.file.appender.path()
    }

    /// Add all tuples of a batch.
    pub fn push(&mut self, batch: &Batch<'_>) -> Result<()> {
        let SpillWriter { file, layout, rows, rows_per_chunk, tile, scratch, .. } = self;
        layout.pack(batch, tile, |_, packed| {
            if rows.push(layout, packed) == *rows_per_chunk {
                file.put(layout, rows, scratch)?;
                rows.clear();
            }
            Ok(())
        })
    }

    /// Write the rest. With `sync` it outlasts a crash, because a manifest will name it.
    pub fn finish(mut self, sync: bool) -> Result<SpillTuples> {
        self.file.put(&self.layout, &self.rows, &mut self.scratch)?;
        self.file.finish(sync)
    }
}
