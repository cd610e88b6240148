//! Algorithms for baskets: records that are sets of items. An algorithm decides the subset that each record is published as; it
//! applies, verifies and writes nothing.

pub mod bottom_up;

use std::sync::LazyLock;

use sfumato_core::Result;
use sfumato_core::registry;
use sfumato_core::sets::SetAlgorithm;

/// Every algorithm for baskets, in the order of the catalogue.
pub fn all() -> &'static [&'static dyn SetAlgorithm] {
    static ALL: LazyLock<Vec<&'static dyn SetAlgorithm>> = LazyLock::new(|| [bottom_up::ALL].concat());
    &ALL
}

/// The algorithm of a name; the error hints at near names.
pub fn find(name: &str) -> Result<&'static dyn SetAlgorithm> {
    registry::find("algorithm for baskets", all(), |algorithm| algorithm.info(), name)
}
