//! Converts a tree that was grown from a sample into one that can route every tuple: with intervals
//! of words instead of codes.
//!
//! Tuples may have values that no sampled one has. Between two sampled values of an ordered column
//! they go where the cut is; below a child of a hierarchy's node that wasn't sampled they stay at
//! the node.

use std::collections::BinaryHeap;

use sfumato_core::dataset::Table;

use crate::algorithms::local::mondrian::record::{Grown, GrownSplit};
use crate::algorithms::local::rothko::above::Words;
use crate::algorithms::local::rothko::split_tree::{Fork, SplitTree};
use crate::data::tuples::{Axis, Cells, Frame};

/// A tree of splits, with the state of its nodes.
#[derive(Debug, Clone)]
pub struct Splits {
    /// The routing of tuples.
    pub tree: SplitTree,
    /// The state of each node of the tree.
    pub nodes: Vec<Node>,
}

/// The state of a node.
#[derive(Debug, Clone)]
pub struct Node {
    /// The region that the splits left, by quasi column.
    pub region: Vec<Words>,
    /// Whether a workload may still gain something by its split.
    pub guided: bool,
    /// The number of splits above.
    pub depth: u32,
    /// Whether parts of its split that can't be published may stay together.
    pub may_keep: bool,
}

/// Converts codes of a sample into words.
pub struct Translation<'a> {
    /// The columns.
    pub frame: &'a Frame,
    /// The sample.
    pub table: &'a Table,
    /// Whether children that can't be published may stay together.
    pub leftovers: bool,
    /// Whether the sample is the whole population.
    pub is_whole: bool,
}

impl Translation<'_> {
    /// The tree in words, below a region, with at most `max_parts` leaves: the largest nodes are
    /// split first.
    pub fn splits(&self, grown: &Grown, region: Vec<Words>, max_parts: usize) -> Splits {
        let open = opened(grown, max_parts);
        let root = &grown.nodes[0];
        let root = Node { region, guided: root.guided, depth: root.depth, may_keep: false };
        let mut splits = Splits { tree: SplitTree::new(), nodes: vec![root] };
        // Nodes of the grown tree with their places in the new one.
        let mut waiting = vec![(0, 0)];
        while let Some((node, place)) = waiting.pop() {
            if let Some(split) = grown.nodes[node].split.as_ref().filter(|_| open[node]) {
                self.split(grown, split, place, &mut splits, &mut waiting);
            }
        }
        splits
    }

    /// Split a leaf of the new tree like one of the grown tree.
    fn split(
        &self,
        grown: &Grown,
        split: &GrownSplit,
        place: usize,
        splits: &mut Splits,
        waiting: &mut Vec<(usize, usize)>,
    ) {
        let by = self.frame.quasi()[split.column];
        let axis = self.frame.columns[by].axis();
        let is_tree = matches!(axis, Axis::Tree(_));
        let Node { region, depth, .. } = splits.nodes[place].clone();
        let whole = region[split.column];
        let n_leaving = split.regions.len() - usize::from(split.kept);
        let mut parts: Vec<Words> =
            split.regions[..n_leaving].iter().map(|&codes| self.words(by, codes)).collect();
        let at_missing = parts.iter().any(|part| part.min == axis.missing());
        if !is_tree && !split.kept {
            // Values outside the sample's lie on the side of the nearest one, and so does missing.
            parts.first_mut().into_iter().for_each(|part| part.min = whole.min);
            parts.last_mut().into_iter().for_each(|part| part.max = whole.max);
        }
        let kept = split.kept || !covers(&parts, whole);
        let mut regions: Vec<Words> = parts
            .iter()
            .map(|part| Words { min: part.min.max(whole.min), max: part.max.min(whole.max) })
            .collect();
        // Those who stay may have any word, unless everybody was seen.
        regions.extend(kept.then(|| match split.kept && self.is_whole {
            true => self.words(by, split.regions[n_leaving]),
            false => whole,
        }));
        let children = splits.tree.split(place, Fork { column: by, parts, kept, lent: Vec::new() });
        splits.nodes[place].may_keep = self.leftovers && (is_tree || at_missing || split.kept);
        let guided = grown.nodes[split.children[0]].guided;
        for words in regions {
            let mut region = region.clone();
            region[split.column] = words;
            splits.nodes.push(Node { region, guided, depth: depth + 1, may_keep: false });
        }
        // One that was added for those without a place has no node in the grown tree.
        waiting.extend(split.children.iter().copied().zip(children));
    }

    /// The words of an interval of codes: up to the next sampled value, which is excluded.
    fn words(&self, by: usize, (first, last): (u32, u32)) -> Words {
        let column = &self.frame.columns[by];
        let Cells::Keys { least, n_words } = column.cells else {
            return Words { min: u64::from(first), max: u64::from(last) };
        };
        // The subject isn't among the columns of a table.
        let place = by - usize::from(self.frame.subject.is_some_and(|subject| subject < by));
        let domain = &self.table.columns[place].domain;
        let word =
            |code: u32| domain.key(code).map_or(n_words, |key| key.wrapping_sub(least) as u64);
        Words {
            min: if first == 0 { 0 } else { word(first) },
            max: if last >= domain.missing() { n_words } else { word(last + 1) - 1 },
        }
    }
}

impl Splits {
    /// For each node the number of its partition if it is a leaf, and the number of leaves.
    pub fn parts(&self) -> (Vec<Option<u32>>, usize) {
        let mut next = 0;
        let mut part = |node: usize| {
            self.tree.children(node).is_empty().then(|| {
                next += 1;
                next - 1
            })
        };
        let parts = (0..self.nodes.len()).map(&mut part).collect();
        (parts, next as usize)
    }
}

/// Whether intervals in ascending order leave no gap in a region.
fn covers(intervals: &[Words], region: Words) -> bool {
    let mut next = region.min;
    for words in intervals {
        if words.min > next {
            return false;
        }
        if words.max >= region.max {
            return true;
        }
        next = next.max(words.max + 1);
    }
    false
}

/// Which nodes are split if the number of leaves is limited: the largest first, and always the
/// root.
fn opened(grown: &Grown, max_parts: usize) -> Vec<bool> {
    let mut open = vec![false; grown.nodes.len()];
    let mut waiting = BinaryHeap::from([(grown.nodes[0].rows, std::cmp::Reverse(0))]);
    let mut n_parts = 1;
    while let Some((_, std::cmp::Reverse(node))) = waiting.pop() {
        let Some(split) = &grown.nodes[node].split else { continue };
        // One more for those who have no place among the parts.
        let more = split.children.len() + usize::from(!split.kept) - 1;
        if node > 0 && n_parts + more > max_parts {
            continue;
        }
        open[node] = true;
        n_parts += more;
        waiting.extend(
            split
                .children
                .iter()
                .map(|child| (grown.nodes[*child].rows, std::cmp::Reverse(*child))),
        );
    }
    open
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::algorithms::local::mondrian::record::GrownNode;

    fn grown(nodes: Vec<(usize, Option<GrownSplit>)>) -> Grown {
        let node = |(rows, split)| GrownNode { rows, guided: true, depth: 0, split };
        Grown { nodes: nodes.into_iter().map(node).collect() }
    }

    fn two(children: [usize; 2]) -> Option<GrownSplit> {
        Some(GrownSplit {
            column: 0,
            regions: vec![(0, 1), (2, 3)],
            kept: false,
            children: children.to_vec(),
        })
    }

    #[test]
    fn the_largest_nodes_stay_open() {
        let grown = grown(vec![
            (100, two([1, 4])),
            (30, two([2, 3])),
            (15, None),
            (15, None),
            (70, two([5, 6])),
            (60, two([7, 8])),
            (10, None),
            (30, None),
            (30, None),
        ]);
        let open = |n: usize| -> Vec<usize> {
            let open = opened(&grown, n);
            (0..open.len()).filter(|node| open[*node]).collect()
        };
        assert_eq!(open(1), [0]);
        // A place is kept for those who have none among the parts.
        assert_eq!(open(5), [0, 4]);
        assert_eq!(open(7), [0, 4, 5]);
        assert_eq!(open(100), [0, 1, 4, 5]);
    }

    #[test]
    fn gaps_are_seen() {
        let covers = |intervals: &[(u64, u64)], (min, max): (u64, u64)| {
            let intervals: Vec<Words> =
                intervals.iter().map(|&(min, max)| Words { min, max }).collect();
            covers(&intervals, Words { min, max })
        };
        assert!(covers(&[(0, 4), (5, 9)], (0, 9)) && covers(&[(0, u64::MAX)], (3, 9)));
        assert!(!covers(&[(0, 4), (6, 9)], (0, 9)) && covers(&[(0, 4), (6, 9)], (6, 8)));
        assert!(!covers(&[(1, 9)], (0, 9)) && !covers(&[(0, 8)], (0, 9)) && !covers(&[], (0, 0)));
    }
}
