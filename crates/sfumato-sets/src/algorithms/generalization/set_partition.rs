//! Top-down local partitioning: records that are published alike are divided by what they have
//! below one node after the other.

use rayon::prelude::*;
use sfumato_core::column::Code as _;
use sfumato_core::facts::{Fact, Hiding};
use sfumato_core::registry::{Capabilities, Info, Params};
use sfumato_core::transactions::Builder;
use sfumato_core::{Error, FastMap, Result, with_sets};

use super::{GeneralizedSets, TreeAlgorithm, TreeTask, papers};
use crate::data::item_tree::{ItemTree, Node, ROOT};

/// The algorithm.
pub struct SetPartition;

static INFO: Info = Info {
    name: "set-partition",
    summary: "begins with all records as the root and divides them by what they have below a node, \
        as long as k records stay alike",
    papers: &[papers::HE],
    doc: include_str!("set_partition.md"),
    capabilities: Capabilities {
        serves: &[Fact::Hiding(Hiding::Copies)],
        needs_hierarchies: true,
        ignores: &["max_suppression", "metric"],
        ..Capabilities::DEFAULT
    },
    ..Info::DEFAULT
};

/// Records that are published alike.
struct Part {
    records: Vec<u32>,
    /// The nodes that they are published as, ascending.
    nodes: Vec<Node>,
    /// Nodes that can't be expanded any more.
    closed: Vec<Node>,
}

/// A way to divide a part by the children of a node.
struct Split {
    node: Node,
    /// The children that records have, and the records that have exactly these.
    groups: Vec<(Vec<Node>, Vec<u32>)>,
    /// The records that stay as they are.
    rest: Vec<u32>,
    gain: f64,
}

impl TreeAlgorithm for SetPartition {
    fn info(&self) -> &'static Info {
        &INFO
    }
    fn anonymize(&self, _: &Params, task: &TreeTask<'_>) -> Result<GeneralizedSets> {
        let n = task.leaves.len();
        let (empty, with_items): (Vec<u32>, Vec<u32>) =
            (0..n as u32).partition(|record| task.leaves.size(*record as usize) == 0);
        // Records without items are published without any: they must be enough by themselves.
        for part in [&empty, &with_items] {
            if !part.is_empty() && (part.len() as u64) < task.k {
                return Err(Error::infeasible(format!(
                    "k is {}, and {} records have items, {} have none",
                    task.k,
                    with_items.len(),
                    empty.len()
                ))
                .hint(
                    "nothing is published of a record without items: leave these out, or ask \
                    for a smaller k",
                ));
            }
        }
        let mut done: Vec<(Vec<u32>, Vec<Node>)> = Vec::new();
        if !empty.is_empty() {
            done.push((empty, Vec::new()));
        }
        let mut open = Vec::new();
        if !with_items.is_empty() {
            open.push(Part { records: with_items, nodes: vec![ROOT], closed: Vec::new() });
        }
        while !open.is_empty() {
            task.check_cancelled()?;
            let divided: Vec<Vec<Part>> =
                open.into_par_iter().map(|part| divide(task, part)).collect();
            open = Vec::new();
            for parts in divided {
                match <[Part; 1]>::try_from(parts) {
                    Ok([part]) => done.push((part.records, part.nodes)),
                    Err(parts) => open.extend(parts),
                }
            }
        }
        let mut sets = Builder::new(task.tree.n_nodes());
        let mut of_record = vec![0; n];
        for (which, (records, nodes)) in done.iter().enumerate() {
            sets.push(nodes);
            records.iter().for_each(|record| of_record[*record as usize] = which as u32);
        }
        Ok(GeneralizedSets { of_record, sets: sets.finish(), suppressed: Vec::new() })
    }
}

/// Divide a part in the way that gains most. One part comes back if there is no way.
fn divide(task: &TreeTask<'_>, part: Part) -> Vec<Part> {
    let tree = task.tree;
    let mut best: Option<Split> = None;
    let mut closed = part.closed.clone();
    for node in &part.nodes {
        if tree.children(*node).is_empty() || part.closed.contains(node) {
            continue;
        }
        match split(task, &part, *node) {
            // Some of the records rarely can where all of them can't.
            None => closed.push(*node),
            Some(split) if best.as_ref().is_none_or(|best| split.gain > best.gain) => {
                best = Some(split);
            }
            Some(_) => {}
        }
    }
    let Some(Split { node, groups, rest, .. }) = best else { return vec![part] };
    let others: Vec<Node> = part.nodes.iter().copied().filter(|other| *other != node).collect();
    let part_of = |(children, records): (Vec<Node>, Vec<u32>)| {
        let mut nodes = [&others[..], &children].concat();
        nodes.sort_unstable();
        Part { records, nodes, closed: closed.clone() }
    };
    let mut parts: Vec<Part> = groups.into_iter().map(part_of).collect();
    if !rest.is_empty() {
        let nodes = part.nodes;
        let closed = [&closed[..], &[node]].concat();
        parts.push(Part { records: rest, nodes, closed });
    }
    // A part that is alone may be done or not: it is if it can't be divided again.
    if parts.len() == 1 {
        return parts.into_iter().flat_map(|part| divide(task, part)).collect();
    }
    parts
}

/// Divide records by the children of a node that they have. `None` if too few would be left
/// together.
fn split(task: &TreeTask<'_>, part: &Part, node: Node) -> Option<Split> {
    let tree = task.tree;
    let k = task.k as usize;
    let mut places: FastMap<Vec<Node>, usize> = FastMap::default();
    let mut groups: Vec<(Vec<Node>, Vec<u32>, f64)> = Vec::new();
    with_sets!(task.leaves, records => for record in &part.records {
        let (mut children, mut gain): (Vec<Node>, f64) = (Vec::new(), 0.0);
        for leaf in records.get(*record as usize).iter().map(|leaf| leaf.widen()) {
            if let Some(child) = child_above(tree, node, leaf) {
                if !children.contains(&child) {
                    children.push(child);
                }
                gain += tree.ncp(node) - tree.ncp(child);
            }
        }
        children.sort_unstable();
        let place = *places.entry(children).or_insert_with_key(|children| {
            groups.push((children.clone(), Vec::new(), 0.0));
            groups.len() - 1
        });
        groups[place].1.push(*record);
        groups[place].2 += gain;
    });
    // Those with most records come first, and among these the first in the tree.
    groups.sort_by(|a, b| b.1.len().cmp(&a.1.len()).then_with(|| a.0.cmp(&b.0)));
    let n_large = groups.partition_point(|(_, records, _)| records.len() >= k);
    if n_large == 0 {
        return None;
    }
    let mut rest: Vec<u32> = groups.drain(n_large..).flat_map(|(_, records, _)| records).collect();
    // Too few would stay: others from the largest groups stay with them.
    while !rest.is_empty() && rest.len() < k {
        let (_, records, gain) = groups.iter_mut().max_by_key(|(_, records, _)| records.len())?;
        if records.len() <= k {
            return None;
        }
        *gain -= *gain / records.len() as f64;
        rest.extend(records.pop());
    }
    let gain = groups.iter().map(|(_, _, gain)| *gain).sum();
    let groups = groups.into_iter().map(|(children, records, _)| (children, records)).collect();
    Some(Split { node, groups, rest, gain })
}

/// The child of a node that is above a leaf. `None` if the node isn't above it.
fn child_above(tree: &ItemTree, node: Node, leaf: Node) -> Option<Node> {
    let mut at = leaf;
    while at > node {
        let parent = tree.parent(at);
        if parent == node {
            return Some(at);
        }
        at = parent;
    }
    None
}
