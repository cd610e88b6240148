//! Algorithms that put baskets into buckets: harmless items are published as they are, and
//! sensitive items as counts per group.
//!
//! They decide which records form a group. Nothing here counts for publication, reads or writes
//! files, or verifies.

pub mod band;
mod facts;
#[cfg(test)]
mod tests;

use sfumato_core::Result;
use sfumato_core::registry;

use crate::traits::BucketAlgorithm;

sfumato_core::registry! {
    /// Every algorithm that puts baskets into buckets, in the order of the catalogue.
    dyn BucketAlgorithm: cahd::Cahd, perm_mondrian::PermMondrian
}

/// Find an algorithm by its name. The error for an unknown name hints at similar names.
pub fn find(name: &str) -> Result<&'static dyn BucketAlgorithm> {
    registry::find("bucket-algorithm", ALL, |algorithm| algorithm.info(), name)
}
