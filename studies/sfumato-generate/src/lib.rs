//! Synthetic data of a stated shape: one file per kind, each with the distributions it promises.
//!
//! A generator only appends lines (CSV, or baskets) for the rows it is asked for; [`generate`] runs
//! it over blocks in parallel and writes them in order. Nothing here reads data, a clock or a
//! random source other than the seed, so the same parameters and seed give the same bytes on any
//! machine and for any number of threads.

use std::ops::Range;

use sfumato_core::Result;
use sfumato_core::registry::{Info, Params};

mod chances;
mod date;
mod draw;
mod levels;
mod math;
mod run;
mod text;

pub use run::generate;

/// Rows of one block. A block draws from its own random stream, so this number is part of what a
/// seed means.
pub const BLOCK_ROWS: u64 = 65_536;

/// A kind of synthetic data.
pub trait Generator: Sync {
    /// Name, parameters and documentation.
    fn info(&self) -> &'static Info;

    /// What the parameters' own ranges can't express, such as two of them that don't go together.
    fn check(&self, _params: &Params) -> Result<()> {
        Ok(())
    }

    /// The names of the CSV header; none where the lines are baskets and not CSV.
    fn columns(&self, params: &Params) -> Vec<String>;

    /// Append the rows of one block as lines. The range starts at a multiple of [`BLOCK_ROWS`] and
    /// is at most that long; a shorter range gives the first rows of the block.
    fn block(&self, params: &Params, seed: u64, rows: Range<u64>, out: &mut Vec<u8>) -> Result<()>;

    /// Files that go with the data, such as hierarchies or what items are worth: name and text.
    fn companions(&self, _params: &Params) -> Vec<(String, String)> {
        vec![]
    }
}

sfumato_core::registry! {
    /// Every generator, in the order the catalogue shows them.
    dyn Generator: agrawal::Agrawal, census::Census, city::City,
    hospital_notes::HospitalNotes, longtail::Longtail,
    patients::Patients, query_log::QueryLog, quest::Quest, rmat::Rmat
}

/// Find a generator by name.
pub fn find(name: &str) -> Result<&'static dyn Generator> {
    sfumato_core::registry::find("generator", ALL, |entry| entry.info(), name)
}

#[cfg(test)]
mod tests;
