//! Helpers of tests of random assignments, here and in other crates.

use sfumato_core::matches::Matches;

use super::ring::ring;
use super::{Closing, RandomStream, Walk};

/// A random regular graph: the union of disjoint random assignments, found by trial and error.
pub fn random_graph(n: usize, m: usize, random: &mut RandomStream) -> Matches {
    let order = random.permutation(n);
    let numbers = random.permutation(n);
    let ring = ring(&order, m).expect("a ring of so few matches exists");
    ring.renumbered(&numbers)
}

/// Check that assignments are perfect and disjoint, and use every edge.
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

/// All combinations of how to walk and where to end.
pub const WAYS: [(Walk, Closing); 6] = [
    (Walk::Closed, Closing::Any),
    (Walk::Closed, Closing::Own),
    (Walk::Backtracking, Closing::Any),
    (Walk::Backtracking, Closing::Own),
    (Walk::ForgetfulBacktracking, Closing::Any),
    (Walk::ForgetfulBacktracking, Closing::Own),
];
