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
    let nodes: u64 = children.iter().map(|child| child.nodes).sum();
    // Of a node without tuples nothing is left.
    Outcome {
        nodes: if nodes == 0 { 0 } else { nodes + 1 },
        holds: true,
        left: children.into_iter().flat_map(|child| child.left).collect(),
    }
}

#[cfg(test)]
mod tests {
    use sfumato_core::traits::{Measure, Requirement};

    use super::*;
    use crate::table::local::rothko::sample::words::Node;

    struct AtLeast(u64);
    impl Requirement for AtLeast {
        fn describe(&self) -> String {
            String::new()
        }
        fn model(&self) -> &'static str {
            "at least"
        }
        fn is_monotone(&self) -> bool {
            true
        }
        fn holds(&self, group: &Summary, _: &Summary) -> bool {
            group.people >= self.0
        }
        fn measures(&self) -> Vec<Measure> {
            Vec::new()
        }
        fn measure(&self, _: &Summary, _: &Summary) -> Vec<f64> {
            Vec::new()
        }
        fn min_people(&self) -> u64 {
            self.0
        }
        fn is_count_only(&self) -> bool {
            true
        }
    }

    /// A tree by its nodes: the children of each, the last being the rest where there may be one; leaves have none.
    fn tree(nodes: &[(&[usize], bool)]) -> Splits {
        let node = |(place, (children, may_keep)): (usize, &(&[usize], bool))| {
            let fate = match children.split_last() {
                None => Fate::Part(0),
                Some((rest, first)) if *may_keep => Fate::Split(Split {
                    by: 0,
                    leaving: (0..first.len() as u64).map(|word| (word, word)).collect(),
                    children: first.to_vec(),
                    rest: Some(*rest),
                    may_keep: true,
                }),
                Some(_) => Fate::Split(Split {
                    by: 0,
                    leaving: (0..children.len() as u64).map(|word| (word, word)).collect(),
                    children: children.to_vec(),
                    rest: None,
                    may_keep: false,
                }),
            };
            Node { region: vec![(place as u64, 99)], guided: true, depth: 0, fate }
        };
        let nodes: Vec<Node> = nodes.iter().enumerate().map(node).collect();
        Splits { n_parts: 0, nodes }.numbered()
    }

    fn prune(splits: &Splits, rows: &[u64], k: u64) -> (Vec<(Vec<u32>, u64, u64)>, u64) {
        let requirements = Requirements::new(vec![Box::new(AtLeast(k))]);
        let parts: Vec<(u64, Group)> =
            rows.iter().map(|rows| (*rows, Group::Known(Summary::of_count(*rows)))).collect();
        let release = Summary::of_count(rows.iter().sum());
        let (left, pruned) =
            Prune { splits, parts: &parts, requirements: &requirements, release: &release }.run();
        (left.into_iter().map(|left| (left.parts, left.rows, left.region[0].0)).collect(), pruned)
    }

    #[test]
    fn what_fails_is_merged_at_its_parent() {
        // The seed's example: 0 has 1 and 2; 1 has 3, 4; 2 has 5, 6; 6 has 7, 8.
        let splits = tree(&[
            (&[1, 2], false),
            (&[3, 4], false),
            (&[5, 6], false),
            (&[], false),
            (&[], false),
            (&[], false),
            (&[7, 8], false),
            (&[], false),
            (&[], false),
        ]);
        // Leaves are 3, 4, 5, 7, 8 in this order.
        assert_eq!(prune(&splits, &[10, 10, 10, 10, 10], 10).1, 0);
        let (left, pruned) = prune(&splits, &[10, 10, 10, 9, 11], 10);
        let expected = vec![(vec![0], 10, 3), (vec![1], 10, 4), (vec![2], 10, 5), (vec![3, 4], 20, 6)];
        assert_eq!((left, pruned), (expected, 2));
        // A leaf beside a subtree fails: the subtree goes too.
        let (left, pruned) = prune(&splits, &[10, 10, 9, 20, 20], 10);
        let expected = vec![(vec![0], 10, 3), (vec![1], 10, 4), (vec![2, 3, 4], 49, 2)];
        assert_eq!((left, pruned), (expected, 4));
        // Everything.
        let (left, pruned) = prune(&splits, &[3, 3, 3, 3, 3], 10);
        assert_eq!((left, pruned), (vec![(vec![0, 1, 2, 3, 4], 15, 0)], 8));
    }

    #[test]
    fn children_that_fail_may_stay_at_the_node() {
        let splits = tree(&[(&[1, 2, 3, 4], true), (&[], false), (&[], false), (&[], false), (&[], false)]);
        // Nobody has the codes of the rest.
        assert_eq!(prune(&splits, &[10, 10, 10, 0], 10).0.len(), 3);
        // Two that fail are enough together.
        let (left, pruned) = prune(&splits, &[6, 20, 6, 0], 10);
        assert_eq!((left, pruned), (vec![(vec![1], 20, 2), (vec![0, 2], 12, 0)], 1));
        // The rest fails and takes the smallest.
        let (left, pruned) = prune(&splits, &[20, 12, 20, 1], 10);
        assert_eq!((left, pruned), (vec![(vec![0], 20, 1), (vec![2], 20, 3), (vec![1, 3], 13, 0)], 1));
        // Nobody is left to leave.
        assert_eq!(prune(&splits, &[3, 9, 3, 1], 10), (vec![(vec![0, 1, 2, 3], 16, 0)], 4));
        assert_eq!(prune(&splits, &[3, 12, 2, 1], 10), (vec![(vec![0, 1, 2, 3], 18, 0)], 4));
    }

    #[test]
    fn what_could_not_be_counted_is_merged() {
        let splits = tree(&[(&[1, 2], false), (&[], false), (&[], false)]);
        let requirements = Requirements::new(vec![Box::new(AtLeast(1))]);
        let parts = [(5, Group::Unknown), (5, Group::Unknown)];
        let release = Summary::of_count(10);
        let (left, pruned) =
            Prune { splits: &splits, parts: &parts, requirements: &requirements, release: &release }.run();
        assert_eq!((left.len(), left[0].rows, pruned), (1, 10, 2));
    }
}
