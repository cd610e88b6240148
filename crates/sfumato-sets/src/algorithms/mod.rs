//! Algorithms for baskets: each decides, for every record, which subset of its items is published.
//!
//! Nothing here reads or writes files, or verifies: the engine does, with code of its own.

pub mod bottom_up;
pub mod buckets;
pub mod generalization;
pub mod nonreciprocal;
pub mod randomization;
pub mod shared;
pub mod suppression;
pub mod top_down;

use std::sync::LazyLock;

use sfumato_core::Result;
use sfumato_core::registry;

use crate::traits::SetAlgorithm;

/// Every algorithm for baskets, in the order of the catalogue.
pub fn all() -> &'static [&'static dyn SetAlgorithm] {
    static ALL: LazyLock<Vec<&'static dyn SetAlgorithm>> =
        LazyLock::new(|| [top_down::ALL, bottom_up::ALL, suppression::ALL].concat());
    &ALL
}

/// Find an algorithm by its name. The error for an unknown name hints at similar names.
pub fn find(name: &str) -> Result<&'static dyn SetAlgorithm> {
    registry::find("set-algorithm", all(), |algorithm| algorithm.info(), name)
}
