//! The geometry of one quasi column whose cells are words.

use crate::dataset::{Hierarchy, ValueKind};

/// Where the words of a quasi column lie.
#[derive(Debug, Clone, Copy)]
pub enum Axis<'a> {
    /// Leaves of a tree, by their codes.
    Tree(&'a Hierarchy),
    /// Ordered values: a word is a key less the least key of the column.
    Keys {
        /// What the keys mean.
        kind: ValueKind,
        /// The least key of the column.
        least: i64,
        /// How many words there could be: one more than the largest; 0 without values.
        n_words: u64,
    },
}

impl Axis<'_> {
    /// The word of a missing value: behind all others.
    pub fn missing(&self) -> u64 {
        match self {
            Axis::Tree(tree) => tree.n_leaves() as u64,
            Axis::Keys { n_words, .. } => *n_words,
        }
    }

    /// The number that a word stands for; NaN in a tree.
    pub fn number(&self, word: u64) -> f64 {
        match self {
            Axis::Tree(_) => f64::NAN,
            Axis::Keys { kind, least, .. } => kind.number(least.wrapping_add_unsigned(word)),
        }
    }
}
