//! How far it is from nodes with one label to the nearest with another.

use std::cmp::Reverse;

use crate::data::{Graph, Labels};

/// How many labels are looked at, the most frequent.
const MOST_LABELS: usize = 20;

/// For every two different labels the mean distance from nodes with the first to the nearest node
/// with the second; `None` where no path leads from any.
pub fn label_distances(graph: &Graph, labels: &Labels) -> Vec<Option<f64>> {
    let mut counts = vec![0u64; labels.names.len()];
    labels.of.iter().for_each(|label| counts[*label as usize] += 1);
    let mut chosen: Vec<u32> = (0..counts.len() as u32).collect();
    chosen.sort_by_key(|label| Reverse(counts[*label as usize]));
    chosen.truncate(MOST_LABELS);
    let mut all = Vec::new();
    for to in &chosen {
        let distances = from_label(graph, labels, *to);
        for from in chosen.iter().filter(|from| *from != to) {
            let reached = graph
                .nodes()
                .filter(|node| labels.of[*node as usize] == *from)
                .map(|node| distances[node as usize])
                .filter(|distance| *distance != u32::MAX);
            let (sum, n) = reached.fold((0u64, 0u64), |(sum, n), d| (sum + u64::from(d), n + 1));
            all.push((n > 0).then(|| sum as f64 / n as f64));
        }
    }
    all
}

/// How far every node is from the nearest with a label.
fn from_label(graph: &Graph, labels: &Labels, label: u32) -> Vec<u32> {
    let is_there = |node: &u32| labels.of[*node as usize] == label;
    let mut now: Vec<u32> = graph.nodes().filter(is_there).collect();
    let mut distances = vec![u32::MAX; graph.n()];
    now.iter().for_each(|node| distances[*node as usize] = 0);
    let mut steps = 0;
    while !now.is_empty() {
        steps += 1;
        let mut next = Vec::new();
        for node in now {
            for other in graph.neighbours(node) {
                if distances[*other as usize] == u32::MAX {
                    distances[*other as usize] = steps;
                    next.push(*other);
                }
            }
        }
        now = next;
    }
    distances
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn distances_to_the_nearest_of_a_label() {
        // A path a - b - b - c, and an a alone.
        let graph = Graph::new(5, &[(0, 1), (1, 2), (2, 3)]).0;
        let labels = Labels::new(&["a", "b", "b", "c", "a"].map(String::from));
        let found = label_distances(&graph, &labels);
        // To a from b and c, to b from a and c, to c from a and b, in the order of frequency.
        assert_eq!(found, [1.5, 3.0, 1.0, 1.0, 3.0, 1.5].map(Some));
    }
}
