//! Small cases with known groups.

use super::*;
use crate::algorithms::shared::testing::{Numbers, in_order};

fn clusters_of(numbers: &Numbers, k: u64) -> Vec<Vec<u32>> {
    clusters_by(numbers, k, false)
}

fn clusters_by(numbers: &Numbers, k: u64, by_growth: bool) -> Vec<Vec<u32>> {
    numbers.with(k, 0, |task, space, judge, progress| {
        in_order(
            &clusters(&Points::new(task, space), judge, by_growth, progress)
                .expect("nobody stops it"),
        )
    })
}

#[test]
fn two_heaps_are_two_groups() {
    let numbers = Numbers::new(&[&[1, 90, 2, 91, 0, 92]]);
    assert_eq!(clusters_of(&numbers, 3), [vec![0, 2, 4], vec![1, 3, 5]]);
    let tree = Numbers::banded(&[1, 90, 2, 91, 0, 92], &[10, 50]);
    assert_eq!(clusters_of(&tree, 3), [vec![0, 2, 4], vec![1, 3, 5]]);
}

#[test]
fn equal_records_stay_together_and_lend_to_a_lone_one() {
    // Six records at 10 and one at 12: the lone one needs two of them, and the other four stay
    // exact.
    let numbers = Numbers::new(&[&[10, 10, 10, 12, 10, 10, 10]]);
    let found = clusters_of(&numbers, 3);
    let sizes: Vec<usize> = found.iter().map(Vec::len).collect();
    assert_eq!((sizes.len(), sizes.iter().sum::<usize>()), (2, 7));
    let lone = found.iter().find(|rows| rows.contains(&3)).expect("every row is in a group");
    assert_eq!(lone.len(), 3);
}

#[test]
fn groups_that_could_be_two_are_split() {
    let values: Vec<u32> = (0..100u32).map(|i| i * i * 37 % 101).collect();
    let others: Vec<u32> = (0..100u32).map(|i| i * 61 % 89).collect();
    for k in [2, 5, 9] {
        let found = clusters_of(&Numbers::new(&[&values, &others]), k);
        let sizes: Vec<usize> = found.iter().map(Vec::len).collect();
        assert_eq!(sizes.iter().sum::<usize>(), 100);
        // Only groups of one distinct record may be larger.
        assert!(
            sizes.iter().all(|&size| (k as usize..2 * k as usize).contains(&size)),
            "{sizes:?}"
        );
    }
}

#[test]
fn a_record_joins_what_covers_it_if_growth_counts() {
    // Two heaps and a record at 38: the union with the wide upper heap costs more, but adds less
    // than stretching the exact lower one.
    let numbers = Numbers::new(&[&[20, 20, 20, 20, 20, 20, 40, 80, 60, 50, 70, 38]]);
    let with_last = |by_growth: bool| -> Vec<u32> {
        let found = numbers.with(2, 0, |task, space, judge, _| {
            let points = Points::new(task, space);
            let mut groups = Groups::new(&points, judge, by_growth);
            // Distinct records in order: 20, 38, 40, 50, 60, 70, 80. The last five become one
            // group.
            (3..7).for_each(|other| groups.merge(2, other));
            let partner = groups.cheapest_partner(1).expect("there are others");
            groups.merge(1, partner);
            groups.into_rows()
        });
        in_order(&found)
            .into_iter()
            .find(|rows| rows.contains(&11))
            .expect("every row is in a group")
    };
    assert_eq!(with_last(false), [0, 1, 2, 3, 4, 5, 11]);
    assert_eq!(with_last(true), [6, 7, 8, 9, 10, 11]);
}
