//! Algorithms for numbers: one file each, listed once.

use sfumato_core::Result;
use sfumato_core::registry::{self, Info};

/// An algorithm for numbers: it finds the step that all are rounded down to.
pub trait RoundingAlgorithm: Sync {
    /// The name, summary and parameters of the algorithm.
    fn info(&self) -> &'static Info;
    /// Find a step such that every rounded number stands for at least k records.
    fn step(&self, numbers: &[i64], k: u64) -> Result<i64>;
}

sfumato_core::registry! {
    /// Every algorithm for numbers.
    dyn RoundingAlgorithm:
    doubling::Doubling,
}

/// Find an algorithm by its name. The error for an unknown name hints at similar names.
pub fn find(name: &str) -> Result<&'static dyn RoundingAlgorithm> {
    registry::find("toy-algorithm", ALL, |algorithm| algorithm.info(), name)
}
