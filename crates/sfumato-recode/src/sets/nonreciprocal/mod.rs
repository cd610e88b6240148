//! Nonreciprocal recoding of baskets (Xue, Karras, Raissi, Vaidya and Tan 2012): records hide among neighbours in a cyclic order, not
//! in groups. If a record matches the published form of another, the other need not match its own.
//!
//! The steps, one file each: the order ([`order`]: Gray rank, segments, a tour in each), who matches whom ([`ring`] for k-anonymity,
//! [`greedy_pick`] for l-diversity), random disjoint assignments ([`extraction`] by [`Walk`]), and the release ([`mod@recode`]).
//! Nothing here reads or writes files, or verifies.

mod backtracking;
mod closed_walk;
mod distances;
mod exchange;
pub mod extraction;
pub mod gray;
pub mod greedy_pick;
pub mod hamming;
mod local_search;
mod matches;
pub mod order;
mod random;
pub mod recode;
pub mod ring;
pub mod segments;
#[cfg(test)]
mod tests;
pub mod tour;

pub use extraction::{Closing, Extraction, Walk};
pub use matches::Matches;
pub use order::{GrayTsp, gray_tsp};
pub use random::Random;
pub use recode::{Recoded, recode, vote};
pub use segments::SegmentSizes;
