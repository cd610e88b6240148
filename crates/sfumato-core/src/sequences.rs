//! Sequences of steps of a path: what may be asked about how often they occur, and what is
//! answered.
//!
//! A sequence is in a path whose steps are those of the sequence, in their order, with others
//! between them or not. It fails where too few paths have it, or where too large a share of its
//! paths has the same sensitive value.

use crate::combinations::{PartOf, Share};
use crate::facts::Least;

/// What somebody knows of each step of a path.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Knows {
    /// The place and the time.
    Points,
    /// The place, and in which order places were visited.
    Places,
    /// The time at which somebody was somewhere.
    Times,
}

impl Knows {
    /// The words that a user writes.
    pub const NAMES: [&'static str; 3] = ["points", "places", "times"];

    /// What a word says.
    pub fn of_word(word: &str) -> Option<Knows> {
        let all = [Knows::Points, Knows::Places, Knows::Times];
        Self::NAMES.iter().position(|name| *name == word).map(|place| all[place])
    }
    /// The word for it.
    pub fn name(self) -> &'static str {
        match self {
            Knows::Points => "points",
            Knows::Places => "places",
            Knows::Times => "times",
        }
    }
}

/// A question about all sequences of 1 to some number of steps that any path has.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AskedSequences {
    /// The largest number of steps.
    pub length: usize,
    /// How many paths must have a sequence that any path has.
    pub required: u64,
    /// The largest share of the paths of a sequence that may have the same sensitive value.
    pub most: Share,
    /// The sensitive values that count. `None` if all do.
    pub values: Option<Vec<String>>,
    /// What is known of each step.
    pub knows: Knows,
}

/// A sequence that fails.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FailingSequence {
    /// The steps in words, in their order.
    pub steps: Vec<String>,
    /// How many paths have it.
    pub support: u64,
    /// The sensitive value that most of these paths have, and how many have it.
    pub private: Option<(String, u64)>,
}

/// The answer to a question about sequences. Sequences that contain a failing one aren't looked
/// at, and may be rarer.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CountedSequences {
    /// The smallest number of paths that have a sequence, and how many sequences too few have.
    pub support: Least,
    /// The largest share of the paths of a sequence, that enough have, with the same sensitive
    /// value. `None` if there are no sensitive values.
    pub share: Option<PartOf>,
    /// How many sequences enough paths have, of which too many have the same sensitive value.
    pub breaches: u64,
    /// The shortest failing sequence; of several the rarest, and of these the first.
    pub failing: Option<FailingSequence>,
}
