//! MinGen (Sweeney): examines every full-domain recoding and takes the best.

use sfumato_core::Result;
use sfumato_core::facts::Fact;
use sfumato_core::recoding::Recoding;
use sfumato_core::registry::{Capabilities, Info, Paper, Params};
use sfumato_core::traits::{Algorithm, Task};

use super::lattice::{Lattice, Node, Upward};
use crate::algorithms::shared::infeasible::infeasible;
use crate::algorithms::shared::progress::Progress;

/// The algorithm `mingen`, an entry of the registry.
pub struct MinGen;

/// The largest number of nodes that are examined one by one.
const MOST_NODES: u128 = 1_000_000;

static INFO: Info = Info {
    name: "mingen",
    summary: "looks at every full-domain recoding and takes the one that costs least",
    papers: &[Paper {
        authors: "L. Sweeney",
        title: "Achieving k-anonymity privacy protection using generalization and suppression",
        venue: "International Journal on Uncertainty, Fuzziness and Knowledge-based Systems 10(5)",
        year: 2002,
    }],
    params: &[],
    doc: "\
Full-domain recoding with record suppression, by exhaustion: every node of the lattice is looked \
at, those that may be published are compared, the
cheapest under the metric asked for is taken (the paper: minimal distortion, `--metric \
minimal-distortion`, or precision).

Nothing is taken for granted: any set of models, any metric. That makes it the yardstick for the \
searches that look at fewer nodes.

**Cost** one grouping per node, so exponential in the number of columns; more than a million nodes \
are refused. `full-domain` finds the same optimum
with a few hundred looks.

**Deviations** The paper also allows cell generalization and leaves the enumeration open; here \
whole levels and whole records.
",
    capabilities: Capabilities { serves: Fact::OF_CUTS, ..Capabilities::DEFAULT },
    ..Info::DEFAULT
};

impl Algorithm for MinGen {
    fn info(&self) -> &'static Info {
        &INFO
    }

    fn anonymize(&self, _: &Params, task: &Task<'_>) -> Result<Box<dyn Recoding>> {
        let lattice = Lattice::new(task, INFO.name)?;
        lattice.require_at_most(lattice.n_nodes(), MOST_NODES, "the lattice", INFO.name)?;
        let mut progress = Progress::begin(task);
        let mut best: Option<(f64, Node)> = None;
        for node in Upward::new(&lattice) {
            progress.reach(0)?;
            let outcome = lattice.look(&node);
            if outcome.feasible && best.as_ref().is_none_or(|(cost, _)| outcome.cost < *cost) {
                best = Some((outcome.cost, node));
            }
        }
        progress.reach(task.table.n_rows)?;
        let (_, node) = best.ok_or_else(|| infeasible(task))?;
        Ok(Box::new(lattice.publish(&node, Vec::new())?))
    }
}
