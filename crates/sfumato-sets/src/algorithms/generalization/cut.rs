//! A cut of an item tree: one node for each leaf, the same in all records.

use sfumato_core::column::Code as _;
use sfumato_core::transactions::{Builder, Transactions};
use sfumato_core::with_sets;

use super::{GeneralizedSets, TreeTask};
use crate::data::item_tree::{ItemTree, Node, ROOT};

/// A cut: the node that stands for each leaf, and leaves that are left out.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Cut {
    /// Whether a node is one of the cut.
    pub is_in: Vec<bool>,
    /// For each node that is a leaf, the node that stands for it. `None` if the leaf is left out;
    /// nothing is said of nodes that aren't leaves.
    pub of_leaf: Vec<Option<Node>>,
}

impl Cut {
    /// The cut that has the root alone. `suppressed` leaves are left out.
    pub fn root(tree: &ItemTree, suppressed: &[Node]) -> Self {
        let mut cut =
            Cut { is_in: vec![false; tree.n_nodes()], of_leaf: vec![None; tree.n_nodes()] };
        cut.set(tree, ROOT, suppressed);
        cut
    }

    /// The cut of all leaves.
    pub fn leaves(tree: &ItemTree, suppressed: &[Node]) -> Self {
        let mut cut = Cut::root(tree, suppressed);
        let mut open = vec![ROOT];
        while let Some(node) = open.pop() {
            if !tree.children(node).is_empty() {
                cut.expand(tree, node);
                open.extend(tree.children(node));
            }
        }
        cut
    }

    /// The nodes of the cut, ascending.
    pub fn nodes(&self) -> impl Iterator<Item = Node> + '_ {
        self.is_in.iter().zip(0..).filter(|(is_in, _)| **is_in).map(|(_, node)| node)
    }

    /// Put the children of a node in its place.
    pub fn expand(&mut self, tree: &ItemTree, node: Node) {
        self.is_in[node as usize] = false;
        for child in tree.children(node) {
            self.is_in[*child as usize] = true;
            self.stand(tree, *child);
        }
    }

    /// Put a node in the place of all nodes below it.
    pub fn collapse(&mut self, tree: &ItemTree, node: Node) {
        let mut open = tree.children(node).to_vec();
        while let Some(below) = open.pop() {
            if !std::mem::take(&mut self.is_in[below as usize]) {
                open.extend(tree.children(below));
            }
        }
        self.is_in[node as usize] = true;
        self.stand(tree, node);
    }

    /// Let a node stand for all leaves below it that aren't left out.
    fn stand(&mut self, tree: &ItemTree, node: Node) {
        let mut open = vec![node];
        while let Some(below) = open.pop() {
            let of_leaf = &mut self.of_leaf[below as usize];
            if tree.children(below).is_empty() && of_leaf.is_some() {
                *of_leaf = Some(node);
            }
            open.extend(tree.children(below));
        }
    }

    fn set(&mut self, tree: &ItemTree, node: Node, suppressed: &[Node]) {
        for leaf in (0..tree.n_nodes() as Node).filter(|node| tree.children(*node).is_empty()) {
            self.of_leaf[leaf as usize] = (!suppressed.contains(&leaf)).then_some(node);
        }
        self.is_in[node as usize] = true;
    }

    /// Append the nodes that stand for some leaves, ascending and each once.
    pub fn append(&self, leaves: impl Iterator<Item = Node>, nodes: &mut Vec<Node>) {
        let before = nodes.len();
        nodes.extend(leaves.filter_map(|leaf| self.of_leaf[leaf as usize]));
        // Trees are numbered in the order of leaves, so that most are in order already.
        if !nodes[before..].is_sorted() {
            nodes[before..].sort_unstable();
        }
        let mut kept = before;
        for at in before..nodes.len() {
            if at == before || nodes[at] != nodes[kept - 1] {
                nodes[kept] = nodes[at];
                kept += 1;
            }
        }
        nodes.truncate(kept);
    }

    /// What all records are published as.
    pub fn apply(&self, records: &Transactions) -> Transactions {
        let mut sets = Builder::new(records.n_items());
        let mut nodes: Vec<Node> = Vec::new();
        with_sets!(records, records => for record in records.iter() {
            nodes.clear();
            self.append(record.iter().map(|code| code.widen()), &mut nodes);
            sets.push(&nodes);
        });
        sets.finish()
    }

    /// The decision that this cut is.
    pub fn decide(&self, task: &TreeTask<'_>) -> GeneralizedSets {
        let is_left_out = |node: &Node| {
            task.tree.children(*node).is_empty() && self.of_leaf[*node as usize].is_none()
        };
        GeneralizedSets {
            of_record: (0..task.leaves.len() as u32).collect(),
            sets: self.apply(task.leaves),
            suppressed: (0..task.tree.n_nodes() as Node).filter(is_left_out).collect(),
        }
    }
}

/// How often the leaves below each node occur, all together.
pub fn instances(task: &TreeTask<'_>) -> Vec<u64> {
    let mut instances = vec![0; task.tree.n_nodes()];
    with_sets!(task.leaves, records => for (at, record) in records.iter().enumerate() {
        let weight = task.weight(at);
        record.iter().for_each(|leaf| instances[leaf.widen() as usize] += weight);
    });
    // Children have larger numbers than their parents.
    for node in (1..task.tree.n_nodes()).rev() {
        instances[task.tree.parent(node as Node) as usize] += instances[node];
    }
    instances
}

/// What a cut loses: for each instance of an item the share of all leaves that its node stands for,
/// and all of it where the item is left out.
pub fn loss(tree: &ItemTree, instances: &[u64], cut: &Cut) -> f64 {
    let leaves = (0..tree.n_nodes()).filter(|node| tree.children(*node as Node).is_empty());
    leaves
        .map(|leaf| {
            let ncp = cut.of_leaf[leaf].map_or(1.0, |node| tree.ncp(node));
            ncp * instances[leaf] as f64
        })
        .sum()
}
