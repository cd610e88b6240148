//! Tests the worked example of the paper, and compares releases of random records with the
//! definitions by brute force.

use proptest::prelude::*;
use sfumato_core::ErrorKind;
use sfumato_core::transactions::Transactions;

use super::greedy_pick::{check_eligible, greedy_matches};
use super::hamming::cyclic_sum;
use super::order::KICKS;
use super::*;
use crate::data::Bitmaps;
use sfumato_core::matches::Matches;
use sfumato_kernels::nonreciprocal::ring::ring;
use sfumato_kernels::nonreciprocal::testing::{WAYS, check_assignments, random_graph};
use sfumato_kernels::nonreciprocal::{Extraction, RandomStream, SegmentSizes};

fn bits(text: &str) -> Vec<u32> {
    (0u32..).zip(text.chars()).filter(|(_, bit)| *bit == '1').map(|(item, _)| item).collect()
}

/// Records r1 to r6 of Table 1.
fn example() -> Transactions {
    Transactions::from_sets(4, ["1100", "0110", "1101", "0111", "1110", "1011"].map(bits))
}

fn named(order: &[u32]) -> Vec<u32> {
    order.iter().map(|record| record + 1).collect()
}

#[test]
fn the_example_is_ordered_as_in_the_paper() {
    let sets = example();
    let found = gray_tsp(&sets, Some(SegmentSizes::default()), KICKS);
    assert_eq!((found.sum_given, found.sum_gray, found.sum), (14, 12, 10));
    assert_eq!(named(&gray::order(&sets)), [2, 4, 1, 3, 5, 6]);
    // Neither rotated nor reflected, as the ends stay. It isn't the only tour of this length with
    // these ends.
    assert_eq!(named(&found.order), [2, 4, 3, 1, 5, 6]);
    assert_eq!(cyclic_sum(&sets, &[1, 4, 0, 2, 3, 5]), 10);
}

#[test]
fn the_example_is_published_as_in_tables_3_and_4() {
    let sets = example();
    let order = gray_tsp(&sets, Some(SegmentSizes::default()), KICKS).order;
    let matches = ring(&order, 3).unwrap();
    let sorted = |matches: &Matches| {
        let row = |record| {
            let mut row = named(matches.of(record));
            row.sort_unstable();
            row
        };
        (0..6).map(row).collect::<Vec<_>>()
    };
    assert_eq!(
        sorted(&matches),
        [[1, 5, 6], [2, 3, 4], [1, 3, 5], [1, 3, 4], [2, 5, 6], [2, 4, 6]]
    );
    assert_eq!(
        sorted(&matches.preimages()),
        [[1, 3, 4], [2, 5, 6], [2, 3, 4], [2, 4, 6], [1, 3, 5], [1, 5, 6]]
    );
    let published = vote(&sets, &matches).unwrap();
    let expected = Bitmaps {
        base: Transactions::from_sets(
            4,
            ["1101", "1110", "0111", "0111", "1100", "1110"].map(bits),
        ),
        distance: Transactions::from_sets(
            4,
            ["1011", "1101", "1011", "1101", "0011", "0111"].map(bits),
        ),
        threshold: vec![2, 2, 2, 2, 1, 2],
        label_of: (0..6).collect(),
    };
    assert_eq!(published, expected);
    // By chance, the ring matches records of three different religions, too.
    let religions = [0, 0, 1, 2, 2, 1];
    assert!(labels_differ(&matches, &religions));
    check_eligible(&religions, 3).unwrap();
}

/// Whether the labels of the matches of each record differ, before an assignment is drawn.
fn labels_differ(matches: &Matches, labels: &[u32]) -> bool {
    (0..matches.len()).all(|record| {
        let mut met: Vec<u32> =
            matches.of(record).iter().map(|published| labels[*published as usize]).collect();
        met.sort_unstable();
        met.windows(2).all(|two| two[0] != two[1])
    })
}

/// Check a release by the definitions, bit by bit.
fn check_release(sets: &Transactions, matches: &Matches, bitmaps: &Bitmaps) {
    bitmaps.check().unwrap();
    let n_items = sets.n_items();
    let dense =
        |set: Vec<u32>| (0..n_items as u32).map(|item| set.contains(&item)).collect::<Vec<_>>();
    let mut preimages = vec![Vec::new(); sets.len()];
    for record in 0..sets.len() {
        for row in matches.of(record) {
            assert!(bitmaps.admits(*row as usize, &sets.set(record)));
            preimages[*row as usize].push(record);
        }
    }
    for (row, preimages) in preimages.iter().enumerate() {
        assert_eq!(preimages.len(), matches.m());
        // The label is that of one of those who match.
        assert!(preimages.contains(&(bitmaps.label_of[row] as usize)));
        let voters: Vec<Vec<bool>> =
            preimages.iter().map(|record| dense(sets.set(*record))).collect();
        let base = dense(bitmaps.base.set(row));
        let distance = dense(bitmaps.distance.set(row));
        for item in 0..n_items {
            let votes = voters.iter().filter(|voter| voter[item]).count();
            assert_eq!(base[item], 2 * votes > matches.m());
            assert_eq!(distance[item], votes != 0 && votes != matches.m());
        }
        let errors =
            |voter: &Vec<bool>| voter.iter().zip(&base).filter(|(a, b)| a != b).count() as u32;
        assert_eq!(Some(bitmaps.threshold[row]), voters.iter().map(errors).max());
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(60))]
    #[test]
    fn every_match_is_a_possible_world(
        lists in prop::collection::vec(prop::collection::vec(0u32..10, 0..6), 1..40),
        k in 1usize..8,
        seed in 0u64..1000,
    ) {
        let sets = Transactions::from_sets(10, lists);
        let order = gray_tsp(&sets, Some(SegmentSizes::new(7, 9).unwrap()), KICKS).order;
        let Ok(matches) = ring(&order, k) else {
            prop_assert!(k > sets.len());
            return Ok(());
        };
        let recoded = recode(&sets, &matches, &mut RandomStream::from_seed(seed)).unwrap();
        check_release(&sets, &recoded.matches, &recoded.bitmaps);
        check_release(&sets, &matches, &vote(&sets, &matches).unwrap());
        let again = recode(&sets, &matches, &mut RandomStream::from_seed(seed)).unwrap();
        prop_assert_eq!(again, recoded);
    }

    #[test]
    fn eligible_labels_always_get_matches(
        records in prop::collection::vec((prop::collection::vec(0u32..10, 0..6), 0u32..7), 1..40),
        l in 1usize..6,
        seed in 0u64..1000,
    ) {
        let (lists, labels): (Vec<Vec<u32>>, Vec<u32>) = records.into_iter().unzip();
        let sets = Transactions::from_sets(10, lists);
        let order = gray::order(&sets);
        let mut random = RandomStream::from_seed(seed);
        match greedy_matches(&sets, &order, &labels, l, &mut random) {
            Ok(matches) => {
                prop_assert!(labels_differ(&matches, &labels));
                prop_assert_eq!(matches.m(), l);
                let recoded = recode(&sets, &matches, &mut random).unwrap();
                check_release(&sets, &recoded.matches, &recoded.bitmaps);
            }
            Err(error) => {
                prop_assert_eq!(error.kind, ErrorKind::Infeasible);
                prop_assert!(check_eligible(&labels, l).is_err());
            }
        }
    }

    #[test]
    fn labels_as_frequent_as_can_be_get_matches(
        sizes in prop::collection::vec(1usize..6, 0..6),
        l in 2usize..6,
        each in 1usize..9,
        seed in 0u64..1000,
    ) {
        // Some labels have one record in l, the others share the rest.
        let n = l * each;
        let tight = 1 + seed as usize % l;
        let mut labels: Vec<u32> = (0..tight as u32).flat_map(|label| vec![label; each]).collect();
        for (label, size) in (100u32..).zip(sizes) {
            labels.extend(vec![label; size.min(each)]);
        }
        (labels.len()..n).for_each(|label| labels.push(1000 + label as u32));
        labels.truncate(n);
        let mut random = RandomStream::from_seed(seed);
        let order = random.permutation(n);
        let sets = Transactions::from_sets(8, (0..n as u32).map(|i| vec![i % 8, i / 8 % 8]));
        let matches = greedy_matches(&sets, &order, &labels, l, &mut random).unwrap();
        prop_assert!(labels_differ(&matches, &labels));
    }
}

#[test]
fn greedy_graphs_give_assignments_too() {
    let mut random = RandomStream::from_seed(9);
    let n = 500;
    let sets = Transactions::from_sets(
        30,
        (0..n).map(|_| (0..30).filter(|_| random.below(6) == 0).collect()),
    );
    let labels: Vec<u32> = (0..n).map(|_| random.below(40) as u32).collect();
    let order = gray_tsp(&sets, Some(SegmentSizes::default()), KICKS).order;
    let matches = greedy_matches(&sets, &order, &labels, 6, &mut random).unwrap();
    assert!(labels_differ(&matches, &labels));
    for (walk, closing) in WAYS {
        let assignments: Vec<Vec<u32>> =
            Extraction::new(&matches, walk, closing, &mut random).collect();
        check_assignments(&matches, &assignments);
    }
    // Nearness counts: matches are nearer than records drawn at random.
    let distance = |a: usize, b: usize| u64::from(hamming::hamming(&sets.set(a), &sets.set(b)));
    let of_matches = |matches: &Matches| -> u64 {
        (0..n)
            .flat_map(|record| {
                matches.of(record).iter().map(move |p| distance(record, *p as usize))
            })
            .sum()
    };
    let far = of_matches(&random_graph(n, 6, &mut random));
    assert!(of_matches(&matches) * 4 < far * 3, "{} {far}", of_matches(&matches));
    let error = greedy_matches(&sets, &order, &vec![1; n], 2, &mut random).unwrap_err();
    assert_eq!(
        (error.kind, error.hint.as_deref()),
        (ErrorKind::Infeasible, Some("l may be at most 1"))
    );
}

#[test]
fn the_published_row_of_a_record_is_at_a_random_place() {
    let sets = example();
    let matches = ring(&[1, 3, 2, 0, 4, 5], 3).unwrap();
    let mut counts = [0u32; 6];
    for seed in 0..3000 {
        let recoded = recode(&sets, &matches, &mut RandomStream::from_seed(seed)).unwrap();
        counts[recoded.bitmaps.label_of.iter().position(|label| *label == 0).unwrap()] += 1;
    }
    let statistic: f64 =
        counts.iter().map(|count| (f64::from(*count) - 500.0).powi(2) / 500.0).sum();
    // The 99.99 % point with 5 degrees of freedom is 25.7.
    assert!(statistic < 25.7, "{counts:?}");
}
