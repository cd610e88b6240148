//! Tests published sets on random baskets.

use proptest::prelude::*;
use sfumato_core::ErrorKind;
use sfumato_core::registry::{Call, Params};
use sfumato_core::transactions::Transactions;

use super::K1TopDown;
use crate::data::PublishedSets;
use crate::traits::{SetAlgorithm, SetTask};

fn run(sets: &Transactions, k: u64, call: &str) -> PublishedSets {
    let call: Call = call.parse().unwrap();
    let params = Params::check(K1TopDown.info(), &call.args).unwrap();
    let utilities: Vec<f64> = (0..sets.n_items()).map(|item| (item % 7) as f64).collect();
    K1TopDown.anonymize(&params, &SetTask::new(sets, &utilities, k)).unwrap()
}

/// Check that every set is a subset of its record and has k different witnesses that contain it.
fn check(sets: &Transactions, published: &PublishedSets, k: u64) {
    assert_eq!(published.of_record.len(), sets.len());
    let contains = |record: usize, set: usize| {
        let items = sets.set(record);
        published.sets.set(set).iter().all(|item| items.contains(item))
    };
    for (record, set) in published.of_record.iter().enumerate() {
        assert!(contains(record, *set as usize));
    }
    let witnesses = published.witnesses.as_ref().unwrap();
    for set in 0..published.sets.len() {
        let mut of_set = witnesses.of(set).to_vec();
        assert!(of_set.iter().all(|witness| contains(*witness as usize, set)));
        of_set.sort_unstable();
        of_set.dedup();
        assert_eq!(of_set.len() as u64, k);
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(80))]
    #[test]
    fn every_set_has_true_witnesses(
        lists in prop::collection::vec(prop::collection::vec(0u32..12, 0..7), 1..80),
        k in 1u64..40,
    ) {
        let sets = Transactions::from_sets(12, lists);
        let k = k.min(sets.len() as u64);
        check(&sets, &run(&sets, k, "k1-top-down"), k);
        check(&sets, &run(&sets, k, "k1-top-down(reach=50)"), k);
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
    let sets = some_baskets(9000);
    let on = |threads| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        pool.install(|| run(&sets, 5, "k1-top-down"))
    };
    let one = on(1);
    check(&sets, &one, 5);
    assert_eq!(one, on(4));
}

#[test]
fn more_reach_keeps_more() {
    let sets = some_baskets(3000);
    let kept = |call| run(&sets, 10, call).kept().instances.iter().sum::<u64>();
    assert!(kept("k1-top-down(reach=1000)") > kept("k1-top-down(reach=0.5)"));
}

#[test]
fn odd_inputs() {
    let none = Transactions::from_sets(3, []);
    assert_eq!(run(&none, 2, "k1-top-down").sets.len(), 0);
    let empty = Transactions::from_sets(0, vec![vec![]; 3]);
    check(&empty, &run(&empty, 2, "k1-top-down"), 2);
    let alike = Transactions::from_sets(90_000, vec![vec![1, 70_000, 89_999]; 6]);
    let published = run(&alike, 6, "k1-top-down");
    check(&alike, &published, 6);
    assert_eq!(published.sets.set(0), [1, 70_000, 89_999]);
    let alone = run(&some_baskets(50), 1, "k1-top-down");
    assert_eq!(alone.kept().instances, some_baskets(50).counts());
}

#[test]
fn too_few_records_are_refused() {
    let sets = Transactions::from_sets(2, [vec![0], vec![1]]);
    let params = Params::check(K1TopDown.info(), &Default::default()).unwrap();
    let error = K1TopDown.anonymize(&params, &SetTask::new(&sets, &[1.0, 1.0], 3)).unwrap_err();
    assert_eq!(error.kind, ErrorKind::Infeasible);
}
