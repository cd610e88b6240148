//! Incognito (LeFevre, DeWitt and Ramakrishnan): finds all full-domain recodings that may be
//! published, from small sets of columns to large ones.

use sfumato_core::facts::Fact;
use sfumato_core::recoding::{Finding, Recoding};
use sfumato_core::registry::{Capabilities, Info, Paper, Params};
use sfumato_core::traits::{Algorithm, Join, Task};
use sfumato_core::{FastMap, FastSet, Result};

use super::lattice::{Lattice, Node};
use crate::algorithms::shared::infeasible::infeasible;
use crate::algorithms::shared::progress::Progress;

/// The algorithm `incognito`, an entry of the registry.
pub struct Incognito;

/// The largest number of nodes of all sets of columns together.
const MOST_NODES: u128 = 20_000_000;

static INFO: Info = Info {
    name: "incognito",
    summary: "finds all full-domain recodings that may be published, from few columns to all, and \
        takes the best",
    papers: &[
        Paper {
            authors: "K. LeFevre, D. J. DeWitt, R. Ramakrishnan",
            title: "Incognito: Efficient Full-Domain K-Anonymity",
            venue: "SIGMOD",
            year: 2005,
        },
        Paper {
            authors: "A. Machanavajjhala, D. Kifer, J. Gehrke, M. Venkitasubramaniam",
            title: "l-Diversity: Privacy Beyond k-Anonymity",
            venue: "ACM Transactions on Knowledge Discovery from Data 1(1)",
            year: 2007,
        },
    ],
    params: &[],
    doc: "\
Full-domain recoding with record suppression. Three properties carry it: what holds on some \
columns holds on any subset of them (so a combination of levels that
fails for two columns is never tried for three), what holds at a node holds above it, and the \
groups of a node come from those of a node below
(roll-up). Sets of one column are searched first, then of two, and so on; within a set from low \
nodes to high ones, and what lies above a node that
holds isn't looked at. In the end **all** publishable nodes over all columns are known; their \
number is in the report (`publishable_nodes`). The one that
costs least under the metric asked for is taken.

With l-diversity as the model this is l-Diversity Incognito, with t-closeness t-Closeness \
Incognito: the check is swapped, the search stays.

**Cost** exponential in the number of columns. A lattice of more than 20 million nodes over all \
sets of columns is refused.

**Limits** Monotone models only; with suppression only those that no joining group can break \
(k-anonymity, distinct l-diversity). To find one best node
`full-domain` looks at far fewer.

**Deviations** A set of columns is searched as the part of the full lattice in which all other \
columns are at the top, so that one roll-up serves
all. The paper leaves the choice among the results to the user.
",
    capabilities: Capabilities {
        serves: Fact::OF_CLASSES,
        needs_monotone: true,
        needs_absorbing_to_suppress: true,
        ..Capabilities::DEFAULT
    },
    ..Info::DEFAULT
};

impl Algorithm for Incognito {
    fn info(&self) -> &'static Info {
        &INFO
    }

    fn anonymize(&self, _: &Params, task: &Task<'_>) -> Result<Box<dyn Recoding>> {
        self.check_requirements(task.requirements)?;
        self.check_suppression(task.requirements, task.max_suppressed)?;
        let lattice = Lattice::new(task, INFO.name)?;
        lattice.require_monotone(INFO.name)?;
        let all = lattice
            .n_levels()
            .iter()
            .fold(1u128, |n, &levels| n.saturating_mul(levels as u128 + 1));
        lattice.require_at_most(
            all,
            MOST_NODES,
            "the lattices of all sets of columns",
            INFO.name,
        )?;
        let mut progress = Progress::begin(task);
        let publishable = publishable(&lattice, &mut progress)?;
        let node = best(&lattice, &publishable, &mut progress)?.ok_or_else(|| infeasible(task))?;
        progress.reach(task.table.n_rows)?;
        let findings = vec![Finding { name: "publishable_nodes", value: publishable.len() as f64 }];
        Ok(Box::new(lattice.publish(&node, findings)?))
    }
}

/// All nodes that may be published, in lexicographic order.
fn publishable(lattice: &Lattice<'_>, progress: &mut Progress<'_>) -> Result<Vec<Node>> {
    let n = lattice.n_columns();
    let mut of_subset: FastMap<Vec<usize>, FastSet<Node>> = FastMap::default();
    of_subset.insert(Vec::new(), FastSet::from_iter([Vec::new()]));
    let mut subsets: Vec<Vec<usize>> = vec![Vec::new()];
    for _ in 0..n {
        let larger = |subset: &Vec<usize>| {
            let first = subset.last().map_or(0, |&last| last + 1);
            let subset = subset.clone();
            (first..n).map(move |column| [subset.as_slice(), &[column]].concat())
        };
        subsets = subsets.iter().flat_map(larger).collect();
        let mut next: FastMap<Vec<usize>, FastSet<Node>> = FastMap::default();
        for subset in &subsets {
            progress.reach(0)?;
            next.insert(subset.clone(), search_subset(lattice, subset, &of_subset));
        }
        of_subset = next;
    }
    let mut nodes: Vec<Node> = of_subset.into_values().flatten().collect();
    nodes.sort();
    Ok(nodes)
}

/// The nodes over some columns that may be published, given those over one column less.
fn search_subset(
    lattice: &Lattice<'_>,
    subset: &[usize],
    smaller: &FastMap<Vec<usize>, FastSet<Node>>,
) -> FastSet<Node> {
    let without = |node: &[u8], place: usize| -> Node {
        node.iter().enumerate().filter(|(i, _)| *i != place).map(|(_, &level)| level).collect()
    };
    let parts: Vec<&FastSet<Node>> = (0..subset.len())
        .map(|place| {
            let part: Vec<usize> = subset
                .iter()
                .enumerate()
                .filter(|(i, _)| *i != place)
                .map(|(_, &column)| column)
                .collect();
            &smaller[&part]
        })
        .collect();
    // Joined from what holds without the last column; pruned by what fails without any other.
    let n_levels = lattice.n_levels()[subset[subset.len() - 1]];
    let mut candidates: Vec<Node> = parts[subset.len() - 1]
        .iter()
        .flat_map(|part| (0..n_levels as u8).map(move |level| [part.as_slice(), &[level]].concat()))
        .filter(|node| (0..subset.len()).all(|place| parts[place].contains(&without(node, place))))
        .collect();
    candidates.sort_by_key(|node| {
        (node.iter().map(|&level| u32::from(level)).sum::<u32>(), node.clone())
    });
    let mut holds: FastSet<Node> = FastSet::default();
    for node in candidates {
        let above_one = (0..node.len()).any(|place| {
            node[place] > 0 && {
                let mut below = node.clone();
                below[place] -= 1;
                holds.contains(&below)
            }
        });
        if above_one || lattice.look(&whole(lattice, subset, &node)).feasible {
            holds.insert(node);
        }
    }
    holds
}

/// The node of the full lattice for one over some columns: the other columns are at the top.
fn whole(lattice: &Lattice<'_>, subset: &[usize], part: &[u8]) -> Node {
    let mut node = lattice.top();
    subset.iter().zip(part).for_each(|(&column, &level)| node[column] = level);
    node
}

/// The node that costs least.
fn best(
    lattice: &Lattice<'_>,
    nodes: &[Node],
    progress: &mut Progress<'_>,
) -> Result<Option<Node>> {
    let objective = lattice.task().objective;
    let additive = lattice.objective_is_monotone()
        && objective.join() == Join::Sum
        && !objective.ignores_cells();
    let mut order: Vec<(f64, &Node)> =
        nodes.iter().map(|node| (lattice.cells(node), node)).collect();
    order.sort_by(|a, b| a.0.total_cmp(&b.0).then_with(|| a.1.cmp(b.1)));
    let mut best: Option<(f64, &Node)> = None;
    for (cells, node) in order {
        if additive && best.is_some_and(|(cost, _)| cells >= cost) {
            break;
        }
        progress.reach(0)?;
        let cost = lattice.look(node).cost;
        if best.is_none_or(|(least, _)| cost < least) {
            best = Some((cost, node));
        }
    }
    Ok(best.map(|(_, node)| node.clone()))
}
