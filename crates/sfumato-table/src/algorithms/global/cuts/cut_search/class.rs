//! A class of records, and the outcome of all classes together.

use sfumato_core::group::Summary;

/// A class of records.
pub struct Class {
    /// The distinct records of it.
    pub points: Vec<u32>,
    /// The number of records.
    pub rows: u64,
    /// The cost of the class besides its cells.
    pub fixed: f64,
    /// Whether the class has too few people for any requirement.
    pub small: bool,
    /// Whether it may be published while nothing is suppressed.
    pub holds: bool,
    /// The summary of the class, if sizes don't decide all requirements.
    pub summary: Option<Summary>,
}

/// The outcome of a set of splits.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct SplitsOutcome {
    /// How many records would have to be suppressed beyond the limit.
    pub excess: u64,
    /// The cost of the release.
    pub cost: f64,
}

impl SplitsOutcome {
    /// Whether this outcome is strictly better: fewer records beyond the limit, or equally many at
    /// a lower cost.
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
