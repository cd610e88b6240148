//! Properties of every bottom-up algorithm, tested on small random data and on odd data.

use std::collections::{BTreeMap, BTreeSet};

use proptest::prelude::*;
use sfumato_core::facts::Fact;
use sfumato_core::facts::Hiding;
use sfumato_core::registry::{Call, Params};
use sfumato_core::transactions::Transactions;
use sfumato_core::{ErrorKind, Result};

use crate::data::PublishedSets;
use crate::traits::SetTask;

/// Several parameters at once: ways through the code that one alone doesn't reach.
const TOGETHER: [&str; 4] = [
    "set-cluster(neighbours=random, sample=3)",
    "set-cluster(probes=record, tables=2, bits=3)",
    "set-iterative-cluster(neighbours=all, iterations=3)",
    "k1-gather(probes=record, tables=1, bits=2, queries=2)",
];

/// Every algorithm of the list with each of its parameters, and some together.
fn calls() -> Vec<String> {
    let sampled = super::ALL.iter().flat_map(|entry| entry.info().sample_calls(&|_| Vec::new()));
    sampled.map(|call| call.to_string()).chain(TOGETHER.map(String::from)).collect()
}

fn run(call: &str, task: &SetTask<'_>) -> Result<PublishedSets> {
    let call: Call = call.parse()?;
    let algorithm = crate::algorithms::find(&call.name)?;
    algorithm.anonymize(&Params::check(algorithm.info(), &call.args)?, task)
}

/// Check that every published set is a subset of its record, and that enough records hide it.
fn check(call: &str, task: &SetTask<'_>, published: &PublishedSets) {
    let name = call.parse::<Call>().unwrap().name;
    let serves = &crate::algorithms::find(&name).unwrap().info().capabilities;
    let gives_copies = serves.can_serve(Fact::Hiding(Hiding::Copies));
    let n = task.sets.len();
    assert_eq!(published.of_record.len(), n, "{call}");
    let weight = |i: usize| task.weights.map_or(1, |weights| u64::from(weights[i]));
    let own: Vec<BTreeSet<u32>> = (0..n).map(|i| task.sets.set(i).into_iter().collect()).collect();
    let sets: Vec<BTreeSet<u32>> = (0..n)
        .map(|i| published.sets.set(published.of_record[i] as usize).into_iter().collect())
        .collect();
    for i in 0..n {
        assert!(sets[i].is_subset(&own[i]), "{call}: record {i}");
        let hidden: u64 = match gives_copies {
            true => (0..n).filter(|j| sets[*j] == sets[i]).map(weight).sum(),
            false => (0..n).filter(|j| sets[i].is_subset(&own[*j])).map(weight).sum(),
        };
        assert!(hidden >= task.k, "{call}: {hidden} hide record {i}");
        if !gives_copies {
            let witnesses = published.witnesses.as_ref().expect("supporters are named");
            assert_eq!(witnesses.each as u64, task.k);
            let of_set = witnesses.of(published.of_record[i] as usize);
            assert!(
                of_set.iter().all(|j| sets[i].is_subset(&own[*j as usize])),
                "{call}: witness of {i}"
            );
            assert_eq!(of_set.iter().collect::<BTreeSet<_>>().len(), witnesses.each, "{call}");
        }
    }
}

fn threads(n: usize) -> rayon::ThreadPool {
    rayon::ThreadPoolBuilder::new().num_threads(n).build().expect("threads can be started")
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(10))]
    #[test]
    fn records_are_hidden_in_the_same_way_by_any_number_of_threads(
        lists in prop::collection::vec(prop::collection::vec(0u32..12, 0..9), 1..50),
        utilities in prop::collection::vec(0u8..4, 12),
        k in 1u64..8,
        seed in 0u64..3,
    ) {
        let sets = Transactions::from_sets(12, lists);
        let utilities: Vec<f64> = utilities.into_iter().map(f64::from).collect();
        let task = SetTask { seed, ..SetTask::new(&sets, &utilities, k.min(sets.len() as u64)) };
        for call in &calls() {
            let one = threads(1).install(|| run(call, &task)).unwrap();
            check(call, &task, &one);
            prop_assert_eq!(threads(3).install(|| run(call, &task)).unwrap(), one, "{}", call);
        }
    }
}

#[test]
fn too_few_records_are_refused() {
    let sets = Transactions::from_sets(3, [vec![0], vec![1]]);
    for call in &calls() {
        let error = run(call, &SetTask::new(&sets, &[1.0; 3], 3)).unwrap_err();
        assert_eq!(error.kind, ErrorKind::Infeasible, "{call}");
        assert!(error.message.contains("2 records"), "{error}");
    }
}

#[test]
fn odd_data_are_published() {
    let data = [
        (Transactions::from_sets(0, Vec::<Vec<u32>>::new()), "no data"),
        (Transactions::from_sets(0, vec![vec![]; 4]), "no items"),
        (Transactions::from_sets(5, vec![vec![]; 4]), "empty sets"),
        (
            Transactions::from_sets(5, [vec![], vec![1, 2], vec![1, 2], vec![1, 2], vec![1, 2]]),
            "one empty set",
        ),
        (Transactions::from_sets(2, vec![vec![0, 1]; 9]), "copies"),
        (
            Transactions::from_sets(
                70_000,
                vec![vec![0, 69_999], vec![66_000, 69_999], vec![69_999], vec![1, 2]],
            ),
            "many items",
        ),
        (
            Transactions::from_sets(
                400,
                vec![(0..400).collect(), (1..400).collect(), (0..399).collect()],
            ),
            "long sets",
        ),
    ];
    for (sets, what) in &data {
        let utilities = vec![1.0; sets.n_items()];
        for k in [1, 2, 3] {
            let task = SetTask::new(sets, &utilities, k);
            for call in &calls() {
                let published =
                    run(call, &task).unwrap_or_else(|error| panic!("{call}, {what}: {error}"));
                check(call, &task, &published);
            }
        }
    }
    let copies = &data[4].0;
    for call in &calls() {
        let published = run(call, &SetTask::new(copies, &[1.0; 2], 4)).unwrap();
        assert_eq!(published.kept().instances, [9, 9], "{call}: copies lose nothing");
    }
}

#[test]
fn every_entry_has_a_page() {
    let names: BTreeMap<&str, usize> =
        super::ALL.iter().map(|entry| (entry.info().name, entry.info().doc.len())).collect();
    assert_eq!(names.len(), super::ALL.len());
    assert!(names.values().all(|doc| *doc > 500), "{names:?}");
}
