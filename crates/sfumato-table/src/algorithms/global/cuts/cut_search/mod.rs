//! The search for cuts of all columns: which splits there are, what a set of them makes of the
//! records, what it costs, and what everything between two sets costs at least. What is tried in
//! which order is up to the algorithms.

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

/// What a search for the best cuts found.
pub struct BestCuts {
    /// The splits that are made, and what the release costs; `None` if nothing can be published.
    pub best: Option<(Items, f64)>,
    /// No cuts cost less than this.
    pub lower_bound: f64,
    /// Whether the search came to its end.
    pub proven: bool,
    /// How many sets of splits were looked at.
    pub visited: u64,
}

impl BestCuts {
    /// Publish the best, with how far it may be from the optimum.
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

/// Whether a cost isn't worth looking at beside the best one: sums of floats differ by their order.
pub fn no_better(cost: f64, best: f64) -> bool {
    cost >= best - 1e-12 * best.abs()
}
