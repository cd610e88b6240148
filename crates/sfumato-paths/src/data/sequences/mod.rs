//! Sequences of steps that paths have: which of them betray somebody, which are frequent, and trees
//! of them.

pub mod frequent;
pub mod prefix_tree;
mod projection;
pub mod violating;

pub use frequent::{Frequent, maximal_frequent};
pub use prefix_tree::PrefixTree;
pub use violating::{Found, Question, Violating, minimal_violating};

/// Whether a path has a sequence: all of its steps, in their order.
pub fn contains(path: &[u32], sequence: &[u32]) -> bool {
    let mut steps = path.iter();
    sequence.iter().all(|step| steps.any(|other| other == step))
}
