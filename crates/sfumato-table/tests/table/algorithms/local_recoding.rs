//! Properties of every algorithm for tables: all classes hold, all cells are covered, no more is
//! suppressed than allowed, and the result depends only on the task.

// Helpers of tests aren't seen as tests, and a panic is how a test fails.
#![allow(clippy::unwrap_used)]

use crate::algorithms::models::{Ask, requirements};
use crate::algorithms::tables::{any_table, ordered, table};
use proptest::prelude::*;
use sfumato_core::dataset::Table;
use sfumato_core::observer::{Observer, Unit};
use sfumato_core::recoding::{Recoding, SUPPRESSED};
use sfumato_core::registry::{Call, Params};
use sfumato_core::traits::{Algorithm, Effort, Objective, Task};
use sfumato_core::{Error, ErrorKind};
use std::sync::atomic::{AtomicU64, Ordering};

pub fn run(algorithm: &dyn Algorithm, task: &Task<'_>) -> Result<Box<dyn Recoding>, Error> {
    let call: Call = algorithm.info().name.parse().unwrap();
    algorithm.anonymize(&Params::check(algorithm.info(), &call.args).unwrap(), task)
}

fn run_on(
    threads: usize,
    algorithm: &dyn Algorithm,
    task: &Task<'_>,
) -> Result<Box<dyn Recoding>, Error> {
    let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
    pool.install(|| run(algorithm, task))
}

/// Every class holds against the release that is really published, and every cell is covered. Gives
/// how many are suppressed.
pub fn check_release(task: &Task<'_>, recoding: &dyn Recoding) -> u64 {
    let mut classes: Vec<Vec<u32>> = vec![Vec::new(); recoding.n_classes()];
    for (row, &class) in recoding.class_of_row().iter().enumerate() {
        if class != SUPPRESSED {
            classes[class as usize].push(row as u32);
        }
    }
    let kept: Vec<u32> = classes.iter().flatten().copied().collect();
    let (tally, quasi) = (task.tally(), task.table.quasi());
    let release = tally.of_rows(&kept);
    for (class, rows) in classes.iter().enumerate().filter(|(_, rows)| !rows.is_empty()) {
        assert!(task.requirements.holds(&tally.of_rows(rows), &release), "a class fails");
        for (place, column) in quasi.iter().enumerate() {
            let value = recoding.value(class as u32, place);
            assert!(rows.iter().all(|&row| value.covers(column, column.codes.get(row as usize))));
        }
    }
    // Classes that are published alike are one class to whoever reads the release.
    let region = |class: usize| -> Vec<_> {
        (0..quasi.len()).map(|c| recoding.value(class as u32, c)).collect()
    };
    let mut regions: Vec<_> =
        (0..classes.len()).filter(|&c| !classes[c].is_empty()).map(region).collect();
    let n = regions.len();
    regions.sort();
    regions.dedup();
    assert_eq!(regions.len(), n, "two classes are published alike");
    task.table.n_rows as u64 - kept.len() as u64
}

fn same(a: &dyn Recoding, b: &dyn Recoding) -> bool {
    a.class_of_row() == b.class_of_row()
        && (0..a.n_columns()).all(|column| a.column(column) == b.column(column))
}

fn asks() -> impl Strategy<Value = Vec<Ask>> {
    prop_oneof![
        (1u64..8).prop_map(|k| vec![Ask::People(k)]),
        (1u64..5, 1usize..4).prop_map(|(k, l)| vec![Ask::People(k), Ask::Distinct(l)]),
        (1u64..5, 0.3f64..1.0).prop_map(|(k, share)| vec![Ask::People(k), Ask::Share(share)]),
        (0.05f64..0.6).prop_map(|t| vec![Ask::Near(t)]),
        (1u64..4).prop_map(|k| vec![Ask::People(k), Ask::Even]),
        (1u64..4, 3u64..60).prop_map(|(k, most)| vec![Ask::People(k), Ask::AtMost(most)]),
    ]
}

/// An objective as a metric would make it: cells, cells that are multiplied, or classes alone.
fn objective(table: &Table, which: u8) -> Objective<'_> {
    let quasi = table.quasi();
    let n_quasi = quasi.len();
    match which {
        0 => Objective::ncp(table),
        1 => Objective::of_cells(
            "volume",
            sfumato_core::traits::Join::Product,
            n_quasi,
            move |place, value| 1.0 + f64::from(value.leaves(quasi[place])),
        ),
        _ => Objective::of_classes("squares", |rows| (rows * rows) as f64, table.n_rows as f64),
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(60))]

    #[test]
    fn every_algorithm_keeps_its_promise(
        sample in any_table(), asks in asks(), most in prop_oneof![Just(0u64), 1u64..30],
            which in 0u8..3, seed: u64,
    ) {
        let (table, requirements) = (sample.table, requirements(&asks));
        let objective = objective(&table, which);
        let task =
            Task { max_suppressed: most, seed, ..Task::new(&table, &requirements, &objective) };
        let whole_holds = requirements.holds(&task.whole(), &task.whole());
        for algorithm in sfumato_table::algorithms::local::ALL {
            let name = algorithm.info().name;
            match (run_on(1, *algorithm, &task), run_on(3, *algorithm, &task)) {
                (Ok(one), Ok(three)) => {
                    prop_assert!(check_release(&task, one.as_ref()) <= most,
                        "{} suppresses too much", name);
                    prop_assert!(same(one.as_ref(), three.as_ref()),
                        "{} depends on threads or runs", name);
                }
                (Err(one), Err(three)) => {
                    prop_assert_eq!(one.kind, ErrorKind::Infeasible, "{}: {}", name, one);
                    prop_assert_eq!(&one, &three);
                    // One class of all is always a way out, where models allow merging.
                    prop_assert!(!(whole_holds && requirements.is_monotone()),
                        "{} gives up too early", name);
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

/// Large enough for scans in several chunks.
pub fn large() -> Table {
    let n = 3_000;
    let kinds = [
        crate::algorithms::tables::Kind::Ordered(200),
        crate::algorithms::tables::Kind::Tree(60),
        crate::algorithms::tables::Kind::Flat(4),
        crate::algorithms::tables::Kind::Ordered(90),
    ];
    let spec = |(i, &kind): (usize, &crate::algorithms::tables::Kind)| {
        let size = kind.size() as u32 + u32::from(i % 2 == 0);
        crate::algorithms::tables::Spec {
            kind,
            ..ordered(scrambled(n, i as u32 * 77 + 1, size), 2)
        }
    };
    table(&kinds.iter().enumerate().map(spec).collect::<Vec<_>>(), scrambled(n, 999, 5), None)
}

#[test]
fn large_tables_give_the_same_for_any_number_of_threads() {
    let table = large();
    let objective = Objective::ncp(&table);
    for (asks, most) in [(vec![Ask::People(5)], 0), (vec![Ask::People(6), Ask::Share(0.6)], 100)] {
        let requirements = requirements(&asks);
        let task = Task { max_suppressed: most, ..Task::new(&table, &requirements, &objective) };
        for algorithm in sfumato_table::algorithms::local::ALL {
            let (one, three) =
                (run_on(1, *algorithm, &task).unwrap(), run_on(3, *algorithm, &task).unwrap());
            assert!(same(one.as_ref(), three.as_ref()), "{}", algorithm.info().name);
            assert!(one.n_classes() > 50, "{}", algorithm.info().name);
            assert!(check_release(&task, one.as_ref()) <= most);
        }
    }
}

#[test]
fn two_heaps_are_found_by_every_algorithm() {
    // Two heaps of eight, far apart in both columns.
    let codes: Vec<u32> =
        (0..16).map(|row| if row % 2 == 0 { row / 2 % 3 } else { 95 + row / 2 % 3 }).collect();
    let table =
        table(&[ordered(codes.clone(), 100), ordered(codes.clone(), 100)], vec![0; 16], None);
    let requirements = requirements(&[Ask::People(4)]);
    let objective = Objective::ncp(&table);
    for algorithm in sfumato_table::algorithms::local::ALL {
        let recoding = run(*algorithm, &Task::new(&table, &requirements, &objective)).unwrap();
        let classes = recoding.class_of_row();
        for a in 0..16 {
            for b in 0..16 {
                let apart = (codes[a] < 50) != (codes[b] < 50);
                assert!(
                    !(apart && classes[a] == classes[b]),
                    "{} mixes heaps",
                    algorithm.info().name
                );
            }
        }
    }
}

#[test]
fn tables_without_rows_or_quasi_columns_are_fine() {
    let requirements = requirements(&[Ask::People(2)]);
    let empty = table(&[ordered(Vec::new(), 3)], Vec::new(), None);
    let bare = table(&[], vec![0; 5], None);
    for algorithm in sfumato_table::algorithms::local::ALL {
        let objective = Objective::ncp(&empty);
        assert_eq!(
            run(*algorithm, &Task::new(&empty, &requirements, &objective)).unwrap().n_classes(),
            0
        );
        let objective = Objective::ncp(&bare);
        let recoding = run(*algorithm, &Task::new(&bare, &requirements, &objective)).unwrap();
        assert_eq!((recoding.n_classes(), recoding.class_of_row()), (1, [0; 5].as_slice()));
    }
}

#[test]
fn too_many_distinct_records_are_refused_with_a_way_out() {
    let n = 450_000;
    let specs = [
        crate::algorithms::tables::Spec {
            kind: crate::algorithms::tables::Kind::Wide,
            ..ordered((0..n as u32).map(|row| row % 1000).collect(), 2)
        },
        crate::algorithms::tables::Spec {
            kind: crate::algorithms::tables::Kind::Wide,
            ..ordered((0..n as u32).map(|row| row / 1000).collect(), 2)
        },
    ];
    let table = table(&specs, vec![0; n], None);
    let (requirements, objective) = (requirements(&[Ask::People(5)]), Objective::ncp(&table));
    // Whose time depends on the number of cells alone takes tables of any size.
    let may_refuse = sfumato_table::algorithms::local::ALL
        .iter()
        .filter(|algorithm| algorithm.info().capabilities.nanoseconds_per_cell.is_none());
    let mut refused = 0;
    for algorithm in may_refuse {
        let task = Task::new(&table, &requirements, &objective);
        if let Err(error) = run(*algorithm, &task) {
            assert_eq!(error.kind, ErrorKind::Unsupported, "{}", algorithm.info().name);
            assert!(error.hint.unwrap().contains("mondrian"), "{}", algorithm.info().name);
            refused += 1;
        }
    }
    assert!(refused > 0);
}

#[test]
fn peel_suppresses_where_neither_the_walk_nor_the_whole_table_can_do_without() {
    // Forty columns are too many to walk, and three of four rows have one sensitive value.
    let n = 300;
    let spec = |i: u32| crate::algorithms::tables::Spec {
        kind: crate::algorithms::tables::Kind::Tree(12),
        ..ordered(scrambled(n, i * 31 + 5, 12), 12)
    };
    let sensitive = scrambled(n, 77, 12).into_iter().map(|code| code.saturating_sub(8)).collect();
    let mut specs: Vec<_> = (0..40).map(spec).collect();
    // A heap of equal rows that hold for themselves.
    for spec in &mut specs {
        spec.codes[..60].fill(3);
    }
    let mut sensitive: Vec<u32> = sensitive;
    (0..60).for_each(|row| sensitive[row] = row as u32 % 5);
    let table = table(&specs, sensitive, None);
    let (requirements, objective) =
        (requirements(&[Ask::People(5), Ask::Share(0.3)]), Objective::ncp(&table));
    let peel = sfumato_table::algorithms::find("peel").unwrap();
    let task = Task { max_suppressed: 240, ..Task::new(&table, &requirements, &objective) };
    assert!(!requirements.holds(&task.whole(), &task.whole()));
    let recoding = run(peel, &task).unwrap();
    assert!(check_release(&task, recoding.as_ref()) <= 240);
    let none = run(peel, &Task { max_suppressed: 0, ..task }).err().unwrap();
    assert_eq!(none.kind, ErrorKind::Infeasible);
}

/// An observer that adds up progress, and stops after a number of questions.
struct Watcher {
    begun: AtomicU64,
    done: AtomicU64,
    questions_left: AtomicU64,
}

impl Observer for Watcher {
    fn begin(&self, _: &str, _: u64, _: Unit) {
        self.begun.fetch_add(1, Ordering::Relaxed);
    }
    fn advance(&self, n: u64) {
        self.done.fetch_add(n, Ordering::Relaxed);
    }
    fn end(&self) {
        self.begun.fetch_sub(1, Ordering::Relaxed);
    }
    fn cancelled(&self) -> bool {
        self.questions_left
            .fetch_update(Ordering::Relaxed, Ordering::Relaxed, |left| left.checked_sub(1))
            .is_err()
    }
}

#[test]
fn progress_adds_up_and_a_stop_is_heard() {
    let table = large();
    let (requirements, objective) = (requirements(&[Ask::People(5)]), Objective::ncp(&table));
    for algorithm in sfumato_table::algorithms::local::ALL {
        let name = algorithm.info().name;
        let watched = |questions| {
            let watcher = Watcher {
                begun: AtomicU64::new(0),
                done: AtomicU64::new(0),
                questions_left: AtomicU64::new(questions),
            };
            let task = Task { observer: &watcher, ..Task::new(&table, &requirements, &objective) };
            let error = run(*algorithm, &task).err().map(|error| error.kind);
            assert_eq!(watcher.begun.into_inner(), 0, "{name} doesn't end what it begins");
            (error, watcher.done.into_inner())
        };
        assert_eq!(watched(u64::MAX), (None, 3_000), "{name}");
        // A table that takes microseconds needn't be stopped.
        let can = &algorithm.info().capabilities;
        let is_quick = can.nanoseconds_per_cell(Effort::Normal).is_some_and(|time| time < 100.0);
        assert!(watched(0).0 == Some(ErrorKind::Cancelled) || is_quick, "{name} hears no stop");
    }
}
