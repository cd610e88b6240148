//! Walks through a lattice: from cheap nodes to expensive ones without listing all, and by height.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use super::Lattice;
use super::frequencies::Node;

/// The largest number of nodes that wait in the heap.
const MOST_WAITING: usize = 4_000_000;

/// All nodes, beginning with the one whose cells cost least, each once: a node is reached from the
/// one below it in its last column that isn't at the bottom. If cells cost nothing or a coarser
/// level is cheaper, the order still goes upwards.
pub struct Upward {
    /// `ranks[column][level]`, ascending.
    ranks: Vec<Vec<f64>>,
    heap: BinaryHeap<Reverse<Entry>>,
    /// The least rank of a node for which there was no room.
    lost: f64,
}

#[derive(PartialEq)]
struct Entry {
    rank: f64,
    height: u32,
    node: Node,
}

impl Eq for Entry {}
impl PartialOrd for Entry {
    fn partial_cmp(&self, other: &Self) -> Option<std::cmp::Ordering> {
        Some(self.cmp(other))
    }
}
impl Ord for Entry {
    fn cmp(&self, other: &Self) -> std::cmp::Ordering {
        let by_rank = self.rank.total_cmp(&other.rank).then(self.height.cmp(&other.height));
        by_rank.then_with(|| self.node.cmp(&other.node))
    }
}

impl Upward {
    /// A walk through a lattice.
    pub fn new(lattice: &Lattice<'_>) -> Self {
        let flat = lattice.task().objective.ignores_cells();
        let ranks = lattice.examiner.sums.iter().map(|sums| {
            let mut ranks = if flat { vec![0.0; sums.len()] } else { sums.clone() };
            for level in 1..ranks.len() {
                ranks[level] = ranks[level].max(ranks[level - 1]);
            }
            ranks
        });
        let mut upward =
            Upward { ranks: ranks.collect(), heap: BinaryHeap::new(), lost: f64::INFINITY };
        upward.push(lattice.bottom());
        upward
    }

    /// The rank by which nodes are ordered.
    pub fn rank(&self, node: &[u8]) -> f64 {
        self.ranks.iter().zip(node).map(|(ranks, &level)| ranks[level as usize]).sum()
    }

    /// The least rank of all nodes to come.
    pub fn least(&self) -> f64 {
        self.heap.peek().map_or(f64::INFINITY, |Reverse(entry)| entry.rank).min(self.lost)
    }

    fn push(&mut self, node: Node) {
        let rank = self.rank(&node);
        if self.heap.len() >= MOST_WAITING {
            self.lost = self.lost.min(rank);
            return;
        }
        let height = node.iter().map(|&level| u32::from(level)).sum();
        self.heap.push(Reverse(Entry { rank, height, node }));
    }
}

impl Iterator for Upward {
    type Item = Node;
    fn next(&mut self) -> Option<Node> {
        let Reverse(Entry { node, .. }) = self.heap.pop()?;
        let last = node.iter().rposition(|&level| level > 0).unwrap_or(0);
        for column in last..node.len() {
            if usize::from(node[column]) + 1 < self.ranks[column].len() {
                let mut above = node.clone();
                above[column] += 1;
                self.push(above);
            }
        }
        Some(node)
    }
}

/// The number of nodes of each height, the sum of their levels; saturating.
pub fn heights(n_levels: &[usize]) -> Vec<u64> {
    let mut counts = vec![1u64];
    for &levels in n_levels {
        let mut next = vec![0u64; counts.len() + levels - 1];
        for (height, &count) in counts.iter().enumerate() {
            (0..levels).for_each(|level| {
                next[height + level] = next[height + level].saturating_add(count)
            });
        }
        counts = next;
    }
    counts
}

/// The nodes of a height, in lexicographic order.
pub fn nodes_of_height(n_levels: &[usize], height: usize) -> Vec<Node> {
    fn fill(n_levels: &[usize], rest: usize, node: &mut Node, nodes: &mut Vec<Node>) {
        let Some((&levels, others)) = n_levels.split_first() else {
            if rest == 0 {
                nodes.push(node.clone());
            }
            return;
        };
        let most_above: usize = others.iter().map(|levels| levels - 1).sum();
        for level in rest.saturating_sub(most_above)..levels.min(rest + 1) {
            node.push(level as u8);
            fill(others, rest - level, node, nodes);
            node.pop();
        }
    }
    let mut nodes = Vec::new();
    fill(n_levels, height, &mut Vec::new(), &mut nodes);
    nodes
}
