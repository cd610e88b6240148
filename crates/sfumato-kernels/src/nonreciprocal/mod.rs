//! Nonreciprocal recoding (Wong, Mamoulis and Cheung 2010; Xue, Karras, Raissi, Vaidya and Tan
//! 2012), for records of any kind: along a cyclic order each record matches published records of
//! others, and a match in one direction needn't be one in the other.
//!
//! The steps that baskets and tables share, one file each: an order cut into [`segments`] with a
//! shorter [path](local_search::Path) in each, the [`ring`] over it, and random disjoint
//! assignments by [`extraction`]. What is published of the records that match is not decided here.

mod backtracking;
mod closed_walk;
pub mod distances;
pub mod extraction;
pub mod local_search;
pub(crate) mod random;
pub mod ring;
pub mod segments;
// Always there: a feature for it would make tests and the program two builds of every crate above.
#[doc(hidden)]
pub mod testing;
#[cfg(test)]
mod tests;

pub use distances::Distances;
pub use extraction::{Closing, Extraction, Walk};
pub use random::RandomStream;
#[cfg(test)]
pub(crate) use random::script;
pub use segments::SegmentSizes;
