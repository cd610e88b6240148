//! Compares candidates found by linked lists with those of a walk over all records.

use proptest::prelude::*;
use sfumato_core::transactions::Transactions;

use super::candidates::Candidate;
use super::*;
use crate::traits::BucketTask;

/// The candidates of a position, found by visiting all remaining records, the nearest first.
fn by_looking(
    facts: &Facts,
    remaining: &Remaining,
    n: u32,
    position: u32,
    wanted: usize,
) -> Vec<Candidate> {
    let mut others: Vec<Candidate> = (0..n)
        .filter(|other| *other != position && remaining.set(*other).is_some())
        .map(|other| Candidate {
            distance: other.abs_diff(position),
            behind: other > position,
            position: other,
        })
        .collect();
    others.sort_unstable();
    let mut used: Vec<u32> = facts.set(remaining.set(position).unwrap()).to_vec();
    let mut found: Vec<Candidate> = Vec::new();
    for other in others {
        let items = facts.set(remaining.set(other.position).unwrap());
        let on_side = found.iter().filter(|candidate| candidate.behind == other.behind).count();
        if on_side < wanted && !items.iter().any(|item| used.contains(item)) {
            used.extend_from_slice(items);
            found.push(other);
        }
    }
    found
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(150))]
    #[test]
    fn lists_find_whom_a_look_at_everybody_finds(
        // Dense stretches of the same few sets, so that patience ends.
        stretches in prop::collection::vec((prop::collection::vec(0u32..5, 0..3), 1usize..25),
            1..12),
        wanted in 1usize..5,
        takes in prop::collection::vec(0usize..300, 0..60),
    ) {
        let lists: Vec<Vec<u32>> =
            stretches.into_iter().flat_map(|(set, times)| std::iter::repeat_n(set, times))
                .collect();
        let n = lists.len() as u32;
        let sensitive = Transactions::from_sets(5, lists.clone());
        let quasi = Transactions::from_sets(5, lists.iter().map(|_| vec![]));
        let facts = Facts::of(&BucketTask::new(&quasi, &sensitive, 1)).unwrap();
        let order: Vec<u32> = (0..n).collect();
        let mut remaining = Remaining::new(&order, &facts);
        let mut candidates = Candidates::new(&facts, wanted);
        let mut takes = takes.into_iter();
        for position in 0..n {
            let Some(set) = remaining.set(position).filter(|set| *set != 0) else { continue };
            let expected = by_looking(&facts, &remaining, n, position, wanted);
            let found = candidates.find(&mut remaining, position, set).clone();
            prop_assert_eq!(&found, &expected);
            // Now and then somebody leaves, as a group would.
            if let Some(at) = takes.next() {
                let other = at as u32 % n;
                if remaining.set(other).is_some() {
                    remaining.take(other);
                }
            }
        }
    }
}
