//! Nonreciprocal recoding of baskets (Xue, Karras, Raissi, Vaidya and Tan 2012): records hide among
//! neighbours in a cyclic order, not in groups.
//!
//! The steps, one file each: the order ([`order`]: Gray rank, segments, a tour in each), the
//! matches ([`ring`](sfumato_kernels::nonreciprocal::ring) for k-anonymity, [`greedy_pick`] for
//! l-diversity), random disjoint assignments
//! ([`extraction`](sfumato_kernels::nonreciprocal::extraction)), and the release ([`mod@recode`]).
//! Nothing here reads or writes files, or verifies.

mod distances;
mod exchange;
pub mod gray;
pub mod greedy_pick;
pub mod hamming;
pub mod mend;
pub mod order;
mod order_params;
pub mod recode;
#[cfg(test)]
mod tests;
pub mod tour;

pub use order::{GrayTsp, gray_tsp};
pub use recode::{Recoded, recode, recode_as, vote};

use sfumato_core::Result;
use sfumato_core::registry;

use crate::traits::BitmapAlgorithm;

sfumato_core::registry! {
    /// Every algorithm that publishes baskets as bitmaps, in the order of the catalogue.
    dyn BitmapAlgorithm: nonreciprocal_ring::NonreciprocalRing,
        nonreciprocal_greedy::NonreciprocalGreedy
}

/// Find an algorithm by its name. The error for an unknown name hints at similar names.
pub fn find(name: &str) -> Result<&'static dyn BitmapAlgorithm> {
    registry::find("bitmap-algorithm", ALL, |algorithm| algorithm.info(), name)
}
