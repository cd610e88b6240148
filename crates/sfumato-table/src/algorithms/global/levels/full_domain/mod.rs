//! Optimal full-domain recoding: of all nodes of the lattice that may be published, the one that
//! costs least under the objective.

mod large;
mod search;

use sfumato_core::Result;
use sfumato_core::facts::Fact;
use sfumato_core::recoding::{Finding, Recoding};
use sfumato_core::registry::{Capabilities, Info, Paper, Params};
use sfumato_core::traits::{Algorithm, Effort, Task};

use super::lattice::Lattice;
use crate::algorithms::shared::infeasible::infeasible;
use crate::algorithms::shared::progress::Progress;
use search::Search;

/// The algorithm `full-domain`, an entry of the registry.
pub struct FullDomain;

static INFO: Info = Info {
    name: "full-domain",
    summary: "one level per column for all records; the best of all such recodings, proven",
    papers: &[
        Paper {
            authors: "K. LeFevre, D. J. DeWitt, R. Ramakrishnan",
            title: "Incognito: Efficient Full-Domain K-Anonymity",
            venue: "SIGMOD",
            year: 2005,
        },
        Paper {
            authors: "F. Kohlmayer, F. Prasser, C. Eckert, A. Kemper, K. A. Kuhn",
            title: "Flash: Efficient, Stable and Optimal K-Anonymity",
            venue: "PASSAT",
            year: 2012,
        },
    ],
    params: &[],
    doc: include_str!("full_domain.md"),
    capabilities: Capabilities { serves: Fact::OF_CUTS, ..Capabilities::DEFAULT },
    ..Info::DEFAULT
};

/// The number of records of frequency sets that may be read before the search stops with the best
/// node so far.
fn budget(effort: Effort) -> u64 {
    match effort {
        Effort::Low => 100_000_000,
        Effort::Normal => 2_000_000_000,
        Effort::High => 100_000_000_000,
    }
}

impl Algorithm for FullDomain {
    fn info(&self) -> &'static Info {
        &INFO
    }

    fn anonymize(&self, _: &Params, task: &Task<'_>) -> Result<Box<dyn Recoding>> {
        let lattice = Lattice::new(task, INFO.name)?;
        if task.table.n_rows == 0 {
            return Ok(Box::new(lattice.publish(&lattice.bottom(), Vec::new())?));
        }
        let mut progress = Progress::begin(task);
        let Some(found) = Search::new(&lattice, budget(task.effort)).run(&mut progress)? else {
            return Err(infeasible(task));
        };
        progress.reach(task.table.n_rows)?;
        let proven = found.bound >= found.cost;
        let mut findings =
            vec![Finding { name: "proven_optimal", value: f64::from(u8::from(proven)) }];
        if !proven && found.bound.is_finite() {
            // Relative, because an objective is its metric only up to a factor.
            findings.push(Finding {
                name: "gap_at_most",
                value: (found.cost - found.bound) / found.cost.abs(),
            });
        }
        Ok(Box::new(lattice.publish(&found.node, findings)?))
    }
}
