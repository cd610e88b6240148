//! Whether two small graphs are the same but for the names of their nodes: colours are refined
//! until they say no more, nodes are singled out where that isn't enough, and what is found is
//! checked edge by edge.

use sfumato_core::{Error, Result};
use sfumato_engine::hash::{HASH_START, mix};

use crate::data::Graph;

/// How many times colours may be refined before a comparison is given up.
const MOST_STEPS: u32 = 20_000;

/// Refine colours until no more nodes come apart. Whatever nodes are called, the same graph with
/// the same colours gets the same colours.
pub(super) fn stable(graph: &Graph, colours: &mut Vec<u64>) {
    let mut different = count(colours);
    let mut around = Vec::new();
    loop {
        let next: Vec<u64> = graph
            .nodes()
            .map(|node| {
                around.clear();
                around.extend(graph.neighbours(node).iter().map(|other| colours[*other as usize]));
                around.sort_unstable();
                let start = mix(HASH_START, colours[node as usize]);
                around.iter().fold(start, |hash, colour| mix(hash, *colour))
            })
            .collect();
        let now = count(&next);
        *colours = next;
        if now == different {
            return;
        }
        different = now;
    }
}

fn count(colours: &[u64]) -> usize {
    let mut sorted = colours.to_vec();
    sorted.sort_unstable();
    sorted.dedup();
    sorted.len()
}

/// Whether two graphs are isomorphic by a map that keeps colours. An error if that couldn't be
/// found out with a stated amount of work.
pub fn are_isomorphic(a: &Graph, b: &Graph, colours: (&[u64], &[u64])) -> Result<bool> {
    if a.n() != b.n() || a.m() != b.m() {
        return Ok(false);
    }
    let mut steps = MOST_STEPS;
    search((a, colours.0.to_vec()), (b, colours.1.to_vec()), colours, &mut steps)
}

/// The nodes in the order of their colours.
fn ordered(colours: &[u64]) -> Vec<u32> {
    let mut nodes: Vec<u32> = (0..colours.len() as u32).collect();
    nodes.sort_by_key(|node| colours[*node as usize]);
    nodes
}

fn search(
    (a, mut of_a): (&Graph, Vec<u64>),
    (b, mut of_b): (&Graph, Vec<u64>),
    given: (&[u64], &[u64]),
    steps: &mut u32,
) -> Result<bool> {
    *steps = steps.checked_sub(1).ok_or_else(|| {
        Error::resources("two neighbourhoods are too much alike to be told apart in time")
            .hint("ask about candidates(knowledge=h2), which needs no comparison of graphs")
    })?;
    stable(a, &mut of_a);
    stable(b, &mut of_b);
    let (order_a, order_b) = (ordered(&of_a), ordered(&of_b));
    let same = order_a.iter().zip(&order_b);
    if !same.clone().all(|(x, y)| of_a[*x as usize] == of_b[*y as usize]) {
        return Ok(false);
    }
    let mut map = vec![0; a.n()];
    same.for_each(|(x, y)| map[*x as usize] = *y);
    if is_map(a, b, &map, given) {
        return Ok(true);
    }
    // The first of the smallest groups that are still alike is singled out, and each of its
    // counterparts tried.
    let groups = order_a.chunk_by(|x, y| of_a[*x as usize] == of_a[*y as usize]);
    let Some(group) = groups.filter(|group| group.len() > 1).min_by_key(|group| group.len()) else {
        return Ok(false);
    };
    let (chosen, colour) = (group[0], of_a[group[0] as usize]);
    for other in order_b.iter().filter(|other| of_b[**other as usize] == colour) {
        let (mut next_a, mut next_b) = (of_a.clone(), of_b.clone());
        let alone = mix(colour, 0xA10E);
        next_a[chosen as usize] = alone;
        next_b[*other as usize] = alone;
        if search((a, next_a), (b, next_b), given, steps)? {
            return Ok(true);
        }
    }
    Ok(false)
}

/// Whether a map takes each edge to an edge and each node to one of its colour. Both graphs have
/// the same numbers of nodes and edges, and a map between nodes in two orders is one to one.
fn is_map(a: &Graph, b: &Graph, map: &[u32], colours: (&[u64], &[u64])) -> bool {
    let keeps_colours =
        map.iter().enumerate().all(|(node, to)| colours.0[node] == colours.1[*to as usize]);
    keeps_colours && a.edges().all(|(x, y)| b.has(map[x as usize], map[y as usize]))
}

#[cfg(test)]
mod tests {
    use sfumato_kernels::seeded::Seeded;

    use super::*;

    /// Whether any permutation is an isomorphism, by trying all.
    fn by_all(a: &Graph, b: &Graph) -> bool {
        fn extend(a: &Graph, b: &Graph, map: &mut Vec<u32>) -> bool {
            let node = map.len() as u32;
            if node as usize == a.n() {
                return true;
            }
            for to in b.nodes().filter(|to| !map.contains(to)).collect::<Vec<_>>() {
                let fits = (0..node).all(|x| a.has(x, node) == b.has(map[x as usize], to));
                map.push(to);
                if fits && extend(a, b, map) {
                    return true;
                }
                map.pop();
            }
            false
        }
        a.n() == b.n() && extend(a, b, &mut Vec::new())
    }

    #[test]
    fn every_pair_of_small_graphs_is_told_as_by_all_permutations() {
        let mut random = Seeded::new(1);
        let (mut yes, mut no) = (0, 0);
        for _ in 0..600 {
            let n = 3 + random.below(5);
            let draw = |random: &mut Seeded, m: usize| {
                let mut edges: Vec<(u32, u32)> =
                    (0..n as u32).flat_map(|a| (0..a).map(move |b| (b, a))).collect();
                random.shuffle(&mut edges);
                edges.truncate(m.min(edges.len()));
                Graph::new(n, &edges).0
            };
            let m = random.below(n * n / 2 + 1);
            let a = draw(&mut random, m);
            // Half of the time the same graph with other names.
            let b = match random.below(2) {
                0 => draw(&mut random, m),
                _ => {
                    let mut id: Vec<u32> = (0..n as u32).collect();
                    random.shuffle(&mut id);
                    a.renumbered(&id)
                }
            };
            let plain = vec![0; n];
            let found = are_isomorphic(&a, &b, (&plain, &plain)).unwrap();
            assert_eq!(found, by_all(&a, &b), "{a:?} {b:?}");
            yes += u32::from(found);
            no += u32::from(!found);
        }
        assert!(yes > 100 && no > 80, "{yes} {no}");
    }

    #[test]
    fn regular_graphs_that_refinement_alone_cannot_tell_apart() {
        let ring = |from: u32, n: u32| (0..n).map(move |i| (from + i, from + (i + 1) % n));
        let six = Graph::new(6, &ring(0, 6).collect::<Vec<_>>()).0;
        let two = Graph::new(6, &ring(0, 3).chain(ring(3, 3)).collect::<Vec<_>>()).0;
        let plain = [0; 6];
        assert!(!are_isomorphic(&six, &two, (&plain, &plain)).unwrap());
        assert!(are_isomorphic(&six, &six, (&plain, &plain)).unwrap());
        // With a colour that only one of them has in this place.
        let one = [1, 0, 0, 0, 0, 0];
        assert!(!are_isomorphic(&six, &six, (&plain, &one)).unwrap());
        assert!(are_isomorphic(&six, &six, (&[0, 0, 1, 0, 0, 0], &one)).unwrap());
    }
}
