//! Undoing splits that were made in error: a tree grown from a sample may have parts that can't be published.
//!
//! From the leaves to the root. Where a part of a split fails, the parts that fail stay together at the node if hierarchies' children may
//! do so, and get company of the smallest others if they must; else everything below the node becomes one partition again.

use sfumato_core::group::Summary;
use sfumato_core::traits::Requirements;

use super::sample::statistics::Group;
use super::sample::words::{Fate, Split, Splits};

/// So many children are pulled in at most: as many as where everything is in memory.
const PULLED: usize = 4;

/// A partition that is left.
#[derive(Debug, Clone)]
pub struct Left {
    /// The partitions that it was divided into.
    pub parts: Vec<u32>,
    /// How many tuples.
    pub rows: u64,
    /// What the splits left to each quasi column.
    pub region: Vec<(u64, u64)>,
    /// Whether a workload may have something to say.
    pub guided: bool,
    /// How many splits led to it.
    pub depth: u32,
    /// What is known of it.
    group: Group,
}

/// What is left of a subtree.
struct Outcome {
    /// In the order of the tree; none if it has no tuples.
    left: Vec<Left>,
    /// Whether all of them may be published. If not it is only one.
    holds: bool,
    /// Its nodes.
    nodes: u64,
}

/// What pruning needs.
pub struct Prune<'a> {
    /// The tree.
    pub splits: &'a Splits,
    /// The tuples of each leaf and what is known of them.
    pub parts: &'a [(u64, Group)],
    /// What must hold.
    pub requirements: &'a Requirements,
    /// The summary of all records.
    pub release: &'a Summary,
}

impl Prune<'_> {
    /// The partitions that are left, and how many nodes were pruned. A single one is the root, and may be unpublishable.
    pub fn run(&self) -> (Vec<Left>, u64) {
        let mut pruned = 0;
        let outcome = self.node(0, &mut pruned);
        (outcome.left, pruned)
    }

    fn node(&self, place: usize, pruned: &mut u64) -> Outcome {
        let node = &self.splits.nodes[place];
        let split = match &node.fate {
            Fate::Part(part) => {
                let (rows, group) = &self.parts[*part as usize];
                if *rows == 0 {
                    return Outcome { left: Vec::new(), holds: true, nodes: 0 };
                }
                let (region, guided, depth) = (node.region.clone(), node.guided, node.depth);
                let left =
                    Left { parts: vec![*part], rows: *rows, region, guided, depth, group: group.clone() };
                return self.outcome(left, 1);
            }
            Fate::Split(split) => split,
        };
        let mut children: Vec<Outcome> =
            split.children.iter().map(|child| self.node(*child, pruned)).collect();
        let rest = split.rest.map(|rest| self.node(rest, pruned));
        let fails = |outcome: &Outcome| !outcome.holds;
        if children.iter().chain(&rest).any(fails) && split.may_keep {
            let kept = self.keep(place, split, &mut children, rest.as_ref(), pruned);
            if let Some(kept) = kept {
                children.push(kept);
                return gathered(children);
            }
        }
        children.extend(rest);
        if children.iter().all(|child| child.holds) {
            return gathered(children);
        }
        *pruned += children.iter().map(|child| child.nodes).sum::<u64>();
        self.outcome(self.merged(place, children.iter()), 1)
    }

    /// Take the children that fail away and keep them with what stays at the node, if that may be published; others join them until it may.
    fn keep(
        &self,
        place: usize,
        split: &Split,
        children: &mut Vec<Outcome>,
        rest: Option<&Outcome>,
        pruned: &mut u64,
    ) -> Option<Outcome> {
        let rows = |outcome: &Outcome| outcome.left.iter().map(|left| left.rows).sum::<u64>();
        let mut stays: Vec<bool> = children.iter().map(|child| !child.holds).collect();
        for _ in 0..=PULLED {
            let leaves = |(child, stays): (&Outcome, &bool)| !stays && child.nodes > 0;
            if !children.iter().zip(&stays).any(leaves) {
                return None;
            }
            let staying = || {
                children.iter().zip(&stays).filter(|(_, stays)| **stays).map(|(child, _)| child).chain(rest)
            };
            let mut kept = self.merged(place, staying());
            if kept.group.holds(self.requirements, self.release) {
                let first = &self.splits.nodes[split.children[0]];
                (kept.guided, kept.depth) = (first.guided, first.depth);
                *pruned += staying().map(|child| child.nodes).sum::<u64>() - 1;
                let mut stays = stays.iter();
                children.retain(|_| stays.next() != Some(&true));
                return Some(Outcome { left: vec![kept], holds: true, nodes: 1 });
            }
            let others = children.iter().enumerate().filter(|(i, child)| !stays[*i] && child.nodes > 0);
            let smallest = others.min_by_key(|(_, child)| rows(child))?.0;
            stays[smallest] = true;
        }
        None
    }

    /// Everything of some subtrees as one partition of a node.
    fn merged<'o>(&self, place: usize, outcomes: impl Iterator<Item = &'o Outcome>) -> Left {
        let node = &self.splits.nodes[place];
        let mut merged: Option<Left> = None;
        for left in outcomes.flat_map(|outcome| &outcome.left) {
            match &mut merged {
                None => merged = Some(left.clone()),
                Some(merged) => {
                    merged.parts.extend(&left.parts);
                    merged.rows += left.rows;
                    merged.group.merge(&left.group, self.requirements);
                }
            }
        }
        let mut merged = merged.unwrap_or(Left {
            parts: Vec::new(),
            rows: 0,
            region: Vec::new(),
            guided: true,
            depth: 0,
            group: Group::Unknown,
        });
        merged.region.clone_from(&node.region);
        (merged.guided, merged.depth) = (node.guided, node.depth);
        merged.parts.sort_unstable();
        merged
    }

    fn outcome(&self, left: Left, nodes: u64) -> Outcome {
        let holds = left.group.holds(self.requirements, self.release);
        Outcome { left: vec![left], holds, nodes }
    }
}

/// A node whose parts may all be published.
fn gathered(children: Vec<Outcome>) -> Outcome {
    let nodes = children.iter().map(|child| child.nodes).sum();
    // Of a node without tuples nothing is left.
    Outcome { nodes: if nodes == 0 { 0 } else { nodes + 1 }, holds: true, left: children.into_iter().flat_map(|child| child.left).collect() }
}
