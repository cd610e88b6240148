//! Algorithms that put nodes into supernodes: one file each, listed once.

mod blocks;

sfumato_core::registry! {
    /// Every algorithm that makes supernodes.
    dyn crate::traits::ClusteringAlgorithm:
    supernode_moves::SupernodeMoves,
    supernode_annealing::SupernodeAnnealing,
}

use sfumato_core::Result;
use sfumato_core::registry;

use crate::traits::ClusteringAlgorithm;

pub use blocks::{Blocks, ln_choose, ln_worlds};

/// Find an algorithm by its name. The error for an unknown name hints at similar names.
pub fn find(name: &str) -> Result<&'static dyn ClusteringAlgorithm> {
    registry::find("supernode-algorithm", ALL, |algorithm| algorithm.info(), name)
}
