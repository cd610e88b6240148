//! Tools for searches over cuts of all columns: which splits there are, how a set of them divides
//! the records, what it costs, and a lower bound for everything between two sets. The algorithms
//! decide what is tried in which order.

pub mod bound;
pub mod budget;
pub mod choices;
pub mod class;
pub mod greedy;
pub mod items;
pub mod reach;
pub mod records;
pub mod reduce;
pub mod state;
#[cfg(test)]
mod tests;

use sfumato_core::recoding::{Cuts, Finding};
use sfumato_core::traits::Task;
use sfumato_core::{Error, Result};

use crate::algorithms::global::shared::publish::publish;
use items::Items;
use records::Records;

/// The result of a search for the best cuts.
pub struct BestCuts {
    /// The splits that are made, and the cost of the release. `None` if nothing can be published.
    pub best: Option<(Items, f64)>,
    /// A lower bound: no cuts cost less than this.
    pub lower_bound: f64,
    /// Whether the search was complete.
    pub proven: bool,
    /// How many sets of splits were evaluated.
    pub visited: u64,
}

impl BestCuts {
    /// Publish the best cuts, and report how far they may be from the optimum.
    pub fn publish(self, task: &Task<'_>, records: &Records<'_>) -> Result<Cuts> {
        let none = Items::none(records.choices.len());
        let (on, cost) =
            self.best.as_ref().map_or((&none, f64::INFINITY), |(on, cost)| (on, *cost));
        let gap = match self.proven {
            true => 0.0,
            false => (cost - self.lower_bound) / cost.abs().max(f64::MIN_POSITIVE),
        };
        let finding = |name, value| Finding { name, value };
        let findings = vec![
            finding("proven_optimal", f64::from(u8::from(self.proven))),
            finding("gap_at_most", gap),
            finding("visited", self.visited as f64),
        ];
        publish(task, records.choices.cuts(on), findings)
    }
}

/// Refuse tables whose rows can't be numbered.
pub fn check_size(task: &Task<'_>, algorithm: &str) -> Result<()> {
    match task.table.n_rows >= u32::MAX as usize {
        true => Err(Error::unsupported(format!("{algorithm} takes at most 4,294,967,294 records"))),
        false => Ok(()),
    }
}

/// Whether a cost isn't better than the best one. Sums of floats differ by their order, so small
/// differences are ignored.
pub fn no_better(cost: f64, best: f64) -> bool {
    cost >= best - 1e-12 * best.abs()
}
