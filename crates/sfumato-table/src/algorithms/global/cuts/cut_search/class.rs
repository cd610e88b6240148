//! A class of records, and what comes of all classes together.

use sfumato_core::group::Summary;

/// A class of records.
pub struct Class {
    /// The distinct records of it.
    pub points: Vec<u32>,
    /// How many records.
    pub rows: u64,
    /// What it costs beside its cells.
    pub fixed: f64,
    /// Too few people, whatever else.
    pub small: bool,
    /// Whether it may be published while nothing is suppressed.
    pub holds: bool,
    /// What models know of it; only if sizes don't say all.
    pub summary: Option<Summary>,
}

/// What came of a set of splits.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct SplitsOutcome {
    /// Records that would have to be suppressed beyond what is allowed.
    pub excess: u64,
    /// What the release costs.
    pub cost: f64,
}

impl SplitsOutcome {
    /// Whether this is strictly better: fewer records too many, or as many at a lower cost.
    pub fn is_better_than(&self, other: &SplitsOutcome) -> bool {
        (self.excess, other.excess) == (0, 0) && !super::no_better(self.cost, other.cost)
            || self.excess < other.excess
            || (self.excess == other.excess && self.excess > 0 && self.cost < other.cost)
    }
    /// Whether it can be published.
    pub fn is_feasible(&self) -> bool {
        self.excess == 0
    }
}
