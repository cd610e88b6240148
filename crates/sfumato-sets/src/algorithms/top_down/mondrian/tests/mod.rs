//! Compares classes with those of a simple recursion with the same choices, on random baskets.

mod plain;

use proptest::prelude::*;
use sfumato_core::ErrorKind;
use sfumato_core::registry::{Call, Params};
use sfumato_core::transactions::Transactions;

use super::bits::Bits;
use super::utility::Utility;
use super::{SetMondrian, split};
use crate::data::{Collapsed, PublishedSets};
use crate::traits::{SetAlgorithm, SetTask};
use plain::{Plain, PlainClasses};

fn run_task(task: &SetTask<'_>, call: &str) -> PublishedSets {
    let call: Call = call.parse().unwrap();
    let params = Params::check(SetMondrian.info(), &call.args).unwrap();
    SetMondrian.anonymize(&params, task).unwrap()
}

fn utilities(sets: &Transactions) -> Vec<f64> {
    (0..sets.n_items()).map(|item| 1.0 + (item * 5 % 7) as f64).collect()
}

fn run(sets: &Transactions, k: u64, call: &str) -> PublishedSets {
    run_task(&SetTask::new(sets, &utilities(sets), k), call)
}

/// The classes as records with their published set, sorted.
fn classes(published: &PublishedSets) -> PlainClasses {
    let mut classes: Vec<_> =
        (0..published.sets.len()).map(|set| (Vec::new(), published.sets.set(set))).collect();
    published
        .of_record
        .iter()
        .enumerate()
        .for_each(|(record, set)| classes[*set as usize].0.push(record as u32));
    classes.sort();
    classes
}

/// Check that every record publishes a subset of its own set, together with k - 1 others.
fn check(sets: &Transactions, published: &PublishedSets, k: u64) {
    assert_eq!(published.of_record.len(), sets.len());
    for (records, set) in classes(published) {
        assert!(records.len() as u64 >= k);
        for record in records {
            assert!(set.iter().all(|item| sets.set(record as usize).contains(item)));
        }
    }
}

fn lists() -> impl Strategy<Value = Vec<Vec<u32>>> {
    prop::collection::vec(prop::collection::vec(0u32..9, 0..6), 1..60)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(60))]
    #[test]
    fn the_chain_is_the_recursion(lists in lists(), k in 1u64..12) {
        let sets = Transactions::from_sets(9, lists.clone());
        let k = k.min(sets.len() as u64);
        for split in ["even", "entropy", "utility"] {
            let published = run(&sets, k, &format!("set-mondrian(split={split}, polish=false)"));
            check(&sets, &published, k);
            let mut expected = Vec::new();
            let plain =
                Plain { lists: &lists, worth: &utilities(&sets), k: k as u32, split, tried: 4 };
            plain.recursion(&(0..lists.len() as u32).collect::<Vec<_>>(), &mut expected);
            expected.sort();
            prop_assert_eq!(classes(&published), expected, "{}", split);
        }
    }

    #[test]
    fn any_number_of_splits_may_be_tried(lists in lists(), k in 1u32..12, tried in 1usize..6) {
        let sets = Transactions::from_sets(9, lists.clone());
        let k = k.min(lists.len() as u32);
        let worth = utilities(&sets);
        let rule = Utility { utilities: &worth, bits: Bits::new(lists.len() as u32), tried };
        let found = split(&rule, &SetTask::new(&sets, &worth, u64::from(k)), usize::MAX).unwrap();
        let mut expected = Vec::new();
        let plain = Plain { lists: &lists, worth: &worth, k, split: "utility", tried };
        plain.recursion(&(0..lists.len() as u32).collect::<Vec<_>>(), &mut expected);
        expected.sort();
        prop_assert_eq!(classes(&found.publish(lists.len(), 9)), expected);
    }

    #[test]
    fn weights_are_records(lists in lists(), k in 1u64..12) {
        let sets = Transactions::from_sets(9, lists);
        let k = k.min(sets.len() as u64);
        let collapsed = Collapsed::of(&sets);
        let worth = utilities(&sets);
        for call in ["set-mondrian", "set-mondrian(split=entropy)",
            "set-mondrian(split=utility, polish=false)"] {
            let task = SetTask { weights: Some(&collapsed.weights),
                ..SetTask::new(&collapsed.sets, &worth, k) };
            let weighted = collapsed.expand(run_task(&task, call));
            prop_assert_eq!(classes(&weighted), classes(&run(&sets, k, call)));
        }
        let task = SetTask { weights: Some(&collapsed.weights),
            ..SetTask::new(&collapsed.sets, &worth, k) };
        check(&sets, &collapsed.expand(run_task(&task, "set-mondrian(polish=true)")), k);
    }

    #[test]
    fn polishing_keeps_k_and_never_loses(lists in lists(), k in 1u64..12) {
        let sets = Transactions::from_sets(9, lists);
        let k = k.min(sets.len() as u64);
        let worth = utilities(&sets);
        let of = |published: &PublishedSets| -> f64 {
            worth.iter().zip(published.kept().instances).map(|(worth, n)| worth * n as f64).sum()
        };
        for split in ["even", "entropy", "utility"] {
            let plain = run(&sets, k, &format!("set-mondrian(split={split}, polish=false)"));
            let polished = run(&sets, k, &format!("set-mondrian(split={split}, polish=true)"));
            check(&sets, &polished, k);
            prop_assert!(of(&polished) >= of(&plain));
        }
    }
}

/// Baskets in which items of a record are related, from a small fixed sequence.
fn some_baskets(n: u32) -> Transactions {
    let lists = (0..n).map(|i| {
        (0..8).map(|j| (i.wrapping_mul(2_654_435_761) >> (3 * j)) % (5 + 7 * j)).collect()
    });
    Transactions::from_sets(60, lists)
}

#[test]
fn threads_change_nothing() {
    let sets = some_baskets(20_000);
    for call in ["set-mondrian", "set-mondrian(split=utility)"] {
        let on = |threads| {
            let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
            pool.install(|| run(&sets, 5, call))
        };
        let one = on(1);
        check(&sets, &one, 5);
        assert_eq!(one, on(4), "{call}");
    }
}

#[test]
fn odd_inputs() {
    for call in ["set-mondrian", "set-mondrian(split=entropy)", "set-mondrian(split=utility)"] {
        assert_eq!(run(&Transactions::from_sets(3, []), 2, call).sets.len(), 0);
        let empty = Transactions::from_sets(0, vec![vec![]; 3]);
        check(&empty, &run(&empty, 2, call), 2);
        let one = Transactions::from_sets(1, [vec![0], vec![], vec![0], vec![]]);
        assert_eq!(classes(&run(&one, 2, call)), [(vec![0, 2], vec![0]), (vec![1, 3], vec![])]);
        let alike = Transactions::from_sets(90_000, vec![vec![1, 70_000, 89_999]; 6]);
        assert_eq!(run(&alike, 6, call).sets.set(0), [1, 70_000, 89_999]);
        let wide =
            Transactions::from_sets(90_000, [vec![80_000, 1], vec![80_000, 2], vec![3], vec![3]]);
        assert_eq!(
            classes(&run(&wide, 2, call)),
            [(vec![0, 1], vec![80_000]), (vec![2, 3], vec![3])]
        );
    }
}

#[test]
fn too_few_records_are_refused() {
    let sets = Transactions::from_sets(2, [vec![0], vec![1]]);
    let params = Params::check(SetMondrian.info(), &Default::default()).unwrap();
    let error = SetMondrian.anonymize(&params, &SetTask::new(&sets, &[1.0, 1.0], 3)).unwrap_err();
    assert_eq!(error.kind, ErrorKind::Infeasible);
}
