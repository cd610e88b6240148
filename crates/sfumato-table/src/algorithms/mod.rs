//! Algorithms for tables: one file or folder each. An algorithm gets an encoded table and
//! requirements whose models it doesn't know, and decides which records are published alike and
//! how.
//!
//! Nothing here reads or writes files, applies a recoding or verifies it: the forms do, with code
//! of their own.

pub mod buckets;
pub mod global;
pub mod local;
pub mod nonreciprocal;
pub mod over_time;
pub mod perturbed;
pub mod shared;
pub mod synthetic;
pub mod tabulated;

pub use local::rothko;

use std::sync::LazyLock;

use sfumato_core::Result;
use sfumato_core::registry;
use sfumato_core::traits::Algorithm;

/// Every algorithm, in the order of the catalogue.
pub fn all() -> &'static [&'static dyn Algorithm] {
    static ALL: LazyLock<Vec<&'static dyn Algorithm>> = LazyLock::new(|| {
        [
            local::ALL,
            rothko::ALL,
            global::levels::ALL,
            global::cuts::ALL,
            buckets::ALL,
            nonreciprocal::ALL,
            over_time::ALL,
        ]
        .concat()
    });
    &ALL
}

/// Find an algorithm by its name. The error for an unknown name hints at similar names.
pub fn find(name: &str) -> Result<&'static dyn Algorithm> {
    registry::find("algorithm", all(), |algorithm| algorithm.info(), name)
}
