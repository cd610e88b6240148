//! Components: nodes that paths join, in the whole graph or in what is left of it.

use std::cmp::Reverse;

use rayon::prelude::*;
use sfumato_engine::hash::{HASH_START, mix};

use crate::data::{Edge, Graph};

/// How many draws of edges an infection is averaged over.
const DRAWS: u64 = 10;
/// An infection passes over one edge in so many.
const RARELY: u64 = 10;

/// The sizes of components of nodes joined by edges, the largest first.
fn sizes(n: usize, edges: impl Iterator<Item = Edge>) -> Vec<u64> {
    let mut parent: Vec<u32> = (0..n as u32).collect();
    fn root(parent: &mut [u32], mut node: u32) -> u32 {
        while parent[node as usize] != node {
            parent[node as usize] = parent[parent[node as usize] as usize];
            node = parent[node as usize];
        }
        node
    }
    for (a, b) in edges {
        let (a, b) = (root(&mut parent, a), root(&mut parent, b));
        let (low, high) = (a.min(b), a.max(b));
        parent[high as usize] = low;
    }
    let mut counts = vec![0u64; n];
    for node in 0..n as u32 {
        counts[root(&mut parent, node) as usize] += 1;
    }
    counts.retain(|count| *count > 0);
    counts.sort_unstable_by_key(|count| Reverse(*count));
    counts
}

/// The sizes of all components, the largest first.
pub fn components(graph: &Graph) -> Vec<u64> {
    sizes(graph.n(), graph.edges())
}

/// The share of nodes in the largest component.
pub fn largest_component(graph: &Graph) -> f64 {
    share(components(graph).first().copied(), graph.n())
}

fn share(count: Option<u64>, n: usize) -> f64 {
    count.unwrap_or(0) as f64 / n.max(1) as f64
}

/// The share of nodes in the largest component once the twentieth with the largest degrees is gone.
pub fn resilience(graph: &Graph) -> f64 {
    let mut nodes: Vec<u32> = graph.nodes().collect();
    nodes.sort_by_key(|node| Reverse(graph.degree(*node)));
    let mut is_gone = vec![false; graph.n()];
    nodes.iter().take(graph.n() / 20).for_each(|node| is_gone[*node as usize] = true);
    let left = |(a, b): &Edge| !is_gone[*a as usize] && !is_gone[*b as usize];
    share(sizes(graph.n(), graph.edges().filter(left)).first().copied(), graph.n())
}

/// The mean share of nodes that an infection from a random node reaches.
pub fn infectiousness(graph: &Graph, seed: u64) -> f64 {
    let reached = |draw: u64| {
        let start = mix(mix(HASH_START, seed), draw);
        let passes =
            |(a, b): &Edge| mix(mix(start, u64::from(*a)), u64::from(*b)).is_multiple_of(RARELY);
        let n = graph.n().max(1) as f64;
        let sizes = sizes(graph.n(), graph.edges().filter(passes));
        sizes.iter().map(|size| (*size as f64 / n).powi(2)).sum::<f64>()
    };
    let each: Vec<f64> = (0..DRAWS).into_par_iter().map(reached).collect();
    each.iter().sum::<f64>() / DRAWS as f64
}
