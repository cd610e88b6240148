//! A simple undirected graph in memory: for each node its neighbours, ascending (compressed sparse
//! rows). Nodes are numbers from 0.

use sfumato_core::{Error, Result};

/// An edge, its smaller end first.
pub type Edge = (u32, u32);

/// The edge between two nodes, its smaller end first.
pub fn edge(a: u32, b: u32) -> Edge {
    if a < b { (a, b) } else { (b, a) }
}

/// A simple undirected graph.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Graph {
    offsets: Vec<usize>,
    targets: Vec<u32>,
}

/// What was left out to make a graph simple.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct LeftOut {
    /// Edges from a node to itself.
    pub loops: u64,
    /// Edges that were there before, in either direction.
    pub repeated: u64,
}

impl Graph {
    /// The graph of `n` nodes with these edges, in any order and direction. Loops and repetitions
    /// are left out and counted.
    ///
    /// # Panics
    /// If an end of an edge isn't below `n`.
    pub fn new(n: usize, edges: &[Edge]) -> (Graph, LeftOut) {
        let mut left_out = LeftOut::default();
        let mut offsets = vec![0usize; n + 1];
        for (a, b) in edges {
            if a == b {
                assert!((*a as usize) < n, "a node of a loop is a node of the graph");
                left_out.loops += 1;
            } else {
                offsets[*a as usize + 1] += 1;
                offsets[*b as usize + 1] += 1;
            }
        }
        (0..n).for_each(|node| offsets[node + 1] += offsets[node]);
        let mut next = offsets.clone();
        let mut targets = vec![0; offsets[n]];
        for (a, b) in edges.iter().filter(|(a, b)| a != b) {
            for (from, to) in [(*a, *b), (*b, *a)] {
                targets[next[from as usize]] = to;
                next[from as usize] += 1;
            }
        }
        drop(next);
        // Neighbours are sorted and repetitions closed up, node by node.
        let mut kept = 0;
        for node in 0..n {
            let (from, to) = (offsets[node], offsets[node + 1]);
            targets[from..to].sort_unstable();
            offsets[node] = kept;
            let mut last = None;
            for place in from..to {
                let target = targets[place];
                if last != Some(target) {
                    targets[kept] = target;
                    kept += 1;
                }
                last = Some(target);
            }
        }
        offsets[n] = kept;
        left_out.repeated = (targets.len() - kept) as u64 / 2;
        targets.truncate(kept);
        targets.shrink_to_fit();
        (Graph { offsets, targets }, left_out)
    }

    /// The graph of `n` nodes with these edges; an error where one is a loop, repeated, or of a
    /// node that isn't there.
    pub fn simple(n: usize, edges: &[Edge]) -> Result<Graph> {
        if edges.iter().any(|(a, b)| *a as usize >= n || *b as usize >= n) {
            return Err(Error::internal("an edge has an end that is no node"));
        }
        match Graph::new(n, edges) {
            (graph, LeftOut { loops: 0, repeated: 0 }) => Ok(graph),
            _ => Err(Error::internal("a graph has a loop or a repeated edge")),
        }
    }

    /// The number of nodes.
    pub fn n(&self) -> usize {
        self.offsets.len().saturating_sub(1)
    }
    /// The number of edges.
    pub fn m(&self) -> u64 {
        self.targets.len() as u64 / 2
    }
    /// The neighbours of a node, ascending.
    pub fn neighbours(&self, node: u32) -> &[u32] {
        &self.targets[self.offsets[node as usize]..self.offsets[node as usize + 1]]
    }
    /// How many neighbours a node has.
    pub fn degree(&self, node: u32) -> u32 {
        (self.offsets[node as usize + 1] - self.offsets[node as usize]) as u32
    }
    /// The degree of every node.
    pub fn degrees(&self) -> Vec<u32> {
        (0..self.n() as u32).map(|node| self.degree(node)).collect()
    }
    /// All nodes.
    pub fn nodes(&self) -> std::ops::Range<u32> {
        0..self.n() as u32
    }
    /// Whether two nodes are neighbours.
    pub fn has(&self, a: u32, b: u32) -> bool {
        let (few, other) = if self.degree(a) <= self.degree(b) { (a, b) } else { (b, a) };
        self.neighbours(few).binary_search(&other).is_ok()
    }
    /// Every edge once, its smaller end first, ascending.
    pub fn edges(&self) -> impl Iterator<Item = Edge> + '_ {
        self.nodes().flat_map(move |node| {
            let later = self.neighbours(node).partition_point(|other| *other <= node);
            self.neighbours(node)[later..].iter().map(move |other| (node, *other))
        })
    }
    /// Where the neighbours of each node begin, and all neighbours.
    pub fn parts(&self) -> (&[usize], &[u32]) {
        (&self.offsets, &self.targets)
    }
    /// The same graph with other numbers: node i becomes `id[i]`.
    pub fn renumbered(&self, id: &[u32]) -> Graph {
        let edges: Vec<Edge> =
            self.edges().map(|(a, b)| edge(id[a as usize], id[b as usize])).collect();
        Graph::new(self.n(), &edges).0
    }
    /// How many nodes have no neighbour.
    pub fn isolated(&self) -> u64 {
        self.nodes().filter(|node| self.degree(*node) == 0).count() as u64
    }
    /// The number of bytes in memory.
    pub fn bytes(&self) -> u64 {
        (self.offsets.len() * size_of::<usize>() + self.targets.len() * 4) as u64
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn loops_and_repetitions_are_left_out_and_counted() {
        let (graph, left_out) = Graph::new(5, &[(0, 1), (1, 0), (2, 2), (3, 1), (0, 1), (1, 3)]);
        assert_eq!(left_out, LeftOut { loops: 1, repeated: 3 });
        assert_eq!((graph.n(), graph.m(), graph.isolated()), (5, 2, 2));
        assert_eq!(graph.edges().collect::<Vec<_>>(), [(0, 1), (1, 3)]);
        assert_eq!((graph.neighbours(1), graph.degree(4)), (&[0, 3][..], 0));
        assert!(graph.has(3, 1) && !graph.has(0, 3));
        assert!(Graph::simple(2, &[(0, 0)]).is_err() && Graph::simple(2, &[(0, 2)]).is_err());
        let turned = graph.renumbered(&[4, 3, 2, 1, 0]);
        assert_eq!(turned.edges().collect::<Vec<_>>(), [(1, 3), (3, 4)]);
        assert_eq!(turned.renumbered(&[4, 3, 2, 1, 0]), graph);
    }
}
