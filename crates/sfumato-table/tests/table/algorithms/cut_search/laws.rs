//! Properties of every recoding by cuts on any table.

use proptest::prelude::*;
use sfumato_core::ErrorKind;
use sfumato_core::dataset::Table;
use sfumato_core::observer::{Observer, Unit};
use sfumato_core::recoding::{Recoding, SUPPRESSED};
use sfumato_core::registry::Info;
use sfumato_core::traits::{Effort, Objective, Task};
use sfumato_table::algorithms::global;

use crate::algorithms::cut_search::{finding, objective, run, run_on};
use crate::algorithms::models::{Ask, requirements};
use crate::algorithms::tables::{Kind, Spec, any_table, ordered, table};

/// Every algorithm that gives cuts: whatever is in their lists.
fn by_cuts() -> impl Iterator<Item = &'static Info> {
    let all = global::cuts::ALL.iter().chain(global::levels::ALL);
    all.map(|algorithm| algorithm.info())
}

/// Check that every class holds against what is published, and that every cell is covered. Returns
/// how many records are suppressed.
fn check_release(task: &Task<'_>, recoding: &dyn Recoding) -> u64 {
    let mut classes: Vec<Vec<u32>> = vec![Vec::new(); recoding.n_classes()];
    for (row, &class) in
        recoding.class_of_row().iter().enumerate().filter(|(_, class)| **class != SUPPRESSED)
    {
        classes[class as usize].push(row as u32);
    }
    let kept: Vec<u32> = classes.iter().flatten().copied().collect();
    let (tally, quasi) = (task.tally(), task.table.quasi());
    let release = tally.of_rows(&kept);
    for (class, rows) in classes.iter().enumerate() {
        assert!(task.requirements.holds(&tally.of_rows(rows), &release), "a class fails");
        for (place, column) in quasi.iter().enumerate() {
            let value = recoding.value(class as u32, place);
            assert!(rows.iter().all(|&row| value.covers(column, column.codes.get(row as usize))));
        }
    }
    // One value of a column is published alike everywhere.
    let cuts = recoding.cuts().unwrap();
    for (place, column) in quasi.iter().enumerate() {
        for (class, rows) in classes.iter().enumerate() {
            let value = recoding.value(class as u32, place);
            assert!(
                rows.iter().all(|&row| cuts[place].value(column.codes.get(row as usize)) == value)
            );
        }
    }
    task.table.n_rows as u64 - kept.len() as u64
}

fn same(a: &dyn Recoding, b: &dyn Recoding) -> bool {
    a.class_of_row() == b.class_of_row()
        && (0..a.n_columns()).all(|column| a.column(column) == b.column(column))
        && a.findings() == b.findings()
}

/// Whether an algorithm says in its capabilities that it can't do this.
fn refuses(info: &Info, task: &Task<'_>) -> bool {
    let can = &info.capabilities;
    let lacks_a_tree = task.table.quasi().iter().any(|column| column.hierarchy.is_none());
    // With a subject column only what absorbs is sure to stay monotone.
    let is_monotone = match task.table.subject {
        Some(_) => task.requirements.is_absorbing(),
        None => task.requirements.is_monotone(),
    };
    let needs_absorbing = can.needs_absorbing_to_suppress && task.max_suppressed > 0;
    (can.needs_hierarchies && lacks_a_tree)
        || (can.needs_monotone && !is_monotone)
        || (needs_absorbing && !task.requirements.is_absorbing())
}

fn asks() -> impl Strategy<Value = Vec<Ask>> {
    prop_oneof![
        (1u64..8).prop_map(|k| vec![Ask::People(k)]),
        (1u64..5, 1usize..4).prop_map(|(k, l)| vec![Ask::People(k), Ask::Distinct(l)]),
        (1u64..5, 0.3f64..1.0).prop_map(|(k, share)| vec![Ask::People(k), Ask::Share(share)]),
        (0.05f64..0.6).prop_map(|t| vec![Ask::Near(t)]),
        (1u64..4).prop_map(|k| vec![Ask::People(k), Ask::Even]),
    ]
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(12))]

    #[test]
    fn every_release_holds_and_threads_do_not_matter(
        sample in any_table(), asks in asks(), most in prop_oneof![Just(0u64), 1u64..30],
            which in 0u8..4, seed: u64,
    ) {
        let (table, requirements) = (sample.table, requirements(&asks));
        let objective = objective(&table, which);
        let effort = Effort::Low;
        let task = Task { max_suppressed: most, seed, effort,
            ..Task::new(&table, &requirements, &objective) };
        let whole_holds = requirements.holds(&task.whole(), &task.whole());
        for info in by_cuts().filter(|info| info.capabilities.keeps_promises) {
            let (name, can) = (info.name, &info.capabilities);
            match (run_on(1, name, &task), run_on(3, name, &task)) {
                (Ok(one), Ok(three)) => {
                    let is_ignored = can.ignores.contains(&"max_suppression");
                    let limit = if is_ignored { 0 } else { most };
                    prop_assert!(check_release(&task, one.as_ref()) <= limit,
                        "{} suppresses too much", name);
                    prop_assert!(same(one.as_ref(), three.as_ref()), "{} depends on threads", name);
                }
                (Err(one), Err(three)) => {
                    prop_assert_eq!(&one, &three);
                    if one.kind == ErrorKind::Unsupported {
                        prop_assert!(refuses(info, &task), "{}: {}", name, one);
                        continue;
                    }
                    prop_assert_eq!(one.kind, ErrorKind::Infeasible, "{}: {}", name, one);
                    prop_assert!(!whole_holds,
                        "{} gives up though one class of all would do", name);
                }
                _ => prop_assert!(false, "{} depends on the number of threads", name),
            }
        }
    }
}

/// Pseudorandom numbers without a generator.
fn scrambled(n: usize, salt: u32, size: u32) -> Vec<u32> {
    let mix =
        |i: u32| (i ^ salt).wrapping_mul(0x9e37_79b1).rotate_left(13).wrapping_mul(0x85eb_ca6b);
    (0..n as u32)
        .map(|i| ((u64::from(mix(i)) * u64::from(mix(i + 1))) >> 32) as u32 % size)
        .collect()
}

fn large() -> Table {
    let n = 2_000;
    let kinds = [Kind::Ordered(60), Kind::Ordered(40), Kind::Flat(3)];
    let spec = |(i, &kind): (usize, &Kind)| Spec {
        kind,
        ..ordered(scrambled(n, i as u32 * 77 + 1, kind.size() as u32 + u32::from(i % 2 == 0)), 2)
    };
    table(&kinds.iter().enumerate().map(spec).collect::<Vec<_>>(), scrambled(n, 999, 5), None)
}

#[test]
fn what_is_too_large_is_left_with_the_best_found_and_its_gap() {
    let table = large();
    let objective = Objective::ncp(&table);
    let requirements = requirements(&[Ask::People(5)]);
    let task = Task { effort: Effort::Low, ..Task::new(&table, &requirements, &objective) };
    for name in ["k-optimize", "l-plus-optimize"] {
        let recoding = run(name, &task).unwrap();
        check_release(&task, recoding.as_ref());
        let cost = objective.total(&table, recoding.as_ref());
        let of = |what| finding(recoding.as_ref(), what);
        assert_eq!(of("proven_optimal"), 0.0);
        assert!(
            cost > 0.0
                && of("gap_at_most") > 0.0
                && of("gap_at_most") < 1.0
                && of("visited") > 10.0
        );
        assert!(cost < 0.9 * table.n_rows as f64, "{name} found nothing: {cost}");
    }
    let bred = run("genetic", &task).unwrap();
    assert!(objective.total(&table, bred.as_ref()) < 0.9 * table.n_rows as f64);
    assert_eq!(finding(bred.as_ref(), "steps"), 1008.0);
}

#[test]
fn the_genetic_algorithm_comes_near_the_optimum_and_follows_its_seed() {
    let n = 60;
    let specs = [
        Spec { kind: Kind::Tree(8), ..ordered(scrambled(n, 5, 8), 8) },
        Spec { kind: Kind::Ordered(6), ..ordered(scrambled(n, 6, 6), 6) },
        Spec { kind: Kind::Flat(3), ..ordered(scrambled(n, 7, 3), 3) },
    ];
    let table = table(&specs, vec![0; n], None);
    let requirements = requirements(&[Ask::People(4)]);
    let objective = Objective::ncp(&table);
    for most in [0, 5] {
        let task = Task { max_suppressed: most, ..Task::new(&table, &requirements, &objective) };
        let cost =
            |task: &Task<'_>, name| objective.total(&table, run(name, task).unwrap().as_ref());
        let best = cost(&task, "k-optimize");
        for seed in 0..3 {
            let bred = cost(&Task { seed, effort: Effort::Low, ..task }, "genetic");
            assert!(bred >= best - 1e-9 && bred <= 1.05 * best, "{bred} and {best}");
        }
    }
}

#[test]
fn empty_tables_are_fine_and_too_few_people_are_told() {
    let tree = |codes| Spec { kind: Kind::Flat(3), ..ordered(codes, 3) };
    let empty = table(&[tree(Vec::new())], Vec::new(), None);
    let few = table(&[tree(vec![0, 1, 2])], vec![0; 3], None);
    let requirements = requirements(&[Ask::People(4)]);
    for name in by_cuts().map(|info| info.name) {
        let objective = Objective::ncp(&empty);
        assert_eq!(
            run(name, &Task::new(&empty, &requirements, &objective)).unwrap().n_classes(),
            0
        );
        let objective = Objective::ncp(&few);
        let task = Task { max_suppressed: 3, ..Task::new(&few, &requirements, &objective) };
        assert_eq!(run(name, &task).map(|_| ()).unwrap_err().kind, ErrorKind::Infeasible, "{name}");
    }
}

#[test]
fn models_that_are_not_monotone_are_refused_by_name() {
    let tree = Spec { kind: Kind::Flat(3), ..ordered(vec![0, 1, 2], 3) };
    let table = table(&[tree], vec![0; 3], None);
    let requirements = requirements(&[Ask::AtMost(2)]);
    let objective = Objective::ncp(&table);
    for name in by_cuts().filter(|info| info.capabilities.needs_monotone).map(|info| info.name) {
        let error =
            run(name, &Task::new(&table, &requirements, &objective)).map(|_| ()).unwrap_err();
        assert_eq!(error.kind, ErrorKind::Unsupported);
        assert!(error.to_string().contains("monotone"));
    }
}

struct Stop;
impl Observer for Stop {
    fn begin(&self, _: &str, _: u64, _: Unit) {}
    fn advance(&self, _: u64) {}
    fn end(&self) {}
    fn cancelled(&self) -> bool {
        true
    }
}

#[test]
fn a_user_can_stop_every_search() {
    let n = 2_000;
    let tree = |salt| Spec { kind: Kind::Tree(30), ..ordered(scrambled(n, salt, 30), 2) };
    let table = table(&[tree(1), tree(2), tree(3)], vec![0; n], None);
    let objective = Objective::ncp(&table);
    let requirements = requirements(&[Ask::People(5)]);
    let task = Task { observer: &Stop, ..Task::new(&table, &requirements, &objective) };
    for name in by_cuts().map(|info| info.name) {
        assert_eq!(run(name, &task).map(|_| ()).unwrap_err().kind, ErrorKind::Cancelled, "{name}");
    }
}

#[test]
fn columns_with_very_many_values_end_with_the_budget() {
    let n = 20_000;
    let codes: Vec<u32> = (0..n as u32).map(|row| row * 7919 % 20_000).collect();
    let table = table(&[ordered(codes.clone(), n), ordered(codes, n)], vec![0; n], None);
    let objective = Objective::ncp(&table);
    let requirements = requirements(&[Ask::People(5)]);
    let task = Task { effort: Effort::Low, ..Task::new(&table, &requirements, &objective) };
    for name in ["k-optimize", "l-plus-optimize"] {
        let recoding = run(name, &task).unwrap();
        check_release(&task, recoding.as_ref());
        assert_eq!(finding(recoding.as_ref(), "proven_optimal"), 0.0);
        assert!(finding(recoding.as_ref(), "gap_at_most") > 0.0);
    }
}
