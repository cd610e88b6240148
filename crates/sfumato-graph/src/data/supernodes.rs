//! Supernodes as they are published: how many nodes and edges each has, and how many edges lie
//! between two. Worlds are graphs that fit.

use sfumato_core::{Error, FastMap, FastSet, Result};
use sfumato_kernels::seeded::Seeded;

use super::graph::{Edge, Graph};

/// What is published of a graph whose nodes are in supernodes.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Supernodes {
    /// How many nodes each supernode has.
    pub sizes: Vec<u64>,
    /// How many edges lie between nodes of each supernode.
    pub inside: Vec<u64>,
    /// How many edges lie between two supernodes, where some do: the smaller number first,
    /// ascending.
    pub between: Vec<(u32, u32, u64)>,
}

impl Supernodes {
    /// What is published of a graph, by the supernode of each node.
    pub fn of(graph: &Graph, of: &[u32]) -> Supernodes {
        let n = of.iter().max().map_or(0, |group| *group as usize + 1);
        let mut found = Supernodes { sizes: vec![0; n], inside: vec![0; n], between: Vec::new() };
        of.iter().for_each(|group| found.sizes[*group as usize] += 1);
        let mut between: FastMap<(u32, u32), u64> = FastMap::default();
        for (a, b) in graph.edges() {
            let (a, b) = (of[a as usize], of[b as usize]);
            match a == b {
                true => found.inside[a as usize] += 1,
                false => *between.entry((a.min(b), a.max(b))).or_insert(0) += 1,
            }
        }
        found.between = between.into_iter().map(|((a, b), edges)| (a, b, edges)).collect();
        found.between.sort_unstable();
        found
    }

    /// The number of nodes.
    pub fn nodes(&self) -> u64 {
        self.sizes.iter().sum()
    }
    /// The number of edges.
    pub fn edges(&self) -> u64 {
        self.inside.iter().sum::<u64>() + self.between.iter().map(|(_, _, n)| n).sum::<u64>()
    }

    /// Check that some graph fits: no more edges than pairs, and every supernode named once.
    pub fn check(&self) -> Result<()> {
        let pairs = |size: u64| size * size.saturating_sub(1) / 2;
        let inside =
            self.sizes.iter().zip(&self.inside).all(|(size, edges)| *edges <= pairs(*size));
        let fits = |(a, b, edges): &(u32, u32, u64)| {
            let size = |group: &u32| self.sizes.get(*group as usize).copied().unwrap_or(0);
            a < b && *edges > 0 && *edges <= size(a).saturating_mul(size(b))
        };
        let is_ascending = self.between.is_sorted_by(|a, b| (a.0, a.1) < (b.0, b.1));
        let is_whole = self.sizes.len() == self.inside.len() && self.sizes.iter().all(|n| *n > 0);
        match inside && self.between.iter().all(fits) && is_ascending && is_whole {
            true => Ok(()),
            false => Err(Error::input("no graph fits these supernodes")),
        }
    }

    /// A graph that fits, each with the same chance. Nodes are numbered supernode by supernode.
    pub fn world(&self, seed: u64) -> Graph {
        let mut random = Seeded::new(seed);
        let mut first = vec![0u64];
        for size in &self.sizes {
            first.push(first[first.len() - 1] + size);
        }
        let mut edges: Vec<Edge> = Vec::with_capacity(self.edges() as usize);
        for (group, inside) in self.inside.iter().enumerate() {
            let (from, size) = (first[group], self.sizes[group]);
            let pairs = size * size.saturating_sub(1) / 2;
            for pair in draw(pairs, *inside, &mut random) {
                // The pairs of a triangle, row by row.
                let mut row = ((2.0 * pair as f64 + 0.25).sqrt() - 0.5) as u64;
                while row * (row + 1) / 2 > pair {
                    row -= 1;
                }
                while (row + 1) * (row + 2) / 2 <= pair {
                    row += 1;
                }
                let column = pair - row * (row + 1) / 2;
                edges.push(((from + column) as u32, (from + row + 1) as u32));
            }
        }
        for (a, b, count) in &self.between {
            let (of_a, of_b) = (first[*a as usize], first[*b as usize]);
            let width = self.sizes[*b as usize];
            for pair in draw(self.sizes[*a as usize] * width, *count, &mut random) {
                edges.push(((of_a + pair / width) as u32, (of_b + pair % width) as u32));
            }
        }
        Graph::new(self.nodes() as usize, &edges).0
    }
}

/// Draw some of the numbers below `all`, every choice with the same chance (Floyd).
fn draw(all: u64, some: u64, random: &mut Seeded) -> Vec<u64> {
    let mut chosen: FastSet<u64> = FastSet::default();
    let mut drawn = Vec::with_capacity(some as usize);
    for last in all - some..all {
        let number = random.below(last as usize + 1) as u64;
        let number = if chosen.insert(number) { number } else { last };
        chosen.insert(number);
        drawn.push(number);
    }
    drawn
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn worlds_have_what_is_published() {
        let mut random = Seeded::new(51);
        for seed in 0..30 {
            let n = 3 + random.below(20);
            let edges: Vec<Edge> =
                (0..3 * n).map(|_| (random.below(n) as u32, random.below(n) as u32)).collect();
            let graph = Graph::new(n, &edges).0;
            let mut of: Vec<u32> = (0..n).map(|_| random.below(3) as u32).collect();
            of[..3].copy_from_slice(&[0, 1, 2]);
            let published = Supernodes::of(&graph, &of);
            published.check().unwrap();
            assert_eq!((published.nodes(), published.edges()), (n as u64, graph.m()));
            let world = published.world(seed);
            let mut numbered = Vec::new();
            for (group, size) in (0u32..).zip(&published.sizes) {
                numbered.resize(numbered.len() + *size as usize, group);
            }
            assert_eq!(Supernodes::of(&world, &numbered), published);
        }
    }

    /// Two edges inside three nodes: each of three graphs about as often.
    #[test]
    fn worlds_are_equally_likely() {
        let published = Supernodes { sizes: vec![3], inside: vec![2], between: Vec::new() };
        let mut counts = std::collections::BTreeMap::new();
        for seed in 0..3_000 {
            let world: Vec<Edge> = published.world(seed).edges().collect();
            *counts.entry(world).or_insert(0u32) += 1;
        }
        assert_eq!(counts.len(), 3);
        // Five standard deviations are 130.
        assert!(counts.values().all(|n| n.abs_diff(1_000) < 130), "{counts:?}");
    }

    #[test]
    fn what_no_graph_fits_is_refused() {
        let fine = Supernodes { sizes: vec![2, 2], inside: vec![1, 0], between: vec![(0, 1, 4)] };
        assert!(fine.check().is_ok());
        for wrong in [
            Supernodes { inside: vec![2, 0], ..fine.clone() },
            Supernodes { between: vec![(0, 1, 5)], ..fine.clone() },
            Supernodes { between: vec![(0, 2, 1)], ..fine.clone() },
            Supernodes { between: vec![(1, 0, 1)], ..fine.clone() },
            Supernodes { sizes: vec![2, 0], ..fine.clone() },
        ] {
            assert!(wrong.check().is_err(), "{wrong:?}");
        }
    }
}
