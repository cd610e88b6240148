//! Algorithms for numbers: one file each, listed once.

use sfumato_core::Result;
use sfumato_core::registry::{self, Info};

/// An algorithm for numbers: it finds the step that all are rounded down to.
pub trait RoundingAlgorithm: Sync {
    /// What it is.
    fn info(&self) -> &'static Info;
    /// A step such that every rounded number stands for at least k.
    fn step(&self, numbers: &[i64], k: u64) -> Result<i64>;
}

sfumato_core::registry! {
    /// Every algorithm for numbers.
    dyn RoundingAlgorithm:
    doubling::Doubling,
}

/// The algorithm of a name; the error hints at near names.
pub fn find(name: &str) -> Result<&'static dyn RoundingAlgorithm> {
    registry::find("toy-algorithm", ALL, |algorithm| algorithm.info(), name)
}
