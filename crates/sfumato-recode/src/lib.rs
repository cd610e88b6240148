//! Anonymization algorithms: one file or folder each. An algorithm takes an encoded table and requirements it knows
//! nothing about, and decides which records are published alike and how.
//!
//! Nothing here reads or writes files, applies a recoding or verifies it: the engine does, with code of its own.

pub mod nonreciprocal;
pub mod sets;
pub mod table;

pub use table::local::rothko;

use std::sync::LazyLock;

use sfumato_core::Result;
use sfumato_core::registry;
use sfumato_core::traits::Algorithm;

/// Every algorithm, in the order of the catalogue.
pub fn all() -> &'static [&'static dyn Algorithm] {
    static ALL: LazyLock<Vec<&'static dyn Algorithm>> = LazyLock::new(|| {
        [
            table::local::ALL,
            rothko::ALL,
            table::global::levels::ALL,
            table::global::cuts::ALL,
            table::buckets::ALL,
            table::nonreciprocal::ALL,
        ]
        .concat()
    });
    &ALL
}

/// The algorithm of a name; the error hints at near names.
pub fn find(name: &str) -> Result<&'static dyn Algorithm> {
    registry::find("algorithm", all(), |algorithm| algorithm.info(), name)
}
