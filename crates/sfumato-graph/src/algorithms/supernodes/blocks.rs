//! Supernodes while they are being found: which nodes each has, how many edges lie between two, and
//! how many graphs fit what is published of them.

use sfumato_core::FastMap;
use statrs::function::gamma::ln_gamma;

use crate::data::Graph;

/// The logarithm of the number of ways to choose `few` of `all`.
pub fn ln_choose(all: u64, few: u64) -> f64 {
    match few == 0 || few >= all {
        true => 0.0,
        false => {
            let gamma = |n: u64| ln_gamma(n as f64 + 1.0);
            gamma(all) - gamma(few) - gamma(all - few)
        }
    }
}

/// The logarithm of the number of graphs that fit a pair of supernodes with these sizes and edges
/// between them, or a supernode with itself.
fn ln_pair((a, b): (u64, u64), edges: u64, is_same: bool) -> f64 {
    let pairs = if is_same { a * a.saturating_sub(1) / 2 } else { a * b };
    ln_choose(pairs, edges)
}

/// The logarithm of the number of graphs that fit supernodes: how uncertain an analyst is.
pub fn ln_worlds(graph: &Graph, of: &[u32]) -> f64 {
    let n_groups = of.iter().max().map_or(0, |group| *group as usize + 1);
    let mut sizes = vec![0u64; n_groups];
    of.iter().for_each(|group| sizes[*group as usize] += 1);
    let mut edges: FastMap<(u32, u32), u64> = FastMap::default();
    for (a, b) in graph.edges() {
        let (a, b) = (of[a as usize], of[b as usize]);
        *edges.entry((a.min(b), a.max(b))).or_insert(0) += 1;
    }
    let mut all: Vec<((u32, u32), u64)> = edges.into_iter().collect();
    all.sort_unstable();
    let size = |group: u32| sizes[group as usize];
    all.iter().map(|((a, b), edges)| ln_pair((size(*a), size(*b)), *edges, a == b)).sum()
}

/// Supernodes of a graph, to be changed.
pub struct Blocks<'a> {
    graph: &'a Graph,
    /// The supernode of each node.
    pub of: Vec<u32>,
    /// The nodes of each supernode, in no order.
    pub members: Vec<Vec<u32>>,
    /// How many edges lie between each supernode and others, itself among them.
    edges: Vec<FastMap<u32, u64>>,
}

impl<'a> Blocks<'a> {
    /// The given supernodes.
    pub fn new(graph: &'a Graph, of: Vec<u32>) -> Self {
        let n_groups = of.iter().max().map_or(0, |group| *group as usize + 1);
        let mut members = vec![Vec::new(); n_groups];
        (0u32..).zip(&of).for_each(|(node, group)| members[*group as usize].push(node));
        let mut edges = vec![FastMap::default(); n_groups];
        for (a, b) in graph.edges() {
            let (a, b) = (of[a as usize], of[b as usize]);
            *edges[a as usize].entry(b).or_insert(0) += 1;
            if a != b {
                *edges[b as usize].entry(a).or_insert(0) += 1;
            }
        }
        Blocks { graph, of, members, edges }
    }

    /// How many nodes a supernode has.
    pub fn size(&self, group: u32) -> u64 {
        self.members[group as usize].len() as u64
    }

    /// The logarithm of the number of graphs that fit what is published about two supernodes.
    pub fn cost_of(&self, groups: &[u32]) -> f64 {
        let mut pairs: Vec<(u32, u32, u64)> = Vec::new();
        for group in groups {
            for (other, edges) in &self.edges[*group as usize] {
                // A pair of the given ones counts once.
                let is_seen = groups.contains(other) && other < group;
                if !is_seen {
                    pairs.push((*group, *other, *edges));
                }
            }
        }
        pairs.sort_unstable();
        let cost = |(a, b, edges): &(u32, u32, u64)| {
            ln_pair((self.size(*a), self.size(*b)), *edges, a == b)
        };
        pairs.iter().map(cost).sum()
    }

    /// Put a node into another supernode.
    pub fn shift(&mut self, node: u32, to: u32) {
        let from = self.of[node as usize];
        if from == to {
            return;
        }
        let mut around: Vec<u32> =
            self.graph.neighbours(node).iter().map(|other| self.of[*other as usize]).collect();
        around.sort_unstable();
        for same in around.chunk_by(|a, b| a == b) {
            let (other, n) = (same[0], same.len() as u64);
            self.change(from, other, -(n as i64));
            self.change(to, other, n as i64);
        }
        let place = self.members[from as usize].iter().position(|member| *member == node);
        if let Some(place) = place {
            self.members[from as usize].swap_remove(place);
        }
        self.members[to as usize].push(node);
        self.of[node as usize] = to;
    }

    fn change(&mut self, a: u32, b: u32, by: i64) {
        for (one, other) in [(a, b), (b, a)] {
            let edges = self.edges[one as usize].entry(other).or_insert(0);
            *edges = edges.saturating_add_signed(by);
            if *edges == 0 {
                self.edges[one as usize].remove(&other);
            }
            if a == b {
                break;
            }
        }
    }

    /// Add a supernode without nodes.
    pub fn add(&mut self) -> u32 {
        self.members.push(Vec::new());
        self.edges.push(FastMap::default());
        self.members.len() as u32 - 1
    }

    /// The supernode of each node, numbered without gaps.
    pub fn finish(self) -> Vec<u32> {
        let mut number = vec![u32::MAX; self.members.len()];
        let mut next = 0;
        self.of
            .iter()
            .map(|group| {
                if number[*group as usize] == u32::MAX {
                    number[*group as usize] = next;
                    next += 1;
                }
                number[*group as usize]
            })
            .collect()
    }
}

#[cfg(test)]
mod tests {
    use sfumato_kernels::seeded::Seeded;

    use super::*;

    /// TV15-3, with the self loops corrected: 675 graphs fit the book's supernodes.
    #[test]
    fn worlds_of_the_example() {
        let edges = [(1, 2), (1, 3), (2, 4), (2, 5), (2, 6), (3, 6), (4, 5), (6, 7)];
        let graph = Graph::new(7, &edges.map(|(a, b)| (a - 1, b - 1))).0;
        let of = [0, 0, 0, 1, 1, 2, 2];
        assert!((ln_worlds(&graph, &of).exp() - 675.0).abs() < 1e-6);
        assert_eq!(ln_choose(5, 0), 0.0);
        assert!((ln_choose(5, 2).exp() - 10.0).abs() < 1e-9);
    }

    /// All graphs on the nodes that have the same numbers of edges, one by one.
    #[test]
    fn worlds_are_those_that_enumeration_finds() {
        let mut random = Seeded::new(41);
        for _ in 0..12 {
            let n = 5;
            let pairs: Vec<(u32, u32)> =
                (0..n as u32).flat_map(|a| (0..a).map(move |b| (b, a))).collect();
            let of: Vec<u32> = (0..n).map(|_| random.below(2) as u32).collect();
            let drawn: Vec<(u32, u32)> =
                pairs.iter().copied().filter(|_| random.below(2) == 0).collect();
            let graph = Graph::new(n, &drawn).0;
            let counts = |edges: &[(u32, u32)]| {
                let mut found = [[0u32; 2]; 2];
                for (a, b) in edges {
                    let (a, b) = (of[*a as usize], of[*b as usize]);
                    found[a.min(b) as usize][a.max(b) as usize] += 1;
                }
                found
            };
            let wanted = counts(&drawn);
            let fits = (0u32..1 << pairs.len()).filter(|bits| {
                let is_in = |place: &usize| bits & (1 << place) != 0;
                let chosen: Vec<(u32, u32)> =
                    (0..pairs.len()).filter(is_in).map(|place| pairs[place]).collect();
                counts(&chosen) == wanted
            });
            let all = fits.count() as f64;
            assert!((ln_worlds(&graph, &of).exp() - all).abs() < 1e-6 * all, "{of:?}");
        }
    }

    #[test]
    fn shifting_nodes_keeps_counts() {
        let mut random = Seeded::new(42);
        let edges: Vec<(u32, u32)> =
            (0..60).map(|_| (random.below(20) as u32, random.below(20) as u32)).collect();
        let graph = Graph::new(20, &edges).0;
        let of: Vec<u32> = (0..20).map(|node| node % 4).collect();
        let mut blocks = Blocks::new(&graph, of);
        for _ in 0..50 {
            blocks.shift(random.below(20) as u32, random.below(4) as u32);
            let all = blocks.cost_of(&[0, 1, 2, 3]);
            assert!((all - ln_worlds(&graph, &blocks.of)).abs() < 1e-9);
        }
    }
}
