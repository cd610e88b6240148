//! K-Optimize: the best subtree or interval recoding with suppressed records, by a search through all sets of splits from the most
//! general release down, leaving out what can't beat the best one found.

mod search;

use sfumato_core::Result;
use sfumato_core::recoding::{Finding, Recoding};
use sfumato_core::registry::{Info, Paper, Params};
use sfumato_core::traits::{Algorithm, Effort, Scope, Task};

use super::cut_search::budget::Budget;
use super::cut_search::check_size;
use super::cut_search::records::Records;
use crate::table::global::levels::full_domain::FullDomain;
use crate::table::global::shared::publish::publish;

/// The algorithm `k-optimize`.
pub struct KOptimize;

static INFO: Info = Info {
    name: "k-optimize",
    summary: "the best cuts of all columns with suppressed records, proven where the search comes to its end",
    papers: &[Paper {
        authors: "R. J. Bayardo, R. Agrawal",
        title: "Data privacy through optimal k-anonymization",
        venue: "ICDE",
        year: 2005,
    }],
    params: &[],
    doc: include_str!("k_optimize.md"),
};

impl Algorithm for KOptimize {
    fn info(&self) -> &'static Info {
        &INFO
    }

    fn serves(&self, scope: &Scope) -> bool {
        *scope == Scope::Class
    }

    fn needs_monotone(&self) -> bool {
        true
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
        // Levels are cuts too: a search that didn't come to its end mustn't lose more than the best of them.
        if !proven && task.table.quasi().iter().all(|column| column.hierarchy.is_some()) {
            let levels = FullDomain.anonymize(params, &Task { effort: Effort::Low, ..*task })?;
            let price = |recoding: &dyn Recoding| task.objective.total(task.table, recoding);
            if let (Ok(cuts), Some(level_cuts)) = (&cuts, levels.cuts())
                && price(levels.as_ref()) < price(cuts)
            {
                let (price, better) = (price(cuts), price(levels.as_ref()));
                let still = |finding: &Finding| match finding.name {
                    "gap_at_most" => {
                        Finding { value: 1.0 - (1.0 - finding.value) * price / better, ..*finding }
                    }
                    _ => *finding,
                };
                let mut findings: Vec<Finding> = cuts.findings().iter().map(still).collect();
                findings.push(Finding { name: "taken_from_full_domain", value: 1.0 });
                return Ok(Box::new(publish(task, level_cuts.to_vec(), findings)?));
            }
        }
        Ok(Box::new(cuts?))
    }
}
