//! Functions that map a graph to itself. To find some is hard; to check given ones isn't.
//!
//! A release that is made so numbers its nodes such that the numbers give the functions: blocks of
//! k consecutive numbers, the last of which has what is left over as well, are turned by one.

use crate::data::Graph;

/// What was found about functions.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum AutomorphismCheck {
    /// The functions map the graph to itself, and each node to at least so many nodes, itself
    /// among them.
    Holds(u64),
    /// They don't.
    Fails,
}

/// The function that turns blocks of `k` consecutive numbers by one. The last block has the nodes
/// that are left over as well. `None` if there are fewer nodes than that.
pub fn shifts(n: usize, k: usize) -> Option<Vec<u32>> {
    if k == 0 || n < k {
        return None;
    }
    let blocks = n / k;
    let mut next: Vec<u32> = (1..=n as u32).collect();
    for block in 0..blocks {
        let end = if block + 1 == blocks { n } else { (block + 1) * k };
        next[end - 1] = (block * k) as u32;
    }
    Some(next)
}

impl AutomorphismCheck {
    /// Check that a function is one to one and maps the graph to itself, and count how many nodes
    /// each node comes to when it is applied again and again. The k - 1 functions of the model are
    /// its first powers: they differ at every node as long as no node comes back before.
    pub fn of(graph: &Graph, function: &[u32]) -> AutomorphismCheck {
        let n = graph.n();
        let mut is_hit = vec![false; n];
        for to in function {
            match is_hit.get_mut(*to as usize) {
                Some(hit) if !*hit => *hit = true,
                _ => return AutomorphismCheck::Fails,
            }
        }
        if function.len() != n {
            return AutomorphismCheck::Fails;
        }
        let keeps = |(a, b): (u32, u32)| graph.has(function[a as usize], function[b as usize]);
        if !graph.edges().all(keeps) {
            return AutomorphismCheck::Fails;
        }
        let mut seen = vec![false; n];
        let mut least = u64::MAX;
        for start in 0..n {
            let (mut at, mut length) = (start, 0);
            while !std::mem::replace(&mut seen[at], true) {
                at = function[at] as usize;
                length += 1;
            }
            least = if length > 0 { least.min(length) } else { least };
        }
        AutomorphismCheck::Holds(if n == 0 { 0 } else { least })
    }
}

impl AutomorphismCheck {
    /// Check that functions map the graph to itself, one to one, and count to how many nodes they
    /// take each node, itself among them.
    pub fn of_given(graph: &Graph, functions: &[Vec<u32>]) -> AutomorphismCheck {
        let maps = |one: &Vec<u32>| Self::of(graph, one) != AutomorphismCheck::Fails;
        if !functions.iter().all(maps) {
            return AutomorphismCheck::Fails;
        }
        let reached = |node: u32| {
            let mut images: Vec<u32> =
                functions.iter().map(|one| one[node as usize]).chain([node]).collect();
            images.sort_unstable();
            images.dedup();
            images.len() as u64
        };
        AutomorphismCheck::Holds(graph.nodes().map(reached).min().unwrap_or(0))
    }
}

#[cfg(test)]
mod tests {
    use sfumato_kernels::seeded::Seeded;

    use super::*;

    #[test]
    fn a_function_holds_only_if_it_maps_edges_to_edges_one_to_one() {
        // Two triangles, and a path beside them.
        let graph = Graph::new(8, &[(0, 1), (1, 2), (0, 2), (3, 4), (4, 5), (3, 5), (6, 7)]).0;
        let check = |function: &[u32]| AutomorphismCheck::of(&graph, function);
        assert_eq!(check(&[1, 2, 0, 4, 5, 3, 7, 6]), AutomorphismCheck::Holds(2));
        assert_eq!(check(&[3, 4, 5, 0, 1, 2, 7, 6]), AutomorphismCheck::Holds(2));
        assert_eq!(check(&[0, 1, 2, 3, 4, 5, 6, 7]), AutomorphismCheck::Holds(1));
        assert_eq!(check(&[6, 7, 2, 3, 4, 5, 0, 1]), AutomorphismCheck::Fails);
        assert_eq!(check(&[0, 0, 2, 3, 4, 5, 6, 7]), AutomorphismCheck::Fails);
        assert_eq!(check(&[0, 1, 2, 3, 4, 5, 6, 9]), AutomorphismCheck::Fails);
        assert_eq!(check(&[0, 1, 2]), AutomorphismCheck::Fails);
        assert_eq!(shifts(8, 3), Some(vec![1, 2, 0, 4, 5, 6, 7, 3]));
        assert_eq!(shifts(2, 3), None);
    }

    /// All functions that map a graph to itself, by trying every permutation.
    fn all_of(graph: &Graph) -> Vec<Vec<u32>> {
        fn extend(graph: &Graph, map: &mut Vec<u32>, found: &mut Vec<Vec<u32>>) {
            if map.len() == graph.n() {
                found.push(map.clone());
                return;
            }
            let at = map.len() as u32;
            for to in graph.nodes().filter(|to| !map.contains(to)).collect::<Vec<u32>>() {
                if (0..at).all(|one| graph.has(one, at) == graph.has(map[one as usize], to)) {
                    map.push(to);
                    extend(graph, map, found);
                    map.pop();
                }
            }
        }
        let mut found = Vec::new();
        extend(graph, &mut Vec::new(), &mut found);
        found
    }

    #[test]
    fn given_functions_reach_what_all_permutations_reach() {
        let mut random = Seeded::new(71);
        let (mut mapped, mut refused) = (0, 0);
        for _ in 0..80 {
            let n = 1 + random.below(8);
            let m = random.below(n + 2);
            let edges: Vec<(u32, u32)> =
                (0..m).map(|_| (random.below(n) as u32, random.below(n) as u32)).collect();
            let graph = Graph::new(n, &edges).0;
            let all = all_of(&graph);
            let orbit = |node: usize| {
                let mut images: Vec<u32> = all.iter().map(|one| one[node]).collect();
                images.sort_unstable();
                images.dedup();
                images.len() as u64
            };
            let least = (0..n).map(orbit).min().unwrap();
            let found = AutomorphismCheck::of_given(&graph, &all);
            assert_eq!(found, AutomorphismCheck::Holds(least), "{graph:?}");
            mapped += u32::from(least > 1);
            // A permutation that isn't among them is refused.
            let mut turned: Vec<u32> = (0..n as u32).collect();
            turned.rotate_left(1);
            let is_one = all.contains(&turned);
            let checked = AutomorphismCheck::of_given(&graph, &[turned]);
            assert_eq!(checked != AutomorphismCheck::Fails, is_one, "{graph:?}");
            refused += u32::from(!is_one);
        }
        assert!(mapped > 5 && refused > 5, "{mapped} {refused}");
    }
}
