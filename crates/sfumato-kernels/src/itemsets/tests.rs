//! Counts of combinations against their definition, for any number of threads and any limits.

use std::collections::BTreeMap;

use proptest::prelude::*;
use sfumato_core::ErrorKind;

use super::*;

/// Every combination of at most `size` items that a record has, with the number of records that
/// have it.
fn all_combinations(lists: &[(Vec<u32>, u32)], size: usize) -> BTreeMap<Vec<u32>, u64> {
    let mut counted: BTreeMap<Vec<u32>, u64> = BTreeMap::from([(Vec::new(), 0)]);
    for (list, weight) in lists {
        let mut items = list.clone();
        items.sort_unstable();
        items.dedup();
        for bits in 0..1u32 << items.len() {
            if bits.count_ones() as usize <= size {
                let has = |at: &usize| bits >> at & 1 == 1;
                let combination = (0..items.len()).filter(has).map(|at| items[at]).collect();
                *counted.entry(combination).or_default() += u64::from(*weight);
            }
        }
    }
    counted
}

/// The result by definition.
fn by_definition(lists: &[(Vec<u32>, u32)], size: usize, required: u64) -> Least {
    let counted = all_combinations(lists, size);
    let without = |items: &[u32], at: usize| [&items[..at], &items[at + 1..]].concat();
    let looked_at: Vec<u64> = counted
        .iter()
        .filter(|(items, _)| (0..items.len()).all(|at| counted[&without(items, at)] >= required))
        .map(|(_, support)| *support)
        .collect();
    Least {
        least: looked_at.iter().copied().min().unwrap_or(0),
        violations: looked_at.iter().filter(|support| **support < required).count() as u64,
    }
}

fn count(lists: &[(Vec<u32>, u32)], size: usize, required: u64, limits: Limits) -> Result<Least> {
    let sets = Transactions::from_sets(8, lists.iter().map(|(list, _)| list.clone()));
    let weights: Vec<u32> = lists.iter().map(|(_, weight)| *weight).collect();
    least_support(&sets, Some(&weights), size, required, limits)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(300))]
    #[test]
    fn it_is_what_the_definition_says(
        lists in prop::collection::vec((prop::collection::vec(0u32..8, 0..8), 1u32..4), 0..25),
        size in 0usize..6,
        required in 0u64..7,
    ) {
        let expected = by_definition(&lists, size, required);
        prop_assert_eq!(count(&lists, size, required, Limits::default()).unwrap(), expected);
        // A count that gives up returns an error, and never a wrong answer. The limit on held
        // combinations changes no answer either.
        for work in [0, 1, 5, 30] {
            match count(&lists, size, required, Limits { work, held: 1000 }) {
                Ok(found) => prop_assert_eq!(found, expected),
                Err(error) => prop_assert_eq!(error.kind, ErrorKind::Resources),
            }
        }
        match count(&lists, size, required, Limits { held: 2, ..Limits::default() }) {
            Ok(found) => prop_assert_eq!(found, expected),
            Err(error) => prop_assert_eq!(error.kind, ErrorKind::Resources),
        }
        // That all combinations are frequent is known of every one of them.
        if expected.violations == 0 {
            let all = all_combinations(&lists, size);
            prop_assert_eq!(Some(&expected.least), all.values().min());
        }
    }
}

#[test]
fn any_number_of_threads_gives_the_same() {
    // A simple generator: 600 records of about 9 of 40 items, small numbers oftener.
    let mut state = 7u64;
    let mut next = |n: u64| {
        state =
            state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (state >> 33) % n
    };
    let sets: Vec<Vec<u32>> =
        (0..600).map(|_| (0..12).map(|_| (next(40) * next(40) / 40) as u32).collect()).collect();
    let sets = Transactions::from_sets(40, sets);
    let on = |threads: usize, limits: Limits| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        pool.install(|| least_support(&sets, None, 4, 3, limits))
    };
    let alone = on(1, Limits::default()).unwrap();
    assert!(alone.violations > 0 && alone.least > 0);
    assert_eq!(on(3, Limits::default()).unwrap(), alone);
    // The least work that is enough is the same, too.
    let is_enough =
        |threads: usize, work: u64| on(threads, Limits { work, ..Limits::default() }).is_ok();
    let (mut not, mut enough) = (0, 1 << 30);
    while not + 1 < enough {
        let middle = u64::midpoint(not, enough);
        *(if is_enough(1, middle) { &mut enough } else { &mut not }) = middle;
    }
    assert!(is_enough(3, enough) && !is_enough(3, enough - 1));
}

#[test]
fn the_printed_examples_are_counted() {
    // a1, a2, b1, b2 of the taxonomy: {a1, a2, b1, b2} fails in a1 b1 and a1 a2; {A, b1, b2}
    // holds.
    let count = |records: &[&[u32]], size: usize, required: u64| {
        let sets = Transactions::from_sets(4, records.iter().map(|set| set.to_vec()));
        let found = least_support(&sets, None, size, required, Limits::default()).unwrap();
        (found.least, found.violations)
    };
    assert_eq!(count(&[&[0, 2, 3], &[1, 2], &[1, 2, 3], &[0, 1, 3]], 2, 2), (1, 2));
    let generalized: [&[u32]; 4] = [&[0, 2, 3], &[0, 2], &[0, 2, 3], &[0, 3]];
    assert_eq!([2, 3, 9].map(|size| count(&generalized, size, 2)), [(2, 0); 3]);
    assert_eq!(count(&[&[0, 2], &[1, 2], &[1, 2], &[0, 1, 2]], 2, 2), (1, 1));
    // 2^2-anonymous and not 2^3, nor is any set there twice.
    let local: [&[u32]; 4] = [&[0, 2], &[1, 2, 3], &[0, 1, 3], &[0, 1, 2, 3]];
    assert_eq!([2, 3].map(|size| count(&local, size, 2)), [(2, 0), (1, 2)]);
    // A fifth like the fourth, and it is 2^m for every m.
    let five: [&[u32]; 5] = [local[0], local[1], local[2], local[3], local[3]];
    assert_eq!([2, 3, 4, 5].map(|size| count(&five, size, 2)), [(3, 0), (2, 0), (2, 0), (2, 0)]);
}

/// Combinations and how many records have each.
type Supports = BTreeMap<Vec<u32>, u64>;

/// Records with private items: everything that is counted and listed, by definition.
fn moles(records: &[(Vec<u32>, Vec<u32>)], asked: &AskedCombinations) -> (Supports, Supports, u64) {
    let public: Vec<(Vec<u32>, u32)> = records.iter().map(|(list, _)| (list.clone(), 1)).collect();
    let counted = all_combinations(&public, asked.size);
    let share_of = |items: &[u32]| {
        let has = |record: &&(Vec<u32>, Vec<u32>)| items.iter().all(|i| record.0.contains(i));
        let with = |e: u32| records.iter().filter(has).filter(|(_, p)| p.contains(&e)).count();
        (0..4).map(with).max().unwrap_or(0) as u64
    };
    let fails = |items: &Vec<u32>, support: u64| {
        let most = asked.most.expect("it is asked about");
        support < asked.required || most.is_exceeded(share_of(items), support)
    };
    let without = |items: &[u32], at: usize| [&items[..at], &items[at + 1..]].concat();
    // A combination is looked at if all of its parts pass, down to the empty one.
    let mut passing: BTreeMap<Vec<u32>, u64> = BTreeMap::new();
    let mut failing: BTreeMap<Vec<u32>, u64> = BTreeMap::new();
    let mut by_size: Vec<(&Vec<u32>, &u64)> = counted.iter().collect();
    by_size.sort_by_key(|(items, _)| items.len());
    for (items, support) in by_size {
        if (0..items.len()).all(|at| passing.contains_key(&without(items, at))) {
            let list = if fails(items, *support) { &mut failing } else { &mut passing };
            list.insert(items.clone(), *support);
        }
    }
    let rare = failing.values().filter(|support| **support < asked.required).count() as u64;
    (passing, failing, rare)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(200))]
    #[test]
    fn private_items_are_counted_as_the_definition_says(
        records in prop::collection::vec((prop::collection::vec(0u32..7, 0..6),
            prop::collection::vec(0u32..4, 0..3)), 1..20),
        size in 0usize..5,
        required in 1u64..4,
        tenths in 0u32..11,
    ) {
        let most = sfumato_core::combinations::Share::of_decimal(f64::from(tenths) / 10.0).unwrap();
        let asked = AskedCombinations { size, required, most: Some(most) };
        let (mut passing, mut failing, rare) = moles(&records, &asked);
        let sets = Transactions::from_sets(7, records.iter().map(|(list, _)| list.clone()));
        let private = Transactions::from_sets(4, records.iter().map(|(_, list)| list.clone()));
        let all = Records { sets: &sets, weights: None, private: Some(&private) };
        let listed = Listed { failing: true, passing: true };
        let mined = mine(all, &asked, listed, Limits::default()).unwrap();
        let counted = &mined.counted;
        prop_assert_eq!(counted.support.violations, rare);
        prop_assert_eq!(counted.breaches, failing.len() as u64 - rare);
        // The smallest failing one, the rarest of its size, and of these the first.
        let first = failing.iter().min_by_key(|(items, support)| (items.len(), **support, *items));
        let told = counted.failing.as_ref().map(|failing| (&failing.items, &failing.support));
        prop_assert_eq!(told, first);
        if let Some((private, n)) = counted.failing.as_ref().and_then(|failing| failing.private) {
            let items = &counted.failing.as_ref().unwrap().items;
            let has = |record: &&(Vec<u32>, Vec<u32>)| items.iter().all(|i| record.0.contains(i));
            let with = |e: &u32| {
                records.iter().filter(has).filter(|(_, p)| p.contains(e)).count() as u64
            };
            prop_assert_eq!(n, with(&private));
            prop_assert!((0..4).all(|other| with(&other) <= n));
        }
        passing.remove(&Vec::new());
        failing.remove(&Vec::new());
        for (listed, expected) in [(&mined.passing, passing), (&mined.failing, failing)] {
            let told: BTreeMap<Vec<u32>, u64> = listed.iter()
                .flat_map(|of_size| of_size.iter().map(|(items, n)| (items.to_vec(), n))).collect();
            prop_assert_eq!(told, expected);
        }
        // Whoever asks about private items and names none gets no answer.
        let unnamed = Records { private: None, ..all };
        let answer = mine(unnamed, &asked, listed, Limits::default());
        prop_assert!(answer.is_err());
    }
}
