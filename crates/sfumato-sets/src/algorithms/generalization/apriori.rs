//! From the leaves up: each rare combination is generalized until it occurs often enough, the
//! cheapest way first.

use std::collections::BinaryHeap;

use sfumato_core::column::Code as _;
use sfumato_core::combinations::AskedCombinations;
use sfumato_core::{Error, FastMap, FastSet, Result, with_sets};
use sfumato_kernels::itemsets::{Limits, Listed, Records, mine};

use super::TreeTask;
use super::cut::{Cut, instances};
use crate::data::item_tree::{ItemTree, Node, ROOT};

/// A cut that keeps a promise about combinations. `sizes` are the sizes of combinations that are
/// repaired one after the other.
pub(super) fn repair(
    task: &TreeTask<'_>,
    cut: &mut Cut,
    asked: &AskedCombinations,
    sizes: impl Iterator<Item = usize>,
) -> Result<()> {
    let mut repair = Repair {
        task,
        instances: instances(task),
        records_of: records_of(task),
        lists: FastMap::default(),
    };
    for size in sizes {
        loop {
            task.check_cancelled()?;
            let sets = cut.apply(task.leaves);
            let records = Records { sets: &sets, weights: task.weights, private: None };
            let asked = AskedCombinations { size, ..*asked };
            let listed = Listed { failing: true, passing: false };
            let mined = mine(records, &asked, listed, Limits::default())?;
            if mined.counted.failing.as_ref().is_some_and(|failing| failing.items.is_empty()) {
                return Err(Error::infeasible(format!(
                    "k is {}, and there are {} records",
                    asked.required, mined.counted.support.least
                ))
                .hint("ask for a smaller k, or bring more data"));
            }
            if mined.counted.failing.is_none() {
                break;
            }
            for (items, _) in mined.failing.iter().flat_map(|list| list.iter()) {
                // What was generalized since may have repaired it.
                if items.iter().all(|node| cut.is_in[*node as usize]) {
                    repair.generalize(cut, items, asked.required)?;
                }
            }
        }
    }
    Ok(())
}

struct Repair<'a> {
    task: &'a TreeTask<'a>,
    instances: Vec<u64>,
    records_of: Vec<Vec<u32>>,
    /// The records of nodes that were asked for.
    lists: FastMap<Node, Vec<u32>>,
}

/// A way to generalize a combination: what it costs, and the nodes in the order of its items.
#[derive(PartialEq)]
struct Way {
    cost: f64,
    nodes: Vec<Node>,
}

impl Eq for Way {}
impl PartialOrd for Way {
    fn partial_cmp(&self, other: &Self) -> Option<std::cmp::Ordering> {
        Some(self.cmp(other))
    }
}
impl Ord for Way {
    /// The cheapest is the largest, so that it comes out of a heap first.
    fn cmp(&self, other: &Self) -> std::cmp::Ordering {
        other.cost.total_cmp(&self.cost).then_with(|| other.nodes.cmp(&self.nodes))
    }
}

impl Repair<'_> {
    /// Generalize the nodes of a rare combination in the cheapest way in which enough records have
    /// it.
    fn generalize(&mut self, cut: &mut Cut, items: &[Node], required: u64) -> Result<()> {
        let tree = self.task.tree;
        let mut open = BinaryHeap::from([Way { cost: 0.0, nodes: items.to_vec() }]);
        let mut seen: FastSet<Vec<Node>> = FastSet::default();
        while let Some(Way { nodes, .. }) = open.pop() {
            let raised: Vec<Node> =
                nodes.iter().zip(items).filter(|(a, b)| a != b).map(|(node, _)| *node).collect();
            let top = topmost(tree, &nodes);
            if !raised.is_empty() && self.support(&top) >= required {
                raised.iter().filter(|node| top.contains(node)).for_each(|node| {
                    cut.collapse(tree, *node);
                });
                return Ok(());
            }
            for place in (0..nodes.len()).filter(|place| nodes[*place] != ROOT) {
                let mut next = nodes.clone();
                next[place] = tree.parent(next[place]);
                if seen.insert(next.clone()) {
                    let moved = next.iter().zip(items).filter(|(a, b)| a != b);
                    let moved: Vec<Node> = moved.map(|(node, _)| *node).collect();
                    let raised = topmost(tree, &moved);
                    let cost = raised.iter().map(|node| self.added_loss(cut, *node)).sum();
                    open.push(Way { cost, nodes: next });
                }
            }
        }
        Err(Error::internal("the root doesn't occur often enough"))
    }

    /// What it costs that a node takes the place of all below it.
    fn added_loss(&self, cut: &Cut, node: Node) -> f64 {
        let tree = self.task.tree;
        let lost = |node: Node| tree.ncp(node) * self.instances[node as usize] as f64;
        let (mut below, mut open) = (0.0, vec![node]);
        while let Some(at) = open.pop() {
            match cut.is_in[at as usize] {
                true => below += lost(at),
                false => open.extend(tree.children(at)),
            }
        }
        lost(node) - below
    }

    /// How many records have something below each of some nodes.
    fn support(&mut self, nodes: &[Node]) -> u64 {
        for node in nodes {
            if !self.lists.contains_key(node) {
                let list = self.list(*node);
                self.lists.insert(*node, list);
            }
        }
        let lists: Vec<&Vec<u32>> = nodes.iter().map(|node| &self.lists[node]).collect();
        let Some(shortest) = lists.iter().min_by_key(|list| list.len()) else { return 0 };
        let in_all = |record: &&u32| lists.iter().all(|list| list.binary_search(record).is_ok());
        let records = shortest.iter().filter(in_all);
        records.map(|record| self.task.weight(*record as usize)).sum()
    }

    /// The records that have something below a node, ascending.
    fn list(&self, node: Node) -> Vec<u32> {
        let (mut list, mut open) = (Vec::new(), vec![node]);
        while let Some(at) = open.pop() {
            list.extend(&self.records_of[at as usize]);
            open.extend(self.task.tree.children(at));
        }
        list.sort_unstable();
        list.dedup();
        list
    }
}

/// The nodes that no other of them is above, each once.
fn topmost(tree: &ItemTree, nodes: &[Node]) -> Vec<Node> {
    let is_below =
        |node: Node| nodes.iter().any(|other| *other != node && tree.covers(*other, node));
    let mut top: Vec<Node> = nodes.iter().copied().filter(|node| !is_below(*node)).collect();
    top.sort_unstable();
    top.dedup();
    top
}

/// The records of each leaf.
fn records_of(task: &TreeTask<'_>) -> Vec<Vec<u32>> {
    let mut records_of: Vec<Vec<u32>> = vec![Vec::new(); task.tree.n_nodes()];
    with_sets!(task.leaves, records => for (record, set) in records.iter().enumerate() {
        set.iter().for_each(|leaf| records_of[leaf.widen() as usize].push(record as u32));
    });
    records_of
}
