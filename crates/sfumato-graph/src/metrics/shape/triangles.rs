//! Triangles, and the clustering coefficient.

use rayon::prelude::*;
use sfumato_kernels::seeded::Seeded;

use crate::data::Graph;

/// Graphs whose triangles take more look-ups are sampled.
const MOST_LOOKUPS: u64 = 100_000_000;
/// How many nodes of a large graph are looked at, and how many pairs of neighbours of each.
const SAMPLE: (usize, usize) = (10_000, 50);

/// How many neighbours two ascending lists have in common.
fn common(a: &[u32], b: &[u32]) -> u64 {
    let (few, many) = if a.len() <= b.len() { (a, b) } else { (b, a) };
    if many.len() > 16 * few.len() {
        return few.iter().filter(|node| many.binary_search(node).is_ok()).count() as u64;
    }
    let (mut i, mut j, mut found) = (0, 0, 0);
    while i < few.len() && j < many.len() {
        match few[i].cmp(&many[j]) {
            std::cmp::Ordering::Less => i += 1,
            std::cmp::Ordering::Greater => j += 1,
            std::cmp::Ordering::Equal => {
                (i, j, found) = (i + 1, j + 1, found + 1);
            }
        }
    }
    found
}

/// How many triangles a graph has.
pub fn triangles(graph: &Graph) -> u64 {
    // Every triangle is counted once for each of its edges.
    let of_node = |node: u32| {
        let later = graph.neighbours(node).iter().filter(|other| **other > node);
        later.map(|other| common(graph.neighbours(node), graph.neighbours(*other))).sum::<u64>()
    };
    graph.nodes().into_par_iter().map(of_node).sum::<u64>() / 3
}

/// The mean clustering coefficient of all nodes, or of a sample of a large graph.
pub fn clustering(graph: &Graph, seed: u64) -> f64 {
    let lookups = |node: u32| {
        let around = graph.neighbours(node).iter();
        around.map(|other| u64::from(graph.degree(node).min(graph.degree(*other)))).sum::<u64>()
    };
    let all: u64 = graph.nodes().into_par_iter().map(lookups).sum();
    if all > MOST_LOOKUPS {
        return sampled(graph, seed);
    }
    let of_node = |node: u32| {
        let around = graph.neighbours(node);
        let pairs = around.len() as u64 * (around.len() as u64).saturating_sub(1);
        let shared: u64 = around.iter().map(|other| common(around, graph.neighbours(*other))).sum();
        if pairs == 0 { 0.0 } else { shared as f64 / pairs as f64 }
    };
    // Summed in the order of nodes, so that threads don't change the sum.
    let each: Vec<f64> = graph.nodes().into_par_iter().map(of_node).collect();
    each.iter().sum::<f64>() / graph.n().max(1) as f64
}

fn sampled(graph: &Graph, seed: u64) -> f64 {
    let mut random = Seeded::new(seed);
    let (nodes, pairs) = SAMPLE;
    let mut sum = 0.0;
    for _ in 0..nodes {
        let around = graph.neighbours(random.below(graph.n()) as u32);
        if around.len() < 2 {
            continue;
        }
        let closed = (0..pairs).filter(|_| {
            let first = random.below(around.len());
            let second = (first + 1 + random.below(around.len() - 1)) % around.len();
            graph.has(around[first], around[second])
        });
        sum += closed.count() as f64 / pairs as f64;
    }
    sum / nodes as f64
}
