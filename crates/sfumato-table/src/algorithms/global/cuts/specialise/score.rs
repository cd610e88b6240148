//! What makes one refinement better than another.

use super::tips::{SubLeaves, Tips};

/// The score of a refinement; the highest is performed first.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Score {
    /// The information gain about the target; without a target what it saves by the task's
    /// objective.
    Gain,
    /// The gain for each unit of anonymity that is lost, plus one.
    GainPerLoss,
    /// Discernibility, in one of three readings.
    Discernibility(Reading),
}

/// How the discernibility of a refinement is read: the textbook's formula, its example and its
/// advice don't agree.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Reading {
    /// The sum of squared sizes of the groups that come of it.
    After,
    /// The sum of squared sizes of the groups that it takes apart.
    Before,
    /// The difference: pairs of records that it tells apart, twice.
    Reduction,
}

impl Score {
    /// Whether it can only fall while other values are taken apart, so that an old score is an
    /// upper bound. Sums of squares, and sums of products of two parts' sizes, don't grow when
    /// groups fall apart.
    pub fn falls(self) -> bool {
        matches!(self, Score::Discernibility(_))
    }
}

impl Reading {
    /// The score of what leaves fall into.
    pub fn score(self, tips: &Tips, sub: &SubLeaves) -> f64 {
        let square = |rows: u32| u128::from(rows) * u128::from(rows);
        let after: u128 = sub.rows.iter().map(|&rows| square(rows)).sum();
        let mut before = 0u128;
        for (place, &leaf) in sub.leaf.iter().enumerate() {
            if place == 0 || sub.leaf[place - 1] != leaf {
                before += square(tips.rows()[leaf as usize]);
            }
        }
        match self {
            Reading::After => after as f64,
            Reading::Before => before as f64,
            Reading::Reduction => (before - after) as f64,
        }
    }
}
