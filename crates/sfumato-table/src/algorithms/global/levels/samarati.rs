//! Samarati's binary search on the height of the lattice.

use sfumato_core::Result;
use sfumato_core::facts::Fact;
use sfumato_core::recoding::{Finding, Recoding};
use sfumato_core::registry::{Capabilities, Info, Paper, Params};
use sfumato_core::traits::{Algorithm, Task};

use super::lattice::{Known, Lattice, Node, heights, nodes_of_height};
use crate::algorithms::shared::infeasible::infeasible;
use crate::algorithms::shared::progress::Progress;

/// The algorithm `samarati`, an entry of the registry.
pub struct Samarati;

/// The largest number of nodes of one height that are examined.
const MOST_NODES: u128 = 1_000_000;

static INFO: Info = Info {
    name: "samarati",
    summary: "binary search for the lowest height of the lattice at which something may be \
        published",
    papers: &[Paper {
        authors: "P. Samarati",
        title: "Protecting respondents' identities in microdata release",
        venue: "IEEE Transactions on Knowledge and Data Engineering 13(6)",
        year: 2001,
    }],
    params: &[],
    doc: "\
Full-domain recoding with record suppression. The height of a node is the sum of its levels. If \
some node of a height may be published with at most
the allowed number of records suppressed, so may one of every greater height; so the lowest such \
height is found by halving. Of the nodes of that
height that may be published, the one is taken that costs least under the metric asked for (the \
paper's preference: minimal distortion, `--metric
minimal-distortion`).

**Cost** exponential in the number of columns: in the worst case all nodes of about `log2(height)` \
heights are looked at, each from the
smallest frequency set at hand. Nodes below one that failed are skipped. More than a million nodes \
of one height are refused.

**Limits** The lowest height isn't the least loss: raising one column by a level may cost more \
than raising another by three. `full-domain` finds
the optimum under any metric. Monotone models only; with suppression only those that no joining \
group can break (k-anonymity, distinct l-diversity).

**Deviations** The paper's vector of distances is the node itself; ties on the height are broken \
by the metric and then by the order of levels.
",
    capabilities: Capabilities {
        serves: Fact::OF_CUTS,
        needs_monotone: true,
        needs_absorbing_to_suppress: true,
        ..Capabilities::DEFAULT
    },
    ..Info::DEFAULT
};

impl Algorithm for Samarati {
    fn info(&self) -> &'static Info {
        &INFO
    }

    fn anonymize(&self, _: &Params, task: &Task<'_>) -> Result<Box<dyn Recoding>> {
        self.check_requirements(task.requirements)?;
        self.check_suppression(task.requirements, task.max_suppressed)?;
        let lattice = Lattice::new(task, INFO.name)?;
        lattice.require_monotone(INFO.name)?;
        let n_levels = lattice.n_levels();
        let counts = heights(&n_levels);
        let most = counts.iter().copied().max().unwrap_or(0);
        lattice.require_at_most(
            u128::from(most),
            MOST_NODES,
            "the nodes of a height",
            INFO.name,
        )?;
        let mut progress = Progress::begin(task);
        let mut known = Known::new(n_levels.clone());
        let (mut low, mut high) = (0, counts.len() - 1);
        while low < high {
            progress.reach(0)?;
            let middle = (low + high) / 2;
            let nodes = nodes_of_height(&n_levels, middle);
            if nodes.iter().any(|node| may_be_published(&lattice, node, &mut known)) {
                high = middle;
            } else {
                low = middle + 1;
            }
        }
        let mut best: Option<(f64, Node)> = None;
        for node in nodes_of_height(&n_levels, low) {
            if known.fails(&node) {
                continue;
            }
            let outcome = lattice.look(&node);
            if outcome.feasible && best.as_ref().is_none_or(|(cost, _)| outcome.cost < *cost) {
                best = Some((outcome.cost, node));
            }
        }
        progress.reach(task.table.n_rows)?;
        let (_, node) = best.ok_or_else(|| infeasible(task))?;
        let findings = vec![Finding { name: "height", value: low as f64 }];
        Ok(Box::new(lattice.publish(&node, findings)?))
    }
}

fn may_be_published(lattice: &Lattice<'_>, node: &[u8], known: &mut Known) -> bool {
    if known.fails(node) {
        return false;
    }
    let feasible = lattice.look(node).feasible;
    if !feasible {
        known.fail(node);
    }
    feasible
}
