//! Links between candidate sets: how sure somebody can be who knows the places of two people that
//! few edges lead from one to the other.

use sfumato_core::candidates::Linked;
use sfumato_core::{Error, FastMap, Result};

use super::alike::Alike;
use crate::data::Graph;

/// How many pairs of near nodes are looked at.
const MOST_PAIRS: u64 = 300_000_000;

/// Tell all pairs of nodes, the smaller first, that are joined by a path of at most `length` edges.
/// An error if there are too many.
pub fn near_pairs(graph: &Graph, length: u8, mut tell: impl FnMut(u32, u32)) -> Result<()> {
    if length <= 1 {
        graph.edges().for_each(|(a, b)| tell(a, b));
        return Ok(());
    }
    let mut seen = vec![u32::MAX; graph.n()];
    let mut steps = 0u64;
    let (mut now, mut next) = (Vec::new(), Vec::new());
    for from in graph.nodes() {
        seen[from as usize] = from;
        now.clear();
        now.push(from);
        for _ in 0..length {
            for node in now.drain(..) {
                for other in graph.neighbours(node) {
                    steps += 1;
                    if std::mem::replace(&mut seen[*other as usize], from) != from {
                        next.push(*other);
                        if *other > from {
                            tell(from, *other);
                        }
                    }
                }
            }
            std::mem::swap(&mut now, &mut next);
        }
        now.clear();
        if steps > MOST_PAIRS {
            return Err(Error::resources(
                "too many nodes are near each other to look at all pairs",
            )
            .hint("ask about length=1"));
        }
    }
    Ok(())
}

/// How many pairs of nodes there are between two classes, or inside one.
pub fn class_pairs(alike: &Alike, (a, b): (u32, u32)) -> u64 {
    let size = |class: u32| u64::from(alike.sizes[class as usize]);
    match a == b {
        true => size(a) * (size(a) - 1) / 2,
        false => size(a) * size(b),
    }
}

/// The number of near pairs of every two classes that have some, the smaller class first.
pub fn near_of_classes(
    graph: &Graph,
    alike: &Alike,
    length: u8,
) -> Result<FastMap<(u32, u32), u64>> {
    let mut counts: FastMap<(u32, u32), u64> = FastMap::default();
    near_pairs(graph, length, |a, b| {
        let (a, b) = (alike.class_of[a as usize], alike.class_of[b as usize]);
        *counts.entry((a.min(b), a.max(b))).or_insert(0) += 1;
    })?;
    Ok(counts)
}

/// The largest share of near pairs between two classes, and how many pairs of classes have more
/// than `most`.
pub fn links_between(graph: &Graph, alike: &Alike, length: u8, most: f64) -> Result<Linked> {
    let mut found = Linked { most: 0.0, violations: 0 };
    for (classes, near) in near_of_classes(graph, alike, length)? {
        let share = near as f64 / class_pairs(alike, classes) as f64;
        found.most = found.most.max(share);
        found.violations += u64::from(share > most);
    }
    Ok(found)
}

#[cfg(test)]
mod tests {
    use sfumato_kernels::seeded::Seeded;

    use super::*;
    use crate::data::refined;

    /// The distance of two nodes, by the definition: the least number of steps that reach.
    fn distance(graph: &Graph, a: u32, b: u32) -> Option<u8> {
        let mut reached = vec![a];
        for steps in 0..graph.n() as u8 {
            if reached.contains(&b) {
                return Some(steps);
            }
            let more: Vec<u32> =
                reached.iter().flat_map(|n| graph.neighbours(*n)).copied().collect();
            reached.extend(more);
            reached.sort_unstable();
            reached.dedup();
        }
        None
    }

    #[test]
    fn shares_agree_with_all_pairs() {
        let mut random = Seeded::new(91);
        for _ in 0..40 {
            let n = 2 + random.below(9);
            let m = random.below(2 * n);
            let edges: Vec<(u32, u32)> =
                (0..m).map(|_| (random.below(n) as u32, random.below(n) as u32)).collect();
            let graph = Graph::new(n, &edges).0;
            for (i, length) in [(0, 1), (1, 1), (1, 2), (2, 3)] {
                let alike = refined(&graph, None, i);
                let classes = alike.sizes.len() as u32;
                let (mut most, mut violations) = (0.0f64, 0);
                for a in 0..classes {
                    for b in a..classes {
                        let alike = &alike;
                        let of = |class| {
                            graph.nodes().filter(move |n| alike.class_of[*n as usize] == class)
                        };
                        let all: Vec<(u32, u32)> = of(a)
                            .flat_map(|x| of(b).map(move |y| (x, y)))
                            .filter(|(x, y)| a != b || x < y)
                            .collect();
                        let near = all
                            .iter()
                            .filter(|(x, y)| distance(&graph, *x, *y).is_some_and(|d| d <= length))
                            .count();
                        let share = near as f64 / all.len().max(1) as f64;
                        most = most.max(share);
                        violations += u64::from(share > 0.4);
                    }
                }
                let found = links_between(&graph, &alike, length, 0.4).unwrap();
                assert_eq!(found, Linked { most, violations }, "{graph:?} {i} {length}");
            }
        }
    }
}
