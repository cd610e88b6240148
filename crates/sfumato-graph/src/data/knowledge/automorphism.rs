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

#[cfg(test)]
mod tests {
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
}
