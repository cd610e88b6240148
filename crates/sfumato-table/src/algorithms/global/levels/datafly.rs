//! Datafly (Sweeney): generalizes the column with most distinct values until few enough records
//! remain to be suppressed.

use sfumato_core::Result;
use sfumato_core::facts::Fact;
use sfumato_core::recoding::Recoding;
use sfumato_core::registry::{Capabilities, Info, Paper, Params};
use sfumato_core::traits::{Algorithm, Task};

use super::lattice::Lattice;
use crate::algorithms::shared::infeasible::infeasible;
use crate::algorithms::shared::progress::Progress;

/// The algorithm `datafly`, an entry of the registry.
pub struct Datafly;

static INFO: Info = Info {
    name: "datafly",
    summary: "raises the column with most distinct values, level by level, until little enough is \
        left to suppress",
    papers: &[Paper {
        authors: "L. Sweeney",
        title: "Guaranteeing anonymity when sharing medical data, the Datafly system",
        venue: "AMIA Annual Fall Symposium",
        year: 1997,
    }],
    params: &[],
    doc: "\
Full-domain recoding with record suppression, greedy: while more records than allowed stand in \
groups that may not be published, the column with the most
distinct published values goes up one level (of equals the first). What is left in such groups is \
suppressed.

**Cost** at most one grouping per level of each column.

**Limits** It looks at how many values a column has and at nothing else, so it may raise a column \
that isn't the trouble. The result need be
neither optimal nor minimal: a lower node may be publishable too. Any set of models; `--metric` \
has no influence.

**Deviations** The paper stops when at most k records are left in small groups and suppresses \
them; here the limit is what `--max-suppression` says (0 if
nothing is said).
",
    capabilities: Capabilities {
        serves: Fact::OF_CUTS,
        ignores: &["metric"],
        ..Capabilities::DEFAULT
    },
    ..Info::DEFAULT
};

impl Algorithm for Datafly {
    fn info(&self) -> &'static Info {
        &INFO
    }

    fn anonymize(&self, _: &Params, task: &Task<'_>) -> Result<Box<dyn Recoding>> {
        let lattice = Lattice::new(task, INFO.name)?;
        let (mut node, top) = (lattice.bottom(), lattice.top());
        let mut progress = Progress::begin(task);
        while !lattice.look(&node).feasible {
            progress.reach(0)?;
            let most = (0..node.len()).filter(|&column| node[column] < top[column]).max_by_key(
                |&column| (lattice.n_values(column, node[column]), std::cmp::Reverse(column)),
            );
            match most {
                Some(column) => node[column] += 1,
                None => return Err(infeasible(task)),
            }
        }
        progress.reach(task.table.n_rows)?;
        Ok(Box::new(lattice.publish(&node, Vec::new())?))
    }
}
