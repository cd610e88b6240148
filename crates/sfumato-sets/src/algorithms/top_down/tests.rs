//! What the top-down algorithms give when they are told that what they have will do.

use std::collections::BTreeSet;
use std::sync::atomic::{AtomicU64, Ordering};

use sfumato_core::facts::Fact;
use sfumato_core::facts::Hiding;
use sfumato_core::observer::{Observer, Unit};
use sfumato_core::registry::Params;
use sfumato_core::transactions::Transactions;

use crate::data::PublishedSets;
use crate::traits::{SetAlgorithm, SetTask};

/// Says after so many questions that what there is will do.
struct Impatient {
    questions: AtomicU64,
    patience: u64,
}

impl Observer for Impatient {
    fn begin(&self, _: &str, _: u64, _: Unit) {}
    fn advance(&self, _: u64) {}
    fn end(&self) {}
    fn enough(&self) -> bool {
        self.questions.fetch_add(1, Ordering::Relaxed) >= self.patience
    }
}

/// Every published set is part of its record, and enough records hide it. Gives how many items are
/// published.
fn check(algorithm: &dyn SetAlgorithm, task: &SetTask<'_>, published: &PublishedSets) -> usize {
    let n = task.sets.len();
    let own: Vec<BTreeSet<u32>> = (0..n).map(|i| task.sets.set(i).into_iter().collect()).collect();
    let set = |i: usize| published.sets.set(published.of_record[i] as usize);
    let sets: Vec<BTreeSet<u32>> = (0..n).map(|i| set(i).into_iter().collect()).collect();
    for i in 0..n {
        assert!(sets[i].is_subset(&own[i]), "record {i}");
        let copies = Fact::Hiding(Hiding::Copies);
        let hidden = match algorithm.info().capabilities.can_serve(copies) {
            true => (0..n).filter(|j| sets[*j] == sets[i]).count(),
            false => (0..n).filter(|j| sets[i].is_subset(&own[*j])).count(),
        };
        assert!(hidden as u64 >= task.k, "{hidden} hide record {i}");
    }
    sets.iter().map(BTreeSet::len).sum()
}

#[test]
fn what_there_is_can_always_be_published() {
    let list = |i: u32| {
        let item = |j: u32| (i.wrapping_mul(2_654_435_761) >> (3 * j)) % (5 + 4 * j);
        (0..6).map(item).collect::<Vec<u32>>()
    };
    let sets = Transactions::from_sets(40, (0..400).map(list));
    let utilities = vec![1.0; 40];
    for algorithm in super::ALL {
        let name = algorithm.info().name;
        assert!(algorithm.info().capabilities.anytime, "{name}");
        let params = Params::check(algorithm.info(), &Default::default()).unwrap();
        let run = |patience: u64| {
            let observer = Impatient { questions: AtomicU64::new(0), patience };
            let task = SetTask { observer: &observer, ..SetTask::new(&sets, &utilities, 5) };
            let published = algorithm.anonymize(&params, &task).unwrap();
            (check(*algorithm, &task, &published), observer.questions.into_inner())
        };
        let (kept, questions) = run(u64::MAX);
        assert!(questions > 3, "{name} asks {questions} times");
        let (at_once, _) = run(0);
        assert!(at_once < kept, "{name}: {at_once} {kept}");
        (1..30.min(questions)).for_each(|patience| assert!(run(patience).0 > 0, "{name}"));
    }
}
