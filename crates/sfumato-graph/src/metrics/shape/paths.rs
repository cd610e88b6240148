//! Lengths of shortest paths.

use rayon::prelude::*;
use sfumato_kernels::seeded::Seeded;

use crate::data::Graph;

/// From how many nodes paths are looked for, and to how many others from each.
const SAMPLE: (usize, usize) = (25, 20);

/// The mean length of shortest paths between random pairs of nodes. `None` if no path joins any.
pub fn path_length(graph: &Graph, seed: u64) -> Option<f64> {
    let mut random = Seeded::new(seed);
    let mut node = || random.below(graph.n().max(1)) as u32;
    let pairs: Vec<(u32, Vec<u32>)> =
        (0..SAMPLE.0).map(|_| (node(), (0..SAMPLE.1).map(|_| node()).collect())).collect();
    let found: Vec<(u64, u64)> = pairs
        .par_iter()
        .map(|(from, to)| {
            let distances = distances(graph, *from);
            let reached = to
                .iter()
                .filter(|to| *to != from)
                .map(|to| distances[*to as usize])
                .filter(|distance| *distance != u32::MAX);
            reached.fold((0, 0), |(sum, n), distance| (sum + u64::from(distance), n + 1))
        })
        .collect();
    let (sum, n) = found.iter().fold((0, 0), |all, one| (all.0 + one.0, all.1 + one.1));
    (n > 0).then(|| sum as f64 / n as f64)
}

/// How far all nodes are from one; `u32::MAX` where no path leads.
fn distances(graph: &Graph, from: u32) -> Vec<u32> {
    let mut distances = vec![u32::MAX; graph.n()];
    let (mut now, mut next, mut steps) = (vec![from], Vec::new(), 0);
    if let Some(start) = distances.get_mut(from as usize) {
        *start = 0;
    }
    while !now.is_empty() {
        steps += 1;
        for node in now.drain(..) {
            for other in graph.neighbours(node) {
                let distance = &mut distances[*other as usize];
                if *distance == u32::MAX {
                    *distance = steps;
                    next.push(*other);
                }
            }
        }
        std::mem::swap(&mut now, &mut next);
    }
    distances
}
