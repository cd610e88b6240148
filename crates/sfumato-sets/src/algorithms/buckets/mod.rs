//! Algorithms that put baskets into buckets: items that anybody may see are published as they are,
//! sensitive ones as counts of groups.
//!
//! They decide which records form a group. Nothing here counts for publication, reads or writes
//! files, or verifies.

pub mod band;
mod facts;
#[cfg(test)]
mod tests;

use sfumato_core::Result;
use sfumato_core::buckets::BucketAlgorithm;
use sfumato_core::registry;

sfumato_core::registry! {
    /// Every algorithm that puts baskets into buckets, in the order of the catalogue.
    dyn BucketAlgorithm: cahd::Cahd, perm_mondrian::PermMondrian
}

/// The algorithm of a name; the error hints at near names.
pub fn find(name: &str) -> Result<&'static dyn BucketAlgorithm> {
    registry::find("bucket-algorithm", ALL, |algorithm| algorithm.info(), name)
}
