//! K-Optimize: the best subtree or interval recoding with suppressed records, by a search through all sets of splits from the most
//! general release down, leaving out what can't beat the best one found.

mod search;

use sfumato_core::Result;
use sfumato_core::recoding::Recoding;
use sfumato_core::registry::{Info, Paper, Params};
use sfumato_core::traits::{Algorithm, Scope, Task};

use super::cut_search::budget::Budget;
use super::cut_search::check_size;
use super::cut_search::records::Records;

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

    fn anonymize(&self, _: &Params, task: &Task<'_>) -> Result<Box<dyn Recoding>> {
        self.check_requirements(task.requirements)?;
        check_size(task, INFO.name)?;
        let records = Records::new(task, task.max_suppressed);
        let mut budget = Budget::new(task);
        let found = search::search(&records, &mut budget)?;
        budget.finish(task.table.n_rows)?;
        Ok(Box::new(found.publish(task, &records)?))
    }
}
