//! What tests of random assignments share, here and in the crates above.

use sfumato_core::matches::Matches;

use super::ring::ring;
use super::{Closing, RandomStream, Walk};

/// A random regular graph: the union of disjoint random assignments, found by trying.
pub fn random_graph(n: usize, m: usize, random: &mut RandomStream) -> Matches {
    let order = random.permutation(n);
    let numbers = random.permutation(n);
    let ring = ring(&order, m).expect("a ring of so few matches exists");
    ring.renumbered(&numbers)
}

/// That assignments are perfect, disjoint, and use every edge.
pub fn check_assignments(matches: &Matches, assignments: &[Vec<u32>]) {
    assert_eq!(assignments.len(), matches.m());
    let mut used = vec![Vec::new(); matches.len()];
    for assignment in assignments {
        let mut taken = assignment.clone();
        taken.sort_unstable();
        assert_eq!(taken, (0..matches.len() as u32).collect::<Vec<_>>());
        assignment.iter().zip(&mut used).for_each(|(published, used)| used.push(*published));
    }
    for (record, mut used) in used.into_iter().enumerate() {
        let mut edges = matches.of(record).to_vec();
        edges.sort_unstable();
        used.sort_unstable();
        assert_eq!(used, edges);
    }
}

/// All ways to walk and to end a walk.
pub const WAYS: [(Walk, Closing); 4] = [
    (Walk::Closed, Closing::Any),
    (Walk::Closed, Closing::Own),
    (Walk::Backtracking, Closing::Any),
    (Walk::Backtracking, Closing::Own),
];
