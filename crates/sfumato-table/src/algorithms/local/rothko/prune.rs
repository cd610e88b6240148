//! Undoes wrong splits: a tree grown from a sample may have parts that can't be published.
//!
//! It works from the leaves to the root. If a part of a split fails, the parts that fail stay
//! together at the node, if children of hierarchies may do so, and are joined by the smallest
//! others if necessary. Otherwise everything below the node becomes one partition again.

use sfumato_core::group::Summary;
use sfumato_core::traits::Requirements;

use super::above::Words;
use super::sample::statistics::Group;
use super::sample::words::Splits;

/// The largest number of children that are added: the same as in memory.
const PULLED: usize = 4;

/// A partition that remains.
#[derive(Debug, Clone)]
pub struct Left {
    /// The partitions that it was divided into.
    pub parts: Vec<u32>,
    /// The number of tuples.
    pub rows: u64,
    /// The region that the splits left, by quasi column.
    pub region: Vec<Words>,
    /// Whether a workload may still gain something.
    pub guided: bool,
    /// The number of splits above.
    pub depth: u32,
    /// The counts of its tuples.
    group: Group,
}

/// What remains of a subtree.
struct Pruned {
    /// The partitions in the order of the tree; none if it has no tuples.
    left: Vec<Left>,
    /// Whether all of them may be published. If not, there is only one.
    holds: bool,
    /// The number of its nodes.
    nodes: u64,
}

/// The input of pruning.
pub struct Prune<'a> {
    /// The tree.
    pub splits: &'a Splits,
    /// The partition of each leaf.
    pub part_of_node: &'a [Option<u32>],
    /// The number of tuples of each partition, and its counts.
    pub parts: &'a [(u64, Group)],
    /// What must hold.
    pub requirements: &'a Requirements,
    /// The summary of all records.
    pub release: &'a Summary,
}

impl Prune<'_> {
    /// The partitions that remain, and how many nodes were pruned. A single partition is the root,
    /// and may be unpublishable.
    pub fn run(&self) -> (Vec<Left>, u64) {
        let mut pruned = 0;
        let outcome = self.node(0, &mut pruned);
        (outcome.left, pruned)
    }

    fn node(&self, place: usize, pruned: &mut u64) -> Pruned {
        let node = &self.splits.nodes[place];
        if let Some(part) = self.part_of_node[place] {
            let (rows, group) = &self.parts[part as usize];
            if *rows == 0 {
                return Pruned { left: Vec::new(), holds: true, nodes: 0 };
            }
            let (region, guided, depth) = (node.region.clone(), node.guided, node.depth);
            let left = Left {
                parts: vec![part],
                rows: *rows,
                region,
                guided,
                depth,
                group: group.clone(),
            };
            return self.outcome(left, 1);
        }
        let mut children: Vec<Pruned> = self
            .splits
            .tree
            .children(place)
            .iter()
            .map(|child| self.node(*child, pruned))
            .collect();
        if children.iter().all(|child| child.holds) {
            return gathered(children);
        }
        if node.may_keep
            && let Some(kept) = self.keep(place, &mut children, pruned)
        {
            children.push(kept);
            return gathered(children);
        }
        *pruned += children.iter().map(|child| child.nodes).sum::<u64>();
        self.outcome(self.merged(place, children.iter()), 1)
    }

    /// Remove the children that fail and keep them at the node, if that may be published; others
    /// join them until it may.
    fn keep(&self, place: usize, children: &mut Vec<Pruned>, pruned: &mut u64) -> Option<Pruned> {
        let rows = |outcome: &Pruned| outcome.left.iter().map(|left| left.rows).sum::<u64>();
        let mut stays: Vec<bool> = children.iter().map(|child| !child.holds).collect();
        if self.splits.tree.fork(place).is_some_and(|fork| fork.kept) {
            stays.last_mut().into_iter().for_each(|rest| *rest = true);
        }
        for _ in 0..=PULLED {
            let others = (0..children.len()).filter(|&i| !stays[i] && children[i].nodes > 0);
            // Nobody would be left to leave.
            let smallest = others.min_by_key(|&i| rows(&children[i]))?;
            let staying =
                || children.iter().zip(&stays).filter(|(_, stays)| **stays).map(|(child, _)| child);
            let mut kept = self.merged(place, staying());
            if kept.group.holds(self.requirements, self.release) {
                let first = &self.splits.nodes[self.splits.tree.children(place)[0]];
                (kept.guided, kept.depth) = (first.guided, first.depth);
                *pruned += staying().map(|child| child.nodes).sum::<u64>() - 1;
                let mut stays = stays.iter();
                children.retain(|_| stays.next() != Some(&true));
                return Some(Pruned { left: vec![kept], holds: true, nodes: 1 });
            }
            stays[smallest] = true;
        }
        None
    }

    /// Merge everything of some subtrees into one partition of a node.
    fn merged<'o>(&self, place: usize, outcomes: impl Iterator<Item = &'o Pruned>) -> Left {
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

    fn outcome(&self, left: Left, nodes: u64) -> Pruned {
        let holds = left.group.holds(self.requirements, self.release);
        Pruned { left: vec![left], holds, nodes }
    }
}

/// A node whose parts may all be published.
fn gathered(children: Vec<Pruned>) -> Pruned {
    let nodes: u64 = children.iter().map(|child| child.nodes).sum();
    // Of a node without tuples nothing is left.
    Pruned {
        nodes: if nodes == 0 { 0 } else { nodes + 1 },
        holds: true,
        left: children.into_iter().flat_map(|child| child.left).collect(),
    }
}

#[cfg(test)]
mod tests {
    use sfumato_core::traits::{Measure, Requirement};

    use super::*;
    use crate::algorithms::local::rothko::sample::words::Node;
    use crate::algorithms::local::rothko::split_tree::{Fork, SplitTree};

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

    /// A tree given by its splits in the order in which they are made: which leaf, into how many
    /// parts, and whether the last part takes the rest.
    fn tree(made: &[(usize, usize, bool)]) -> Splits {
        let mut splits = Splits { tree: SplitTree::new(), nodes: Vec::new() };
        for &(leaf, n_parts, kept) in made {
            let parts: Vec<Words> = (0..n_parts as u64 - u64::from(kept))
                .map(|word| Words { min: word, max: word })
                .collect();
            splits.tree.split(leaf, Fork { column: 0, parts, kept, lent: Vec::new() });
        }
        let may_keep = |place: usize| splits.tree.fork(place).is_some_and(|fork| fork.kept);
        let node = |place: usize| Node {
            region: vec![Words { min: place as u64, max: 99 }],
            guided: true,
            depth: 0,
            may_keep: may_keep(place),
        };
        splits.nodes = (0..splits.tree.len()).map(node).collect();
        splits
    }

    fn prune(splits: &Splits, rows: &[u64], k: u64) -> (Vec<(Vec<u32>, u64, u64)>, u64) {
        let requirements = Requirements::new(vec![Box::new(AtLeast(k))]);
        let parts: Vec<(u64, Group)> =
            rows.iter().map(|rows| (*rows, Group::Known(Summary::of_count(*rows)))).collect();
        let (left, pruned) = prune_groups(splits, &parts, &requirements);
        (left.into_iter().map(|left| (left.parts, left.rows, left.region[0].min)).collect(), pruned)
    }

    fn prune_groups(
        splits: &Splits,
        parts: &[(u64, Group)],
        requirements: &Requirements,
    ) -> (Vec<Left>, u64) {
        let release = &Summary::of_count(parts.iter().map(|(rows, _)| rows).sum());
        let part_of_node = &splits.parts().0;
        Prune { splits, part_of_node, parts, requirements, release }.run()
    }

    #[test]
    fn what_fails_is_merged_at_its_parent() {
        // The seed's example: 0 has 1 and 2; 1 has 3, 4; 2 has 5, 6; 6 has 7, 8.
        let splits = tree(&[(0, 2, false), (1, 2, false), (2, 2, false), (6, 2, false)]);
        // Leaves are 3, 4, 5, 7, 8 in this order.
        assert_eq!(prune(&splits, &[10, 10, 10, 10, 10], 10).1, 0);
        let (left, pruned) = prune(&splits, &[10, 10, 10, 9, 11], 10);
        let expected =
            vec![(vec![0], 10, 3), (vec![1], 10, 4), (vec![2], 10, 5), (vec![3, 4], 20, 6)];
        assert_eq!((left, pruned), (expected, 2));
        // A leaf beside a subtree fails: the subtree goes too.
        let (left, pruned) = prune(&splits, &[10, 10, 9, 20, 20], 10);
        let expected = vec![(vec![0], 10, 3), (vec![1], 10, 4), (vec![2, 3, 4], 49, 2)];
        assert_eq!((left, pruned), (expected, 4));
        // Everything is pruned.
        let (left, pruned) = prune(&splits, &[3, 3, 3, 3, 3], 10);
        assert_eq!((left, pruned), (vec![(vec![0, 1, 2, 3, 4], 15, 0)], 8));
    }

    #[test]
    fn children_that_fail_may_stay_at_the_node() {
        let splits = tree(&[(0, 4, true)]);
        // Nobody has the codes of the rest.
        assert_eq!(prune(&splits, &[10, 10, 10, 0], 10).0.len(), 3);
        // Two that fail are enough together.
        let (left, pruned) = prune(&splits, &[6, 20, 6, 0], 10);
        assert_eq!((left, pruned), (vec![(vec![1], 20, 2), (vec![0, 2], 12, 0)], 1));
        // The rest fails and takes the smallest.
        let (left, pruned) = prune(&splits, &[20, 12, 20, 1], 10);
        assert_eq!(
            (left, pruned),
            (vec![(vec![0], 20, 1), (vec![2], 20, 3), (vec![1, 3], 13, 0)], 1)
        );
        // Nobody is left to leave.
        assert_eq!(prune(&splits, &[3, 9, 3, 1], 10), (vec![(vec![0, 1, 2, 3], 16, 0)], 4));
        assert_eq!(prune(&splits, &[3, 12, 2, 1], 10), (vec![(vec![0, 1, 2, 3], 18, 0)], 4));
    }

    #[test]
    fn what_could_not_be_counted_is_merged() {
        let splits = tree(&[(0, 2, false)]);
        let requirements = Requirements::new(vec![Box::new(AtLeast(1))]);
        let (left, pruned) =
            prune_groups(&splits, &[(5, Group::Unknown), (5, Group::Unknown)], &requirements);
        assert_eq!((left.len(), left[0].rows, pruned), (1, 10, 2));
    }
}
