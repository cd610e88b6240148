//! K-Optimize (Bayardo and Agrawal): the best subtree or interval recoding with suppressed records,
//! by a search through all sets of splits from the most general release down, which skips what
//! can't beat the best one found.

mod search;

use sfumato_core::facts::Fact;
use sfumato_core::recoding::{Cuts, Finding, Recoding};
use sfumato_core::registry::{Capabilities, Info, Paper, Params};
use sfumato_core::traits::{Algorithm, Effort, Task};
use sfumato_core::{ErrorKind, Result};

use super::cut_search::budget::Budget;
use super::cut_search::check_size;
use super::cut_search::records::Records;
use crate::algorithms::global::levels::full_domain::FullDomain;
use crate::algorithms::global::shared::publish::publish;

/// The algorithm `k-optimize`, an entry of the registry.
pub struct KOptimize;

static INFO: Info = Info {
    name: "k-optimize",
    summary: "the best cuts of all columns with suppressed records, proven where the search comes \
        to its end",
    papers: &[Paper {
        authors: "R. J. Bayardo, R. Agrawal",
        title: "Data privacy through optimal k-anonymization",
        venue: "ICDE",
        year: 2005,
    }],
    params: &[],
    doc: include_str!("k_optimize.md"),
    capabilities: Capabilities {
        serves: Fact::OF_CLASSES,
        needs_monotone: true,
        anytime: true,
        ..Capabilities::DEFAULT
    },
    ..Info::DEFAULT
};

impl Algorithm for KOptimize {
    fn info(&self) -> &'static Info {
        &INFO
    }

    fn anonymize(&self, params: &Params, task: &Task<'_>) -> Result<Box<dyn Recoding>> {
        self.check_requirements(task.requirements)?;
        check_size(task, INFO.name)?;
        let records = Records::new(task, task.max_suppressed);
        let mut budget = Budget::new(task);
        let found = search::search(&records, &mut budget)?;
        budget.finish(task.table.n_rows)?;
        let proven = found.proven;
        let cuts = found.publish(task, &records);
        match proven {
            true => Ok(Box::new(cuts?)),
            false => Ok(Box::new(no_worse_than_levels(task, params, cuts)?)),
        }
    }
}

/// Make sure that an incomplete search loses no more than the best full-domain recoding, since
/// levels are cuts too.
fn no_worse_than_levels(task: &Task<'_>, params: &Params, cuts: Result<Cuts>) -> Result<Cuts> {
    let without_levels = task.table.quasi().iter().any(|column| column.hierarchy.is_none());
    if without_levels || (cuts.is_ok() && task.observer.enough()) {
        return cuts;
    }
    let levels = match FullDomain.anonymize(params, &Task { effort: Effort::Low, ..*task }) {
        Err(error) if error.kind == ErrorKind::Cancelled => return Err(error),
        Err(_) => return cuts,
        Ok(levels) => levels,
    };
    let Some(level_cuts) = levels.cuts().map(<[_]>::to_vec) else { return cuts };
    let total = |recoding: &dyn Recoding| task.objective.total(task.table, recoding);
    let better = total(levels.as_ref());
    let mut findings = vec![Finding { name: "taken_from_full_domain", value: 1.0 }];
    match cuts {
        Ok(cuts) if total(&cuts) <= better => return Ok(cuts),
        Ok(cuts) => {
            // The bound stays, and what it is compared with is lower.
            let scale = total(&cuts) / better;
            findings.extend(cuts.findings().iter().map(|finding| match finding.name {
                "gap_at_most" => {
                    Finding { value: (1.0 - (1.0 - finding.value) * scale).max(0.0), ..*finding }
                }
                _ => *finding,
            }));
        }
        Err(_) => findings.push(Finding { name: "proven_optimal", value: 0.0 }),
    }
    publish(task, level_cuts, findings)
}
