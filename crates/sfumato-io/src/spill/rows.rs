//! Packs tuples for a partition: whole rows of as few bytes as the columns' largest words need.
//!
//! Scattered rows go to one place each, so a row costs a cache line and not one per column. They
//! become columns again when a chunk is full.

use sfumato_core::{Error, Result};

use crate::spill::Batch;

/// The number of rows that are packed together before they are scattered: few enough for the
/// nearest cache.
const TILE: usize = 256;
/// Cells are written and rows are copied in pieces of this size. The bytes behind a row are
/// overwritten by the next row.
const PIECE: usize = 16;

/// The number of bytes that words up to the largest need.
pub fn width_of(largest: u64) -> u8 {
    (8 - largest.leading_zeros() / 8).max(1) as u8
}

/// The places of the cells in a packed row.
#[derive(Debug, Clone)]
pub(super) struct Layout {
    /// The first byte and the width of each column.
    cells: Vec<(usize, u8)>,
    row_bytes: usize,
}

/// The mask of words that fit into `width` bytes.
fn mask(width: u8) -> u64 {
    u64::MAX >> (64 - 8 * u32::from(width))
}

impl Layout {
    pub(super) fn new(widths: &[u8]) -> Result<Self> {
        if widths.iter().any(|width| !(1..=8).contains(width)) {
            return Err(Error::internal("a column of words has between 1 and 8 bytes"));
        }
        let mut row_bytes = 0;
        let place = |width: &u8| {
            let first = row_bytes;
            row_bytes += usize::from(*width);
            (first, *width)
        };
        let cells = widths.iter().map(place).collect();
        Ok(Layout { cells, row_bytes })
    }

    pub(super) fn n_columns(&self) -> usize {
        self.cells.len()
    }
    /// The memory of `n_rows` rows.
    pub(super) fn bytes_of(&self, n_rows: usize) -> usize {
        n_rows * self.row_bytes + PIECE
    }

    /// Pass on the rows of a batch one by one, packed, each with room behind it.
    pub(super) fn pack(
        &self,
        batch: &Batch<'_>,
        tile: &mut Vec<u8>,
        mut each: impl FnMut(usize, &[u8]) -> Result<()>,
    ) -> Result<()> {
        if batch.columns.len() != self.cells.len()
            || batch.columns.iter().any(|c| c.len() != batch.n_rows)
        {
            return Err(Error::internal("a batch of tuples lacks columns"));
        }
        for (words, (_, width)) in batch.columns.iter().zip(&self.cells) {
            if words.iter().fold(0, |all, word| all | word) & !mask(*width) != 0 {
                return Err(Error::internal("a word is larger than its column allows"));
            }
        }
        let stride = self.row_bytes + PIECE;
        tile.resize(TILE * stride, 0);
        for first in (0..batch.n_rows).step_by(TILE) {
            let n = TILE.min(batch.n_rows - first);
            for (words, (at, _)) in batch.columns.iter().zip(&self.cells) {
                // Eight bytes each time: what is too much is overwritten by the next column.
                for (row, word) in tile[*at..].chunks_mut(stride).zip(&words[first..first + n]) {
                    if let Some(cell) = row.first_chunk_mut::<8>() {
                        *cell = word.to_le_bytes();
                    }
                }
            }
            for (row, packed) in tile.chunks_exact(stride).take(n).enumerate() {
                each(first + row, packed)?;
            }
        }
        Ok(())
    }

    /// The words of one column.
    pub(super) fn unpack(&self, rows: &Rows, column: usize, words: &mut Vec<u64>) {
        let (at, width) = self.cells[column];
        let mask = mask(width);
        words.clear();
        let word = |row: usize| {
            let at = row * self.row_bytes + at;
            let mut bytes = [0; 8];
            bytes.copy_from_slice(&rows.bytes[at..at + 8]);
            u64::from_le_bytes(bytes) & mask
        };
        words.extend((0..rows.n_rows).map(word));
    }
}

/// Packed rows that wait to become a chunk.
#[derive(Debug, Default)]
pub(super) struct Rows {
    bytes: Vec<u8>,
    n_rows: usize,
}

impl Rows {
    pub(super) fn n_rows(&self) -> usize {
        self.n_rows
    }
    pub(super) fn clear(&mut self) {
        self.n_rows = 0;
    }
    /// Reserve memory for `n_rows` rows, unless that was done before.
    pub(super) fn allocate(&mut self, layout: &Layout, n_rows: usize) {
        if self.bytes.is_empty() {
            self.bytes = vec![0; layout.bytes_of(n_rows)];
        }
    }

    /// Add a packed row, and return the number of rows.
    #[inline]
    pub(super) fn push(&mut self, layout: &Layout, packed: &[u8]) -> usize {
        let at = self.n_rows * layout.row_bytes;
        let room = layout.row_bytes.next_multiple_of(PIECE);
        for piece in (0..room).step_by(PIECE) {
            self.bytes[at + piece..at + piece + PIECE]
                .copy_from_slice(&packed[piece..piece + PIECE]);
        }
        self.n_rows += 1;
        self.n_rows
    }
}
