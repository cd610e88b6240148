//! The budget of a search for cuts, measured in distinct records and never in time.

use sfumato_core::Result;
use sfumato_core::traits::{Effort, Task};

use crate::algorithms::shared::progress::Progress;

/// The budget that is left.
pub struct Budget<'a> {
    progress: Progress<'a>,
    left: u64,
    /// Whether a set of splits was found that may be published.
    pub has_found: bool,
    /// Sets of splits that were looked at.
    pub visited: u64,
}

impl<'a> Budget<'a> {
    /// The budget of a task.
    pub fn new(task: &Task<'a>) -> Self {
        let left = match task.effort {
            Effort::Low => 1_000_000,
            Effort::Normal => 60_000_000,
            Effort::High => 2_000_000_000,
        };
        // People in several records, and histograms, take longer than counting rows.
        let dear = match (task.table.subject.is_some(), task.requirements.is_count_only()) {
            (true, _) => 40,
            (false, false) => 2,
            (false, true) => 1,
        };
        Budget { progress: Progress::begin(task), left: left / dear, has_found: false, visited: 0 }
    }

    /// Spend work. Returns an error if the user asked to stop.
    pub fn spend(&mut self, work: u64) -> Result<()> {
        self.left = self.left.saturating_sub(work);
        self.progress.reach(0)
    }

    /// Spend work if that much is left. Otherwise the budget is set to nothing.
    pub fn affords(&mut self, work: u64) -> bool {
        self.left = self.left.saturating_sub(work);
        self.left > 0
    }

    /// Whether nothing is left, or what was found will do.
    pub fn is_spent(&self) -> bool {
        self.left == 0 || (self.has_found && self.progress.enough())
    }

    /// Report the last step: all records have their class.
    pub fn finish(mut self, n_rows: usize) -> Result<()> {
        self.progress.reach(n_rows)
    }
}
