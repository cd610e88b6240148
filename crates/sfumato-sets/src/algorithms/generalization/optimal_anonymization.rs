//! Optimal anonymization (OA): of all cuts that keep the promise the one that loses least.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use sfumato_core::facts::Fact;
use sfumato_core::registry::{Capabilities, Info, ParamKind, ParamSpec, Params};
use sfumato_core::{Error, FastSet, Result};
use sfumato_kernels::itemsets::{Limits, Listed, Records, mine};

use super::cut::{Cut, instances, loss};
use super::{GeneralizedSets, TreeAlgorithm, TreeTask, papers};
use crate::data::item_tree::{Node, ROOT};

/// The algorithm.
pub struct OptimalAnonymization;

static INFO: Info = Info {
    name: "optimal-anonymization",
    summary: "of all cuts of the item hierarchy that keep the promise the one that loses least; \
        for small trees",
    papers: &[papers::TERROVITIS],
    params: &[ParamSpec::with_default(
        "cuts",
        ParamKind::Integer { min: 1, max: 1_000_000_000 },
        "20000",
        "how many cuts are looked at before it gives up",
    )],
    doc: "\
Cuts are looked at in the order of what they lose, beginning with the leaves. If a combination of \
a cut is rare, every coarser cut that keeps the promise
has the parent of one of its nodes, or something above it: one cut for each of these is looked at \
next. A coarser cut loses no less, so that the first cut without a rare
combination is the best. There may be exponentially many before it: after `cuts` of them the run \
ends with an error.
",
    capabilities: Capabilities {
        serves: &[Fact::Combinations],
        needs_hierarchies: true,
        takes_weights: true,
        ignores: &["max_suppression", "metric"],
        ..Capabilities::DEFAULT
    },
    ..Info::DEFAULT
};

/// What a cut loses, in an order that a heap can use.
#[derive(PartialEq)]
struct Loss(f64);
impl Eq for Loss {}
impl PartialOrd for Loss {
    fn partial_cmp(&self, other: &Self) -> Option<std::cmp::Ordering> {
        Some(self.cmp(other))
    }
}
impl Ord for Loss {
    fn cmp(&self, other: &Self) -> std::cmp::Ordering {
        self.0.total_cmp(&other.0)
    }
}

impl TreeAlgorithm for OptimalAnonymization {
    fn info(&self) -> &'static Info {
        &INFO
    }
    fn anonymize(&self, params: &Params, task: &TreeTask<'_>) -> Result<GeneralizedSets> {
        let instances = instances(task);
        let start: Vec<Node> = Cut::leaves(task.tree, &[]).nodes().collect();
        let mut seen: FastSet<Vec<Node>> = FastSet::default();
        let mut open = BinaryHeap::from([Reverse((Loss(0.0), start))]);
        for _ in 0..params.count("cuts") {
            task.check_cancelled()?;
            let Some(Reverse((_, nodes))) = open.pop() else { break };
            let cut = of_nodes(task, &nodes);
            let Some(rare) = rare(task, &cut)? else { return Ok(cut.decide(task)) };
            if rare.is_empty() {
                return Err(Error::infeasible("there are fewer records than k")
                    .hint("ask for a smaller k, or bring more data"));
            }
            for node in rare.into_iter().filter(|node| *node != ROOT) {
                let mut next = cut.clone();
                next.collapse(task.tree, task.tree.parent(node));
                let nodes: Vec<Node> = next.nodes().collect();
                if seen.insert(nodes.clone()) {
                    open.push(Reverse((Loss(loss(task.tree, &instances, &next)), nodes)));
                }
            }
        }
        match open.is_empty() {
            true => Err(Error::infeasible("fewer than k records have items")
                .hint("ask for a smaller k, or bring more data")),
            false => Err(Error::resources("too many cuts lose less than the best")
                .hint("take cut-search, or allow more with optimal-anonymization(cuts=N)")),
        }
    }
}

/// The cut that has these nodes.
fn of_nodes(task: &TreeTask<'_>, nodes: &[Node]) -> Cut {
    let mut cut = Cut::leaves(task.tree, &[]);
    nodes.iter().for_each(|node| cut.collapse(task.tree, *node));
    cut
}

/// The nodes of a rare combination of a cut. `None` if there is none.
fn rare(task: &TreeTask<'_>, cut: &Cut) -> Result<Option<Vec<Node>>> {
    let sets = cut.apply(task.leaves);
    for asked in task.combinations {
        let records = Records { sets: &sets, weights: task.weights, private: None };
        let counted = mine(records, asked, Listed::default(), Limits::default())?.counted;
        if let Some(failing) = counted.failing {
            return Ok(Some(failing.items));
        }
    }
    Ok(None)
}
