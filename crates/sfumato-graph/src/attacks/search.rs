//! Finds a few nodes again in a published graph by the edges between them and by their degrees, by
//! backtracking: what colluders do, and owners of accounts that were planted.

use sfumato_core::FastSet;

use crate::data::Graph;

/// How many steps a search may take.
const MOST_STEPS: u64 = 200_000;

/// What is known of some nodes: their degrees, and which of them are joined.
pub struct Pattern {
    /// The degree of each node in the whole graph.
    pub degrees: Vec<u32>,
    /// Whether two nodes are joined: for each node those before it.
    pub joined: Vec<Vec<bool>>,
}

impl Pattern {
    /// The pattern of nodes of a graph, in their order.
    pub fn of(graph: &Graph, nodes: &[u32]) -> Pattern {
        Pattern {
            degrees: nodes.iter().map(|node| graph.degree(*node)).collect(),
            joined: nodes
                .iter()
                .enumerate()
                .map(|(place, node)| {
                    nodes[..place].iter().map(|other| graph.has(*node, *other)).collect()
                })
                .collect(),
        }
    }

    /// Every place at which the pattern lies in a graph, up to `most` of them, where degrees may
    /// differ by `tolerance`. `None` if the search took too long.
    pub fn find(&self, graph: &Graph, tolerance: u32, most: usize) -> Option<Vec<Vec<u32>>> {
        let mut search = Search {
            pattern: self,
            graph,
            tolerance,
            most,
            placed: Vec::new(),
            used: FastSet::default(),
            found: Vec::new(),
            steps: 0,
        };
        search.extend().then_some(search.found)
    }
}

struct Search<'a> {
    pattern: &'a Pattern,
    graph: &'a Graph,
    tolerance: u32,
    most: usize,
    placed: Vec<u32>,
    used: FastSet<u32>,
    found: Vec<Vec<u32>>,
    steps: u64,
}

impl Search<'_> {
    fn fits(&self, node: u32) -> bool {
        let place = self.placed.len();
        self.graph.degree(node).abs_diff(self.pattern.degrees[place]) <= self.tolerance
            && !self.used.contains(&node)
            && self.pattern.joined[place]
                .iter()
                .zip(&self.placed)
                .all(|(joined, other)| self.graph.has(node, *other) == *joined)
    }

    /// Place the next node. False if that took too long.
    fn extend(&mut self) -> bool {
        let place = self.placed.len();
        if place == self.pattern.degrees.len() {
            self.found.push(self.placed.clone());
            return true;
        }
        // A node that is joined to one that was placed is looked for among its neighbours.
        let before = self.pattern.joined[place].iter().position(|joined| *joined);
        let candidates: Vec<u32> = match before {
            Some(before) => self.graph.neighbours(self.placed[before]).to_vec(),
            None => self.graph.nodes().collect(),
        };
        for node in candidates {
            self.steps += 1;
            if self.steps > MOST_STEPS {
                return false;
            }
            if self.fits(node) {
                self.placed.push(node);
                self.used.insert(node);
                let in_time = self.extend();
                self.placed.pop();
                self.used.remove(&node);
                if !in_time {
                    return false;
                }
            }
            if self.found.len() >= self.most {
                return true;
            }
        }
        true
    }
}

#[cfg(test)]
mod tests {
    use sfumato_kernels::seeded::Seeded;

    use super::*;

    /// The number of places, by trying all ordered choices.
    fn by_all(graph: &Graph, pattern: &Pattern, placed: &mut Vec<u32>) -> usize {
        let place = placed.len();
        if place == pattern.degrees.len() {
            return 1;
        }
        let mut found = 0;
        for node in graph.nodes() {
            let fits = graph.degree(node) == pattern.degrees[place]
                && !placed.contains(&node)
                && (0..place).all(|i| graph.has(node, placed[i]) == pattern.joined[place][i]);
            if fits {
                placed.push(node);
                found += by_all(graph, pattern, placed);
                placed.pop();
            }
        }
        found
    }

    #[test]
    fn every_place_is_found() {
        let mut random = Seeded::new(71);
        for _ in 0..40 {
            let n = 5 + random.below(6);
            let edges: Vec<(u32, u32)> =
                (0..2 * n).map(|_| (random.below(n) as u32, random.below(n) as u32)).collect();
            let graph = Graph::new(n, &edges).0;
            let mut nodes: Vec<u32> = graph.nodes().collect();
            random.shuffle(&mut nodes);
            nodes.truncate(3);
            let pattern = Pattern::of(&graph, &nodes);
            let found = pattern.find(&graph, 0, usize::MAX).unwrap();
            assert!(found.contains(&nodes));
            assert_eq!(found.len(), by_all(&graph, &pattern, &mut Vec::new()));
        }
    }
}
