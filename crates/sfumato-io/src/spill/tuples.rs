//! Records as tuples of 64-bit words, for tables that are too large for memory. Every cell is one
//! number whose order means something, so that a column needs no dictionary, however many different
//! values it has.
//!
//! What a word means is known to the kind whose records they are. Here they are only stored: as
//! spilled partitions or in memory.

use sfumato_core::Result;

/// Some consecutive tuples.
#[derive(Debug, Clone, Copy)]
pub struct Batch<'a> {
    /// The number of the first tuple, from 0.
    pub first_row: u64,
    /// The number of tuples.
    pub n_rows: usize,
    /// One list per column of the frame. Empty for columns that weren't asked for.
    pub columns: &'a [Vec<u64>],
}

/// Tuples that can be read again and again, always in the same order.
pub trait Tuples: Send + Sync {
    /// The number of tuples.
    fn n_rows(&self) -> u64;
    /// Read the wanted columns from the first tuple to the last, batch after batch. An error of
    /// `visit` stops the scan.
    fn scan(&self, wanted: &[usize], visit: &mut dyn FnMut(&Batch<'_>) -> Result<()>)
    -> Result<()>;
    /// The names of the files that hold the tuples, one after the other, so that another run can
    /// find them. Empty if the tuples aren't in files.
    fn names(&self) -> Vec<String> {
        Vec::new()
    }
}

/// Decides to which partition each tuple of a batch goes: one number per row. Batches come in
/// order.
pub type Route<'a> = dyn FnMut(&Batch<'_>, &mut Vec<u32>) -> Result<()> + 'a;

/// Divides tuples into partitions.
pub trait Divide: Sync {
    /// Read all tuples (all columns of the frame) once and write each to its partition, where they
    /// keep their order.
    fn divide(
        &self,
        tuples: &dyn Tuples,
        n_parts: usize,
        route: &mut Route<'_>,
    ) -> Result<Vec<Box<dyn Tuples>>>;
}
