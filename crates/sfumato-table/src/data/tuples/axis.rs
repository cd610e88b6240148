//! The geometry of one quasi column whose cells are 64-bit words.

use sfumato_core::dataset::{Hierarchy, ValueKind};

/// The space in which the words of a quasi column lie.
#[derive(Debug, Clone, Copy)]
pub enum Axis<'a> {
    /// The leaves of a tree, by their codes.
    Tree(&'a Hierarchy),
    /// Ordered values: a word is a key minus the least key of the column.
    Keys {
        /// What the keys mean.
        kind: ValueKind,
        /// The least key of the column.
        least: i64,
        /// The number of possible words: one more than the largest, or 0 without values.
        n_words: u64,
    },
}

impl Axis<'_> {
    /// The word of a missing value, which is larger than all others.
    pub fn missing(&self) -> u64 {
        match self {
            Axis::Tree(tree) => tree.n_leaves() as u64,
            Axis::Keys { n_words, .. } => *n_words,
        }
    }

    /// The number that a word stands for. NaN in a tree.
    pub fn number(&self, word: u64) -> f64 {
        match self {
            Axis::Tree(_) => f64::NAN,
            Axis::Keys { kind, least, .. } => kind.number(least.wrapping_add_unsigned(word)),
        }
    }
}
