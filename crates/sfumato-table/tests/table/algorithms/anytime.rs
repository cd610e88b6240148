//! What an anytime algorithm gives when it is told that what it has will do, at whichever question:
//! always something that may be published.

// Helpers of tests aren't seen as tests, and a panic is how a test fails.
#![allow(clippy::unwrap_used)]

use std::sync::atomic::{AtomicU64, Ordering};

use proptest::prelude::*;
use sfumato_core::ErrorKind;
use sfumato_core::facts::Fact;
use sfumato_core::observer::{Observer, Unit};
use sfumato_core::traits::{Algorithm, Effort, Objective, Task};

use crate::algorithms::local_recoding::{check_release, large, run};
use crate::algorithms::models::{Ask, requirements};
use crate::algorithms::tables::any_table;

/// Says after so many questions that what there is will do.
struct Impatient {
    questions: AtomicU64,
    patience: u64,
}

impl Impatient {
    fn after(patience: u64) -> Self {
        Impatient { questions: AtomicU64::new(0), patience }
    }
}

impl Observer for Impatient {
    fn begin(&self, _: &str, _: u64, _: Unit) {}
    fn advance(&self, _: u64) {}
    fn end(&self) {}
    fn enough(&self) -> bool {
        self.questions.fetch_add(1, Ordering::Relaxed) >= self.patience
    }
}

fn anytime() -> Vec<&'static dyn Algorithm> {
    let all = sfumato_table::algorithms::all().iter().copied();
    let is_one = |algorithm: &&dyn Algorithm| {
        let can = &algorithm.info().capabilities;
        can.anytime && can.can_serve(Fact::Classes)
    };
    all.filter(is_one).collect()
}

#[test]
fn the_list_has_what_always_holds_something() {
    let names: Vec<&str> = anytime().iter().map(|algorithm| algorithm.info().name).collect();
    assert!(names.len() >= 8, "{names:?}");
    for name in ["mondrian", "top-down-specialization", "peel", "k-optimize", "genetic"] {
        assert!(names.contains(&name), "{name}");
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(6))]

    #[test]
    fn what_there_is_can_always_be_published(
        sample in any_table(), most in prop_oneof![Just(0u64), 1u64..30], k in 1u64..6,
        l in 1usize..3, seed: u64,
    ) {
        let table = sample.table;
        let requirements = requirements(&[Ask::People(k), Ask::Distinct(l)]);
        let objective = Objective::ncp(&table);
        let task = Task {
            max_suppressed: most,
            effort: Effort::Low,
            seed,
            ..Task::new(&table, &requirements, &objective)
        };
        for algorithm in anytime() {
            let name = algorithm.info().name;
            let patient = run(algorithm, &task);
            for patience in (0..6).chain([9, 20]) {
                let observer = Impatient::after(patience);
                match (run(algorithm, &Task { observer: &observer, ..task }), &patient) {
                    (Ok(found), Ok(_)) => prop_assert!(
                        check_release(&task, found.as_ref()) <= most,
                        "{} suppresses too much after {}", name, patience
                    ),
                    (Err(error), Err(usual)) => prop_assert_eq!(&error, usual, "{}", name),
                    (Err(error), Ok(_)) =>
                        prop_assert!(false, "{name} gives nothing after {patience}: {error}"),
                    // Who stops earlier may come by with less.
                    (Ok(found), Err(usual)) => {
                        prop_assert_eq!(usual.kind, ErrorKind::Infeasible);
                        prop_assert!(check_release(&task, found.as_ref()) <= most);
                    }
                }
            }
        }
    }
}

/// All of them ask, give something coarser the earlier they are told, and what they always give if
/// nobody tells them.
#[test]
fn patience_pays() {
    let table = large();
    let requirements = requirements(&[Ask::People(5)]);
    let objective = Objective::ncp(&table);
    let task = Task { effort: Effort::Low, ..Task::new(&table, &requirements, &objective) };
    for algorithm in anytime() {
        let name = algorithm.info().name;
        let lost = |patience: u64| {
            let observer = Impatient::after(patience);
            let found = run(algorithm, &Task { observer: &observer, ..task }).unwrap();
            assert_eq!(check_release(&task, found.as_ref()), 0, "{name}");
            (objective.total(&table, found.as_ref()), observer.questions.into_inner())
        };
        let ((at_once, _), (in_the_end, questions)) = (lost(0), lost(u64::MAX));
        assert!(questions > 0, "{name} never asks");
        assert!(at_once > in_the_end, "{name}: {at_once} {in_the_end}");
        let unwatched = run(algorithm, &task).unwrap();
        assert_eq!(objective.total(&table, unwatched.as_ref()), in_the_end, "{name}");
    }
}
