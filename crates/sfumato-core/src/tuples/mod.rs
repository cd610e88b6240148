//! Records as words: what is left of a table when it is too large to hold. Every cell is one 64-bit
//! number whose order means something, so that a column of any number of different values needs no
//! dictionary.
//!
//! Core says what tuples look like; where they lie (a file that is read again, spilled partitions,
//! memory) is decided elsewhere.

mod axis;
mod chained;
mod frame;
mod memory;

pub use axis::Axis;
pub use chained::{Chained, Sliced};
pub use frame::{Cells, Frame, Loaded, TupleColumn};
pub use memory::{InMemory, divide_in_memory};

use crate::error::Result;

/// Some consecutive tuples.
#[derive(Debug, Clone, Copy)]
pub struct Batch<'a> {
    /// The number of the first, from 0.
    pub first_row: u64,
    /// How many.
    pub n_rows: usize,
    /// One list per column of the frame; empty for columns that nobody asked for.
    pub columns: &'a [Vec<u64>],
}

/// Tuples that can be read again and again, always in the same order.
pub trait Tuples: Send + Sync {
    /// How many.
    fn n_rows(&self) -> u64;
    /// Read the wanted columns from the first tuple to the last, batch after batch. An error of
    /// `visit` stops it.
    fn scan(&self, wanted: &[usize], visit: &mut dyn FnMut(&Batch<'_>) -> Result<()>)
    -> Result<()>;
    /// The names of the files they lie in, one after the other, so that another run can find them;
    /// none where they lie elsewhere.
    fn names(&self) -> Vec<String> {
        Vec::new()
    }
}

/// Says to which partition each tuple of a batch goes: one number per row. Batches come in order.
pub type Route<'a> = dyn FnMut(&Batch<'_>, &mut Vec<u32>) -> Result<()> + 'a;

/// Makes partitions.
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
