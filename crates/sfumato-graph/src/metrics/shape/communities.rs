//! Communities by propagation of labels, and their modularity.

use sfumato_core::FastMap;
use sfumato_engine::hash::{HASH_START, mix};
use sfumato_kernels::seeded::Seeded;

use crate::data::Graph;

/// How many rounds labels are propagated at most.
const ROUNDS: usize = 10;

/// A community for each node: in every round nodes, in random order, take the label that most of
/// their neighbours have: of several their own, or else one by chance.
pub fn communities(graph: &Graph, seed: u64) -> Vec<u32> {
    let mut labels: Vec<u32> = graph.nodes().collect();
    let mut order: Vec<u32> = graph.nodes().collect();
    Seeded::new(seed).shuffle(&mut order);
    let mut counts: FastMap<u32, u32> = FastMap::default();
    for round in 0..ROUNDS as u64 {
        let mut has_changed = false;
        for node in &order {
            counts.clear();
            for other in graph.neighbours(*node) {
                *counts.entry(labels[*other as usize]).or_insert(0) += 1;
            }
            let own = labels[*node as usize];
            let chance = |label: u32| mix(mix(mix(HASH_START, seed), round), u64::from(label));
            let most = counts
                .iter()
                .max_by_key(|(label, n)| (**n, **label == own, chance(**label), **label));
            if let Some((label, _)) = most {
                has_changed |= labels[*node as usize] != *label;
                labels[*node as usize] = *label;
            }
        }
        if !has_changed {
            break;
        }
    }
    labels
}

/// The modularity of communities (Newman and Girvan). `None` without edges.
pub fn modularity(graph: &Graph, communities: &[u32]) -> Option<f64> {
    let m = graph.m() as f64;
    if m == 0.0 {
        return None;
    }
    let most = communities.iter().max().map_or(0, |label| *label as usize + 1);
    let mut degrees = vec![0u64; most];
    for node in graph.nodes() {
        degrees[communities[node as usize] as usize] += u64::from(graph.degree(node));
    }
    let is_inside = |(a, b): &(u32, u32)| communities[*a as usize] == communities[*b as usize];
    let inside = graph.edges().filter(is_inside).count() as f64;
    let expected: f64 = degrees.iter().map(|degree| (*degree as f64 / (2.0 * m)).powi(2)).sum();
    Some(inside / m - expected)
}
