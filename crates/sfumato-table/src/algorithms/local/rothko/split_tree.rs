//! The top of the partition tree, which routes tuples at each split.
//!
//! It knows only words. Lent rows are identified by their place among the rows of their node, so
//! tuples must come in their order, batch after batch.

use rayon::prelude::*;
use serde::{Deserialize, Serialize};
use sfumato_io::spill::Batch;

use super::above::Words;

/// The number of rows that one thread routes at a time.
const CHUNK: usize = 1 << 13;
/// The destination of a tuple that isn't needed.
pub const NOWHERE: u32 = u32::MAX;

/// One split: intervals of words, and optionally a part for all words without an interval.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Fork {
    /// The column, by its place in the frame.
    pub column: usize,
    /// The interval of each part, in ascending order.
    pub parts: Vec<Words>,
    /// Whether there is one more part, for words of no interval and for lent rows.
    pub kept: bool,
    /// The places in the node of rows that stay in the last part although their words leave,
    /// ascending.
    pub lent: Vec<u32>,
}

impl Fork {
    /// The number of parts.
    pub fn n_parts(&self) -> usize {
        self.parts.len() + usize::from(self.kept)
    }

    /// The part of a word.
    #[inline]
    pub fn part(&self, word: u64) -> usize {
        if !self.kept {
            return self.parts[1..].partition_point(|part| part.min <= word);
        }
        let next = self.parts.partition_point(|part| part.max < word);
        match self.parts.get(next) {
            Some(part) if part.min <= word => next,
            _ => self.parts.len(),
        }
    }

    /// The part of the row at a place of the node.
    #[inline]
    pub fn part_at(&self, word: u64, place: u64) -> usize {
        match self.is_lent(place) {
            true => self.parts.len(),
            false => self.part(word),
        }
    }

    fn is_lent(&self, place: u64) -> bool {
        self.lent.binary_search_by_key(&place, |lent| u64::from(*lent)).is_ok()
    }
}

/// A node: a leaf until it is split.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
struct TreeNode {
    fork: Option<Fork>,
    children: Vec<usize>,
}

/// The tree. Nodes are identified by their numbers; the root is 0.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct SplitTree {
    nodes: Vec<TreeNode>,
}

impl Default for SplitTree {
    fn default() -> Self {
        SplitTree { nodes: vec![TreeNode::default()] }
    }
}

impl SplitTree {
    /// A tree of one leaf.
    pub fn new() -> Self {
        Self::default()
    }

    /// The number of nodes.
    pub fn len(&self) -> usize {
        self.nodes.len()
    }

    /// Whether nothing was split.
    pub fn is_empty(&self) -> bool {
        self.nodes.len() == 1
    }

    /// Split a leaf, and return the numbers of its parts.
    pub fn split(&mut self, leaf: usize, fork: Fork) -> Vec<usize> {
        let children: Vec<usize> = (self.nodes.len()..self.nodes.len() + fork.n_parts()).collect();
        self.nodes.resize(self.nodes.len() + children.len(), TreeNode::default());
        self.nodes[leaf] = TreeNode { fork: Some(fork), children: children.clone() };
        children
    }

    /// Add a node with only some intervals of another, for tuples that are known to go there.
    pub(super) fn only(&mut self, node: usize, parts: std::ops::Range<usize>) -> usize {
        let TreeNode { fork, children } = &self.nodes[node];
        let fork = fork.as_ref().map(|fork| Fork {
            column: fork.column,
            parts: fork.parts[parts.clone()].to_vec(),
            kept: false,
            lent: Vec::new(),
        });
        let children = children[parts].to_vec();
        self.nodes.push(TreeNode { fork, children });
        self.nodes.len() - 1
    }

    /// The parts of a node. Empty for a leaf.
    pub fn children(&self, node: usize) -> &[usize] {
        &self.nodes[node].children
    }

    /// The split of a node.
    pub fn fork(&self, node: usize) -> Option<&Fork> {
        self.nodes[node].fork.as_ref()
    }

    /// The leaves below a node, depth first.
    pub fn leaves(&self, node: usize) -> Vec<usize> {
        let (mut leaves, mut stack) = (Vec::new(), vec![node]);
        while let Some(node) = stack.pop() {
            match self.nodes[node].children.as_slice() {
                [] => leaves.push(node),
                children => stack.extend(children.iter().rev()),
            }
        }
        leaves
    }

    /// The columns that splits use, by their places in the frame.
    pub fn columns(&self) -> Vec<usize> {
        let mut columns: Vec<usize> =
            self.nodes.iter().filter_map(|node| Some(node.fork.as_ref()?.column)).collect();
        columns.sort_unstable();
        columns.dedup();
        columns
    }

    /// Routes tuples from a node down to the first node that has a number in `stops`, or a leaf.
    pub fn router(&self, start: usize, stops: Vec<Option<u32>>) -> Router<'_> {
        let counts = self
            .nodes
            .iter()
            .any(|node| node.fork.as_ref().is_some_and(|fork| !fork.lent.is_empty()));
        let seen = if counts { vec![0; self.nodes.len()] } else { Vec::new() };
        Router { tree: self, start, stops, seen }
    }
}

/// Finds where tuples go. Batches must come in order.
#[derive(Debug)]
pub struct Router<'a> {
    tree: &'a SplitTree,
    start: usize,
    stops: Vec<Option<u32>>,
    /// How many rows came to each node, if rows were lent anywhere.
    seen: Vec<u64>,
}

impl Router<'_> {
    /// Append the number of the node that each tuple of a batch comes to, or [`NOWHERE`].
    pub fn route(&mut self, batch: &Batch<'_>, to: &mut Vec<u32>) {
        let first = to.len();
        to.resize(first + batch.n_rows, NOWHERE);
        let Router { tree, start, stops, seen } = self;
        if seen.is_empty() {
            to[first..].par_chunks_mut(CHUNK).enumerate().for_each(|(chunk, to)| {
                for (row, to) in (chunk * CHUNK..).zip(to) {
                    *to = walk(tree, *start, stops, |_, fork| {
                        fork.part(batch.columns[fork.column][row])
                    });
                }
            });
            return;
        }
        for (row, to) in to[first..].iter_mut().enumerate() {
            *to = walk(tree, *start, stops, |node, fork| {
                let place = seen[node];
                seen[node] += 1;
                fork.part_at(batch.columns[fork.column][row], place)
            });
        }
    }
}

#[inline]
fn walk(
    tree: &SplitTree,
    start: usize,
    stops: &[Option<u32>],
    mut part: impl FnMut(usize, &Fork) -> usize,
) -> u32 {
    let mut node = start;
    loop {
        if let Some(Some(stop)) = stops.get(node) {
            return *stop;
        }
        let TreeNode { fork, children } = &tree.nodes[node];
        match fork {
            Some(fork) => node = children[part(node, fork)],
            None => return NOWHERE,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn words(min: u64, max: u64) -> Words {
        Words { min, max }
    }

    fn fork(parts: &[(u64, u64)], kept: bool, lent: &[u32]) -> Fork {
        Fork {
            column: 0,
            parts: parts.iter().map(|(min, max)| words(*min, *max)).collect(),
            kept,
            lent: lent.to_vec(),
        }
    }

    #[test]
    fn words_go_to_their_interval_or_stay() {
        let cut = fork(&[(0, 4), (5, 9)], false, &[]);
        assert_eq!([0, 4, 5, 20].map(|word| cut.part(word)), [0, 0, 1, 1]);
        let children = fork(&[(2, 3), (6, 8)], true, &[]);
        assert_eq!([0, 2, 3, 4, 6, 8, 9].map(|word| children.part(word)), [2, 0, 0, 2, 1, 1, 2]);
        assert_eq!((cut.n_parts(), children.n_parts()), (2, 3));
    }

    #[test]
    fn rows_that_were_lent_stay_wherever_batches_begin() {
        let mut tree = SplitTree::new();
        let halves = tree.split(0, fork(&[(0, 9), (10, 19)], false, &[]));
        // Of the second half the rows 1 and 3 stay though their word leaves.
        tree.split(halves[1], fork(&[(10, 14)], true, &[1, 3]));
        assert_eq!(tree.leaves(0), [1, 3, 4]);
        let column: Vec<u64> = vec![10, 3, 11, 12, 19, 4, 13, 14];
        let expected = [3, 1, 4, 3, 4, 1, 3, 3].map(|leaf| leaf as u32);
        for size in 1..=column.len() {
            let stops =
                (0..tree.len()).map(|node| tree.children(node).is_empty().then_some(node as u32));
            let mut router = tree.router(0, stops.collect());
            let mut to = Vec::new();
            for (i, batch) in column.chunks(size).enumerate() {
                let columns = [batch.to_vec()];
                let first_row = (i * size) as u64;
                router.route(&Batch { first_row, n_rows: batch.len(), columns: &columns }, &mut to);
            }
            assert_eq!(to, expected);
        }
    }

    #[test]
    fn a_node_can_be_divided_in_two_steps() {
        let mut tree = SplitTree::new();
        let leaves = tree.split(0, fork(&[(0, 1), (2, 3), (4, 5)], false, &[]));
        let last = tree.only(0, 1..3);
        assert_eq!(tree.children(last), &leaves[1..]);
        let stops =
            (0..tree.len()).map(|node| tree.children(node).is_empty().then_some(node as u32));
        let mut to = Vec::new();
        let batch = [vec![2, 5, 3, 4]];
        tree.router(last, stops.collect())
            .route(&Batch { first_row: 0, n_rows: 4, columns: &batch }, &mut to);
        assert_eq!(to, [2, 3, 2, 3]);
    }
}
