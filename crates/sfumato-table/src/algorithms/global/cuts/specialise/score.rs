//! Scores that compare refinements.

use super::tips::{SubLeaves, Tips};

/// The score of a refinement; the highest is performed first.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Score {
    /// The information gain about the target. Without a target, the cost that it saves by the
    /// task's objective.
    Gain,
    /// The gain per unit of lost anonymity, plus one.
    GainPerLoss,
    /// Discernibility, in one of three interpretations.
    Discernibility(Reading),
}

/// How the discernibility of a refinement is interpreted: the textbook's formula, its example and
/// its advice don't agree.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Reading {
    /// The sum of squared sizes of the resulting groups.
    After,
    /// The sum of squared sizes of the groups that are split.
    Before,
    /// The difference: twice the number of pairs of records that it separates.
    Reduction,
}

impl Score {
    /// Whether the score can only decrease while other values are split, so that an old score is an
    /// upper bound. Sums of squares, and sums of products of two parts' sizes, don't grow when
    /// groups are split.
    pub fn falls(self) -> bool {
        matches!(self, Score::Discernibility(_))
    }
}

impl Reading {
    /// The score of a refinement, given its sub-leaves.
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
