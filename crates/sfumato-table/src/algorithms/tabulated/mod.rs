//! Algorithms that publish a table of counts or sums, one row for each cell: one file each.
//!
//! The quasi columns span the table. What is published is compared with the original by the
//! algorithm's own rules: `fault` counts again and trusts nothing that was decided.

pub mod cells;

use rand_chacha::ChaCha20Rng;
use sfumato_core::Result;
use sfumato_core::dataset::Table;
use sfumato_core::registry::{self, Info, Params};

/// What is to be counted or added up.
pub struct Tabulating<'a> {
    /// The table as it is.
    pub table: &'a Table,
    /// The key of the randomness by which one row of each person is taken.
    pub people: [u8; 32],
}

/// A table of cells that is to be published.
#[derive(Debug, Clone)]
pub struct Tabulated {
    /// The rows of the file: the values of a cell, and what is published of it.
    pub table: Table,
    /// The noise of each cell, where there is noise.
    pub drawn: Vec<i64>,
    /// The counts with their noise.
    pub noisy: Vec<i64>,
    /// What the report says besides.
    pub details: serde_json::Value,
}

/// An algorithm that publishes a table of cells.
pub trait TabulatingAlgorithm: Sync {
    /// The name, summary and parameters of the algorithm.
    fn info(&self) -> &'static Info;
    /// Make the table.
    fn tabulate(
        &self,
        params: &Params,
        task: &Tabulating<'_>,
        random: &mut ChaCha20Rng,
    ) -> Result<Tabulated>;
    /// What can't come of this algorithm, in words, if such a table was published.
    fn fault(&self, params: &Params, task: &Tabulating<'_>, made: &Tabulated) -> Option<String>;
}

sfumato_core::registry! {
    /// Every algorithm that publishes a table of cells.
    dyn TabulatingAlgorithm:
    dp_histogram::DpHistogram,
    cell_suppression::CellSuppression,
}

/// Find an algorithm by its name. The error for an unknown name hints at similar names.
pub fn find(name: &str) -> Result<&'static dyn TabulatingAlgorithm> {
    registry::find("tabulating-algorithm", ALL, |algorithm| algorithm.info(), name)
}

/// Whether a name is that of a tabulating algorithm.
pub fn is_one(name: &str) -> bool {
    ALL.iter().any(|algorithm| algorithm.info().name == name)
}
