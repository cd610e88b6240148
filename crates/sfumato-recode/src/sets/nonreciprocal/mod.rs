//! Nonreciprocal recoding of baskets (Xue, Karras, Raissi, Vaidya and Tan 2012): records hide among neighbours in a cyclic order, not
//! in groups.
//!
//! The steps, one file each: the order ([`order`]: Gray rank, segments, a tour in each), who matches whom
//! ([`ring`](crate::nonreciprocal::ring) for k-anonymity, [`greedy_pick`] for l-diversity), random disjoint assignments
//! ([`extraction`](crate::nonreciprocal::extraction)), and the release ([`mod@recode`]). Nothing here reads or writes files, or verifies.

mod distances;
mod exchange;
pub mod gray;
pub mod greedy_pick;
pub mod hamming;
pub mod order;
pub mod recode;
#[cfg(test)]
mod tests;
pub mod tour;

pub use order::{GrayTsp, gray_tsp};
pub use recode::{Recoded, recode, vote};
