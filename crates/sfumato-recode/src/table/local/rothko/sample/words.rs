//! A tree that was grown from a sample as one that every tuple finds its way through: intervals of words instead of codes.
//!
//! Tuples may have values that no sampled one has. Between two sampled values of an ordered column they go where the cut is; below
//! a child of a hierarchy's node that wasn't sampled they stay at the node.

use std::collections::BinaryHeap;

use sfumato_core::dataset::Table;
use sfumato_core::tuples::{Axis, Cells, Frame};

use crate::table::local::mondrian::record::{Grown, GrownSplit};

/// A tree of splits; the first node is the root.
#[derive(Debug, Clone)]
pub struct Splits {
    /// All nodes.
    pub nodes: Vec<Node>,
    /// How many leaves.
    pub n_parts: usize,
}

/// A node.
#[derive(Debug, Clone)]
pub struct Node {
    /// The first and last word that the splits left to each quasi column.
    pub region: Vec<(u64, u64)>,
    /// Whether a workload may have something to say about its split.
    pub guided: bool,
    /// How many splits led to it.
    pub depth: u32,
    /// What becomes of its tuples.
    pub fate: Fate,
}

/// What becomes of a node's tuples.
#[derive(Debug, Clone)]
pub enum Fate {
    /// They are a partition, with this number.
    Part(u32),
    /// They are divided.
    Split(Split),
}

/// A split.
#[derive(Debug, Clone)]
pub struct Split {
    /// The column's place in the frame.
    pub by: usize,
    /// The first and last word of those who leave, in ascending order.
    pub leaving: Vec<(u64, u64)>,
    /// Where each of them goes.
    pub children: Vec<usize>,
    /// Where all others go: they stay at the node.
    pub rest: Option<usize>,
    /// Whether parts that can't be published may stay together at the node.
    pub may_keep: bool,
}

/// What turns codes of a sample into words.
pub struct Words<'a> {
    /// The columns.
    pub frame: &'a Frame,
    /// The sample.
    pub table: &'a Table,
    /// Whether children that can't be published may stay together.
    pub leftovers: bool,
    /// Whether the sample is everything.
    pub is_whole: bool,
}

impl Words<'_> {
    /// The tree in words, below a region, with at most so many leaves: the largest nodes stay open.
    pub fn splits(&self, grown: &Grown, region: Vec<(u64, u64)>, max_parts: usize) -> Splits {
        let open = opened(grown, max_parts);
        let mut splits = Splits { nodes: Vec::new(), n_parts: 0 };
        self.add(grown, &open, 0, region, &mut splits);
        splits
    }

    fn add(
        &self,
        grown: &Grown,
        open: &[bool],
        node: usize,
        region: Vec<(u64, u64)>,
        splits: &mut Splits,
    ) -> usize {
        let source = &grown.nodes[node];
        let place = splits.leaf(region.clone(), source.guided, source.depth);
        let Some(split) = source.split.as_ref().filter(|_| open[node]) else {
            return place;
        };
        splits.n_parts -= 1;
        let quasi = self.frame.quasi();
        let (by, column) = (quasi[split.column], split.column);
        let mut leaving = self.leaving(split, by);
        let axis = self.frame.columns[by].axis();
        let is_tree = matches!(axis, Axis::Tree(_));
        let at_missing = leaving.iter().any(|(first, _)| *first == axis.missing());
        if !is_tree && !split.kept {
            // Values outside the sample's lie on the side of the nearest one, and so does missing.
            leaving.first_mut().into_iter().for_each(|(first, _)| *first = 0);
            leaving.last_mut().into_iter().for_each(|(_, last)| *last = u64::MAX);
        }
        let mut children = Vec::with_capacity(leaving.len());
        for (&(first, last), &child) in leaving.iter().zip(&split.children) {
            let mut region = region.clone();
            region[column] = (first.max(region[column].0), last.min(region[column].1));
            children.push(self.add(grown, open, child, region, splits));
        }
        let rest = match split.children.get(leaving.len()) {
            Some(&kept) => {
                let mut region = region;
                if self.is_whole {
                    region[column] = self.words(by, split.regions[leaving.len()]);
                }
                Some(self.add(grown, open, kept, region, splits))
            }
            None if covers(&leaving, region[column]) => None,
            None => {
                let guided = grown.nodes[split.children[0]].guided;
                Some(splits.leaf(region, guided, source.depth + 1))
            }
        };
        let may_keep = self.leftovers && (is_tree || at_missing || split.kept);
        splits.nodes[place].fate = Fate::Split(Split { by, leaving, children, rest, may_keep });
        place
    }

    /// The words of those who leave.
    fn leaving(&self, split: &GrownSplit, by: usize) -> Vec<(u64, u64)> {
        let n = split.regions.len() - usize::from(split.kept);
        split.regions[..n].iter().map(|codes| self.words(by, *codes)).collect()
    }

    /// The words of an interval of codes: up to the next sampled value, that one excluded.
    fn words(&self, by: usize, (first, last): (u32, u32)) -> (u64, u64) {
        let column = &self.frame.columns[by];
        let Cells::Keys { least, n_words } = column.cells else {
            return (u64::from(first), u64::from(last));
        };
        // The subject isn't among the columns of a table.
        let place = by - usize::from(self.frame.subject.is_some_and(|subject| subject < by));
        let domain = &self.table.columns[place].domain;
        let word = |code: u32| domain.key(code).map_or(n_words, |key| key.wrapping_sub(least) as u64);
        let first = if first == 0 { 0 } else { word(first) };
        let last = if last >= domain.missing() { n_words } else { word(last + 1) - 1 };
        (first, last)
    }
}

impl Splits {
    fn leaf(&mut self, region: Vec<(u64, u64)>, guided: bool, depth: u32) -> usize {
        // Numbers are given when the tree is whole.
        self.nodes.push(Node { region, guided, depth, fate: Fate::Part(0) });
        self.n_parts += 1;
        self.nodes.len() - 1
    }

    /// Number the leaves.
    pub fn numbered(mut self) -> Self {
        let mut next = 0;
        for node in &mut self.nodes {
            if let Fate::Part(part) = &mut node.fate {
                *part = next;
                next += 1;
            }
        }
        self
    }

    /// The partition of a tuple.
    #[inline]
    pub fn part_of(&self, columns: &[Vec<u64>], row: usize) -> u32 {
        let mut node = 0;
        loop {
            match &self.nodes[node].fate {
                Fate::Part(part) => return *part,
                Fate::Split(split) => node = split.child(columns[split.by][row]),
            }
        }
    }
}

impl Split {
    #[inline]
    fn child(&self, word: u64) -> usize {
        let place = self.leaving.partition_point(|(_, last)| *last < word);
        match self.leaving.get(place) {
            Some((first, _)) if *first <= word => self.children[place],
            // Those who cover everything have no rest and nobody who needs one.
            _ => self.rest.unwrap_or_else(|| self.children[place.min(self.children.len() - 1)]),
        }
    }
}

/// Whether intervals in ascending order leave no gap in a region.
fn covers(intervals: &[(u64, u64)], (first, last): (u64, u64)) -> bool {
    let mut next = first;
    for (from, to) in intervals {
        if *from > next {
            return false;
        }
        if *to >= last {
            return true;
        }
        next = next.max(to + 1);
    }
    false
}

/// Which nodes are split when there may be only so many leaves: the largest first. The root always is.
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
        waiting
            .extend(split.children.iter().map(|child| (grown.nodes[*child].rows, std::cmp::Reverse(*child))));
    }
    open
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::table::local::mondrian::record::GrownNode;

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
        assert!(covers(&[(0, 4), (5, 9)], (0, 9)) && covers(&[(0, u64::MAX)], (3, 9)));
        assert!(!covers(&[(0, 4), (6, 9)], (0, 9)) && covers(&[(0, 4), (6, 9)], (6, 8)));
        assert!(!covers(&[(1, 9)], (0, 9)) && !covers(&[(0, 8)], (0, 9)) && !covers(&[], (0, 0)));
    }

    #[test]
    fn words_go_to_their_interval_or_stay() {
        let split =
            |rest| Split { by: 0, leaving: vec![(2, 4), (8, 8)], children: vec![5, 6], rest, may_keep: true };
        let at = |word| split(Some(7)).child(word);
        assert_eq!([0, 2, 4, 5, 8, 9].map(at), [7, 5, 5, 7, 6, 7]);
        let at = |word| split(None).child(word);
        assert_eq!([2, 4, 8].map(at), [5, 5, 6]);
    }
}
