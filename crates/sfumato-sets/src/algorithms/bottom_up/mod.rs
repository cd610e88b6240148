//! Bottom-up algorithms: every record begins alone, and sets of items shrink until enough records
//! hide each other.

mod blocks;
mod clusters;
mod lsh;
mod neighbours;
mod papers;
mod points;
#[cfg(test)]
mod tests;

use crate::traits::SetAlgorithm;

sfumato_core::registry! {
    /// The bottom-up algorithms.
    dyn SetAlgorithm: two_phase::TwoPhase, set_cluster::SetCluster,
        set_iterative_cluster::SetIterativeCluster, k1_gather::K1Gather
}
