//! Subgraph knowledge: somebody knows a small pattern of edges around a node, and every node at
//! which the pattern lies is a candidate. A pattern lies at a node if its nodes can be placed on
//! different nodes of the graph, its root on this one, such that each of its edges is there; more
//! edges don't matter.

use rayon::prelude::*;
use sfumato_core::facts::Least;
use sfumato_core::{Error, Result};

use crate::data::Graph;

/// How many nodes may be tried to place a pattern at one node before it is given up.
const MOST_STEPS: u64 = 2_000_000;

/// A connected pattern of edges. Node 0 is the root, and every other node is joined to an earlier
/// one.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct Rooted {
    n: u8,
    edges: Vec<(u8, u8)>,
}

impl Rooted {
    /// A pattern of edges between nodes that are numbered in the order in which they were first
    /// reached from the root, node 0.
    pub fn new(n: u8, mut edges: Vec<(u8, u8)>) -> Rooted {
        edges.iter_mut().for_each(|edge| *edge = (edge.0.min(edge.1), edge.0.max(edge.1)));
        edges.sort_unstable();
        edges.dedup();
        Rooted { n, edges }
    }

    /// How many edges it has.
    pub fn m(&self) -> usize {
        self.edges.len()
    }

    /// Every pattern of one to so many edges, once.
    pub fn all(most: u8) -> Vec<Rooted> {
        let mut all: Vec<Rooted> = Vec::new();
        let mut now = vec![Rooted { n: 1, edges: Vec::new() }];
        for _ in 0..most {
            let mut next: Vec<Rooted> = now.iter().flat_map(Rooted::grown).collect();
            next.sort_unstable();
            next.dedup();
            all.extend(next.iter().cloned());
            now = next;
        }
        all
    }

    /// The patterns with one edge more, each spelled in the smallest way.
    fn grown(&self) -> Vec<Rooted> {
        let nodes = 0..self.n;
        let inside = nodes.clone().flat_map(|b| (0..b).map(move |a| (a, b)));
        let inside = inside.filter(|edge| !self.edges.contains(edge)).map(|edge| (self.n, edge));
        let outside = nodes.map(|node| (self.n + 1, (node, self.n)));
        inside
            .chain(outside)
            .map(|(n, edge)| {
                let edges = self.edges.iter().copied().chain([edge]).collect();
                Rooted::new(n, edges).smallest()
            })
            .collect()
    }

    /// The same pattern with the numbers that give the smallest list of edges. Patterns are small,
    /// so that all numbers are tried.
    fn smallest(&self) -> Rooted {
        fn permute(rest: &mut Vec<u8>, at: usize, each: &mut dyn FnMut(&[u8])) {
            if at == rest.len() {
                each(rest);
                return;
            }
            for other in at..rest.len() {
                rest.swap(at, other);
                permute(rest, at + 1, each);
                rest.swap(at, other);
            }
        }
        let mut best = self.clone();
        let mut numbers: Vec<u8> = (1..self.n).collect();
        permute(&mut numbers, 0, &mut |numbers| {
            let of = |node: u8| if node == 0 { 0 } else { numbers[node as usize - 1] };
            let edges = self.edges.iter().map(|(a, b)| (of(*a), of(*b))).collect();
            let renumbered = Rooted::new(self.n, edges);
            if renumbered.is_reached() && renumbered < best {
                best = renumbered;
            }
        });
        best
    }

    /// Whether every node but the root is joined to an earlier one.
    fn is_reached(&self) -> bool {
        (1..self.n).all(|node| self.edges.iter().any(|(_, b)| *b == node))
    }

    /// Whether it lies at a node of a graph. An error where finding out takes too long.
    pub fn lies_at(&self, graph: &Graph, node: u32) -> Result<bool> {
        self.lies_with(graph, node, &|_, _| true)
    }

    /// Whether it lies at a node such that each of its nodes is placed where it may be: on a node
    /// with its label, for somebody who knows labels too.
    fn lies_with(
        &self,
        graph: &Graph,
        node: u32,
        may_be: &(dyn Fn(u8, u32) -> bool + Sync),
    ) -> Result<bool> {
        let mut degrees = vec![0u32; self.n as usize];
        for (a, b) in &self.edges {
            degrees[*a as usize] += 1;
            degrees[*b as usize] += 1;
        }
        if graph.degree(node) < degrees[0] || !may_be(0, node) {
            return Ok(false);
        }
        let mut search = Search {
            graph,
            pattern: self,
            degrees: &degrees,
            may_be,
            placed: vec![node],
            steps: MOST_STEPS,
        };
        search.extend()
    }

    /// The nodes of a graph at which it lies. An error where finding out takes too long.
    pub fn candidates(&self, graph: &Graph) -> Result<Vec<u32>> {
        self.candidates_with(graph, &|_, _| true)
    }

    /// The nodes at which it lies such that each of its nodes is placed where it may be.
    pub fn candidates_with(
        &self,
        graph: &Graph,
        may_be: &(dyn Fn(u8, u32) -> bool + Sync),
    ) -> Result<Vec<u32>> {
        let found: Vec<bool> = graph
            .nodes()
            .into_par_iter()
            .map(|node| self.lies_with(graph, node, may_be))
            .collect::<Result<_>>()?;
        Ok(graph.nodes().filter(|node| found[*node as usize]).collect())
    }
}

struct Search<'a> {
    graph: &'a Graph,
    pattern: &'a Rooted,
    degrees: &'a [u32],
    may_be: &'a (dyn Fn(u8, u32) -> bool + Sync),
    placed: Vec<u32>,
    steps: u64,
}

impl Search<'_> {
    fn extend(&mut self) -> Result<bool> {
        let next = self.placed.len() as u8;
        if next == self.pattern.n {
            return Ok(true);
        }
        // The images of earlier neighbours, the one with the fewest neighbours first: the next
        // node is one of these.
        let edges = self.pattern.edges.iter().filter(|(_, b)| *b == next);
        let mut around: Vec<u32> = edges.map(|(a, _)| self.placed[*a as usize]).collect();
        around.sort_by_key(|node| self.graph.degree(*node));
        let Some((first, others)) = around.split_first() else { return Ok(false) };
        let graph = self.graph;
        for candidate in graph.neighbours(*first) {
            self.steps = self.steps.checked_sub(1).ok_or_else(|| {
                Error::resources("a pattern of edges can't be found in time")
                    .hint("ask about patterns of fewer edges")
            })?;
            let fits = graph.degree(*candidate) >= self.degrees[next as usize]
                && (self.may_be)(next, *candidate)
                && !self.placed.contains(candidate)
                && others.iter().all(|other| graph.has(*other, *candidate));
            if fits {
                self.placed.push(*candidate);
                if self.extend()? {
                    return Ok(true);
                }
                self.placed.pop();
            }
        }
        Ok(false)
    }
}

/// The smallest candidate set of any pattern of one to `edges` edges that lies anywhere, and how
/// many patterns have fewer candidates than `required`. Without any edge no pattern lies anywhere,
/// and every node is a candidate for every other.
pub fn subgraph_least(graph: &Graph, edges: u8, required: u64) -> Result<Least> {
    let n = graph.n() as u64;
    let mut found = Least { least: n, violations: u64::from(n < required) };
    for pattern in Rooted::all(edges) {
        let candidates = pattern.candidates(graph)?.len() as u64;
        if candidates > 0 {
            found.least = found.least.min(candidates);
            found.violations += u64::from(candidates < required);
        }
    }
    Ok(found)
}

#[cfg(test)]
mod tests {
    use sfumato_kernels::seeded::Seeded;

    use super::*;

    #[test]
    fn patterns_of_few_edges_are_known_by_hand() {
        // One edge; a path from its end or middle; then three edges: a star or path from each of
        // its places, a triangle.
        assert_eq!(Rooted::all(1).len(), 1);
        assert_eq!(Rooted::all(2).len(), 3);
        assert_eq!(Rooted::all(3).len(), 8);
        // Nine trees, and four places on a ring of four or a triangle with an edge more.
        assert_eq!(Rooted::all(4).len(), 21);
        assert!(Rooted::all(4).iter().all(|pattern| pattern.m() <= 4 && pattern.is_reached()));
    }

    /// Whether the pattern lies at a node, by trying all placements.
    fn by_all(pattern: &Rooted, graph: &Graph, placed: &mut Vec<u32>) -> bool {
        if placed.len() == pattern.n as usize {
            let is_there = |(a, b): &(u8, u8)| graph.has(placed[*a as usize], placed[*b as usize]);
            return pattern.edges.iter().all(is_there);
        }
        let free: Vec<u32> = graph.nodes().filter(|node| !placed.contains(node)).collect();
        free.into_iter().any(|node| {
            placed.push(node);
            let found = by_all(pattern, graph, placed);
            placed.pop();
            found
        })
    }

    #[test]
    fn patterns_lie_where_some_placement_says_so() {
        let mut random = Seeded::new(81);
        let (mut yes, mut no) = (0, 0);
        for _ in 0..25 {
            let n = 2 + random.below(5);
            let edges: Vec<(u32, u32)> =
                (0..2 * n).map(|_| (random.below(n) as u32, random.below(n) as u32)).collect();
            let graph = Graph::new(n, &edges).0;
            for pattern in Rooted::all(3) {
                let found = pattern.candidates(&graph).unwrap();
                for node in graph.nodes() {
                    let expected = by_all(&pattern, &graph, &mut vec![node]);
                    assert_eq!(found.contains(&node), expected, "{pattern:?} {graph:?} {node}");
                    yes += u32::from(expected);
                    no += u32::from(!expected);
                }
            }
        }
        assert!(yes > 100 && no > 100, "{yes} {no}");
    }

    #[test]
    fn a_hub_is_alone_with_its_star() {
        let star = Graph::new(5, &[(0, 1), (0, 2), (0, 3), (0, 4)]).0;
        assert_eq!(subgraph_least(&star, 1, 2).unwrap(), Least { least: 5, violations: 0 });
        // The path of two edges lies at the hub with its middle, and at the others with its end.
        assert_eq!(subgraph_least(&star, 2, 2).unwrap(), Least { least: 1, violations: 1 });
        let ring = Graph::new(5, &[(0, 1), (1, 2), (2, 3), (3, 4), (4, 0)]).0;
        assert_eq!(subgraph_least(&ring, 4, 5).unwrap(), Least { least: 5, violations: 0 });
        let empty = Graph::new(3, &[]).0;
        assert_eq!(subgraph_least(&empty, 3, 4).unwrap(), Least { least: 3, violations: 1 });
    }
}
