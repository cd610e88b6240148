//! Switches: two edges exchange their ends, so that every node keeps its degree.

use sfumato_core::FastSet;
use sfumato_kernels::seeded::Seeded;

use crate::data::{Edge, Graph, edge};
use crate::traits::Edits;

/// How many pairs of edges are drawn for each switch that is wanted, at most.
const DRAWS: usize = 50;

/// Switch edges until so many were moved. `allows` is asked about each switch: the two edges that
/// go, and the two that come.
pub(super) fn switch(
    graph: &Graph,
    wanted: usize,
    seed: u64,
    mut allows: impl FnMut([Edge; 2], [Edge; 2]) -> bool,
) -> Edits {
    let mut random = Seeded::new(seed);
    let mut edges: Vec<Edge> = graph.edges().collect();
    let mut now: FastSet<Edge> = edges.iter().copied().collect();
    let mut moved = 0;
    for _ in 0..wanted.saturating_mul(DRAWS) {
        if moved >= wanted || edges.len() < 2 {
            break;
        }
        let (first, second) = (random.below(edges.len()), random.below(edges.len()));
        let ((a, b), (c, d)) = (edges[first], edges[second]);
        let (c, d) = if random.below(2) == 0 { (c, d) } else { (d, c) };
        if first == second || a == d || c == b {
            continue;
        }
        let (new, other) = (edge(a, d), edge(c, b));
        if new == other || now.contains(&new) || now.contains(&other) {
            continue;
        }
        if !allows([edge(a, b), edge(c, d)], [new, other]) {
            continue;
        }
        now.remove(&edges[first]);
        now.remove(&edges[second]);
        now.extend([new, other]);
        (edges[first], edges[second]) = (new, other);
        moved += 2;
    }
    let mut added: Vec<Edge> = now.iter().copied().filter(|(a, b)| !graph.has(*a, *b)).collect();
    added.sort_unstable();
    let deleted = graph.edges().filter(|edge| !now.contains(edge)).collect();
    Edits { added, deleted, ..Edits::default() }
}
