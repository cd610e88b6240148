//! l+-Optimize (Liu and Wang): the best cuts without suppressed records, by a search through all
//! cuts from the most exact ones up, in the order of their cost.

mod search;

use sfumato_core::Result;
use sfumato_core::facts::Fact;
use sfumato_core::recoding::Recoding;
use sfumato_core::registry::{Capabilities, Info, Paper, Params};
use sfumato_core::traits::{Algorithm, Task};

use super::cut_search::budget::Budget;
use super::cut_search::check_size;
use super::cut_search::records::Records;

/// The algorithm `l-plus-optimize`, an entry of the registry.
pub struct LPlusOptimize;

static INFO: Info = Info {
    name: "l-plus-optimize",
    summary: "the best cuts of all columns without suppression, looked for from the most exact \
        ones up in the order of cost",
    papers: &[Paper {
        authors: "J. Liu, K. Wang",
        title: "On optimal anonymization for l+-diversity",
        venue: "ICDE",
        year: 2010,
    }],
    params: &[],
    doc: include_str!("l_plus_optimize.md"),
    capabilities: Capabilities {
        serves: Fact::OF_CLASSES,
        needs_monotone: true,
        ignores: &["max_suppression"],
        anytime: true,
        ..Capabilities::DEFAULT
    },
    ..Info::DEFAULT
};

impl Algorithm for LPlusOptimize {
    fn info(&self) -> &'static Info {
        &INFO
    }

    fn anonymize(&self, _: &Params, task: &Task<'_>) -> Result<Box<dyn Recoding>> {
        self.check_requirements(task.requirements)?;
        check_size(task, INFO.name)?;
        let task = &Task { max_suppressed: 0, ..*task };
        let records = Records::new(task, 0);
        let mut budget = Budget::new(task);
        let found = search::search(&records, &mut budget)?;
        budget.finish(task.table.n_rows)?;
        Ok(Box::new(found.publish(task, &records)?))
    }
}
