//! Compares Mondrian with a naive implementation, and tests its own promises.

// Helpers of tests aren't seen as tests, and a panic is how a test fails.
#![allow(clippy::unwrap_used)]

mod choice;
mod guided;
mod naive;
mod wishes;

use self::naive::{Class, Leftovers, Naive, Settings};
use self::wishes::{add_workload, wishes};
use crate::algorithms::models::{Ask, requirements};
use crate::algorithms::tables::{any_table, ordered, table};
use proptest::prelude::*;
use sfumato_core::dataset::{Role, Table};
use sfumato_core::observer::{Observer, Unit};
use sfumato_core::recoding::{Recoding, SUPPRESSED, Value};
use sfumato_core::registry::{Call, Params};
use sfumato_core::traits::{Objective, Requirements, Task};
use sfumato_core::workload::{Target, TargetKind, Workload};
use sfumato_core::{Error, ErrorKind};
use std::sync::atomic::{AtomicU64, Ordering};

fn run(call: &str, task: &Task<'_>) -> Result<Box<dyn Recoding>, Error> {
    let call: Call = call.parse().unwrap();
    let algorithm = sfumato_table::algorithms::find(&call.name).unwrap();
    algorithm.anonymize(&Params::check(algorithm.info(), &call.args).unwrap(), task)
}

fn task<'a>(table: &'a Table, requirements: &'a Requirements, max_suppressed: u64) -> Task<'a> {
    // A test's objective may as well live as long as the test.
    let objective = Box::leak(Box::new(Objective::ncp(table)));
    Task { max_suppressed, ..Task::new(table, requirements, objective) }
}

/// The classes with their rows and regions.
fn classes(recoding: &dyn Recoding) -> Vec<Class> {
    let mut classes: Vec<Class> = (0..recoding.n_classes() as u32)
        .map(|class| {
            (Vec::new(), (0..recoding.n_columns()).map(|c| recoding.value(class, c)).collect())
        })
        .collect();
    for (row, &class) in recoding.class_of_row().iter().enumerate() {
        if class != SUPPRESSED {
            classes[class as usize].0.push(row as u32);
        }
    }
    classes
}

/// Every cell is covered, and every class holds against the release that is really published.
fn check_release(task: &Task<'_>, recoding: &dyn Recoding) -> u64 {
    let classes = classes(recoding);
    let kept: Vec<u32> = classes.iter().flat_map(|(rows, _)| rows.iter().copied()).collect();
    let (tally, quasi) = (task.tally(), task.table.quasi());
    let release = tally.of_rows(&kept);
    for (rows, region) in &classes {
        assert!(task.requirements.holds(&tally.of_rows(rows), &release), "a class fails");
        for (column, value) in quasi.iter().zip(region) {
            assert!(rows.iter().all(|&row| value.covers(column, column.codes.get(row as usize))));
        }
    }
    task.table.n_rows as u64 - kept.len() as u64
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

/// Any parameters; half of the time those of old.
fn settings() -> impl Strategy<Value = Settings> {
    let leftovers = prop::sample::select(vec![Leftovers::None, Leftovers::Keep, Leftovers::Lend]);
    (any::<[bool; 5]>(), leftovers).prop_map(
        |([old, gain, quantiles, relaxed, tighten], leftovers)| match old {
            true => Settings { relaxed, tighten, ..Settings::PLAIN },
            false => Settings { gain, leftovers, quantiles, relaxed, tighten },
        },
    )
}

/// Mondrian without what it can do beyond the papers.
const PLAIN: &str = "mondrian(split=widest, leftovers=none, cuts=median)";

proptest! {
    #![proptest_config(ProptestConfig::with_cases(800))]

    #[test]
    fn equals_its_naive_twin(sample in any_table(), asks in asks(), settings in settings()) {
        let (table, requirements) = (sample.table, requirements(&asks));
        let task = task(&table, &requirements, 0);
        let result = run(&settings.call(), &task);
        let merges =
            requirements.is_count_only() || (requirements.is_monotone() && table.subject.is_none());
        if settings.relaxed && !merges {
            prop_assert_eq!(result.err().unwrap().kind, ErrorKind::Unsupported);
            return Ok(());
        }
        match Naive::new(&task, settings).classes() {
            None => prop_assert_eq!(result.err().unwrap().kind, ErrorKind::Infeasible),
            Some(expected) => {
                let recoding = result.unwrap();
                prop_assert_eq!(classes(recoding.as_ref()), expected);
                prop_assert_eq!(check_release(&task, recoding.as_ref()), 0);
            }
        }
    }

    #[test]
    fn equals_its_naive_twin_with_a_workload(
        sample in any_table(), asks in asks(), settings in settings(), wishes in wishes(),
            noise in any::<u64>(),
    ) {
        let mut table = sample.table;
        let workload = add_workload(&mut table, &wishes, noise);
        let requirements = requirements(&asks);
        let task = Task { workload: Some(&workload), ..task(&table, &requirements, 0) };
        let settings = Settings { leftovers: Leftovers::None, relaxed: false, ..settings };
        let call = settings.call().replace(')', &format!(
            ", min_gain={}, significant={})", wishes.min_gain, wishes.significant));
        let result = run(&call, &task);
        match (Naive { min_gain: wishes.min_gain, significant: wishes.significant,
            ..Naive::new(&task, settings) }).classes() {
            None => prop_assert_eq!(result.err().unwrap().kind, ErrorKind::Infeasible),
            Some(expected) => {
                let recoding = result.unwrap();
                prop_assert_eq!(classes(recoding.as_ref()), expected);
                prop_assert_eq!(check_release(&task, recoding.as_ref()), 0);
            }
        }
    }

    #[test]
    fn a_workload_keeps_every_promise(
        sample in any_table(), asks in asks(), most in 0u64..30, settings in settings(),
            wishes in wishes(),
        noise in any::<u64>(),
    ) {
        let mut table = sample.table;
        let workload = add_workload(&mut table, &wishes, noise);
        let requirements = requirements(&asks);
        let task = Task { workload: Some(&workload), ..task(&table, &requirements, most) };
        match run(&Settings { relaxed: false, ..settings }.call(), &task) {
            Ok(recoding) => prop_assert!(check_release(&task, recoding.as_ref()) <= most),
            Err(error) => prop_assert_eq!(error.kind, ErrorKind::Infeasible),
        }
    }

    #[test]
    fn suppresses_no_more_than_allowed(
        sample in any_table(), asks in asks(), most in 1u64..30, settings in settings(),
    ) {
        let (table, requirements) = (sample.table, requirements(&asks));
        let task = task(&table, &requirements, most);
        let call = Settings { relaxed: false, ..settings }.call();
        match run(&call, &task) {
            Ok(recoding) => {
                let suppressed = check_release(&task, recoding.as_ref());
                prop_assert!(suppressed <= most && suppressed < table.n_rows as u64);
            }
            Err(error) => {
                prop_assert_eq!(error.kind, ErrorKind::Infeasible);
                let plain = Task { max_suppressed: 0, ..task };
                prop_assert!(run(&call, &plain).is_err());
            }
        }
    }

    #[test]
    fn no_allowed_split_remains_under_counts(sample in any_table(), k in 1u64..6) {
        let (table, requirements) = (sample.table, requirements(&[Ask::People(k)]));
        let task = task(&table, &requirements, 0);
        let Ok(recoding) = run(PLAIN, &task) else { return Ok(()) };
        let naive = Naive::new(&task, Settings::PLAIN);
        for (rows, _) in classes(recoding.as_ref()) {
            for (place, column) in naive.quasi.iter().enumerate() {
                let (min, max) = naive::interval(column, &rows);
                let code = |row: &u32| column.codes.get(*row as usize);
                if max == column.domain.missing() || column.hierarchy.is_some() {
                    if min < max {
                        let splits = naive.splits(place, &rows, (0, max));
                        prop_assert!(!splits[0].iter().all(|(rows, _)| naive.holds(rows)));
                    }
                } else if table.subject.is_none() {
                    for first in min + 1..=max {
                        let left = rows.iter().filter(|row| code(row) < first).count() as u64;
                        prop_assert!(left.min(rows.len() as u64 - left) < k);
                    }
                }
            }
        }
    }
}

/// Numbers that look random, without a generator.
fn scrambled(n: usize, salt: u32, size: u32) -> Vec<u32> {
    let mix =
        |i: u32| (i ^ salt).wrapping_mul(0x9e37_79b1).rotate_left(13).wrapping_mul(0x85eb_ca6b);
    (0..n as u32)
        .map(|i| ((u64::from(mix(i)) * u64::from(mix(i + 1))) >> 32) as u32 % size)
        .collect()
}

fn large() -> Table {
    let n = 150_000;
    let kinds = [
        crate::algorithms::tables::Kind::Ordered(200),
        crate::algorithms::tables::Kind::Wide,
        crate::algorithms::tables::Kind::Tree(60),
        crate::algorithms::tables::Kind::Flat(4),
    ];
    let specs: Vec<_> = kinds
        .iter()
        .enumerate()
        .map(|(i, &kind)| {
            let size = kind.size() as u32 + u32::from(i % 2 == 0);
            crate::algorithms::tables::Spec {
                kind,
                ..ordered(scrambled(n, i as u32 * 77 + 1, size), 2)
            }
        })
        .collect();
    table(&specs, scrambled(n, 999, 5), None)
}

#[test]
fn the_number_of_threads_changes_nothing() {
    let table = large();
    for (asks, call, most) in [
        (vec![Ask::People(5)], PLAIN, 0),
        (vec![Ask::People(5)], "mondrian", 0),
        (vec![Ask::People(5)], "mondrian(leftovers=keep)", 0),
        (vec![Ask::People(5)], "mondrian(relaxed=true, tighten=false)", 2000),
        (vec![Ask::People(20), Ask::Share(0.4), Ask::Near(0.2)], "mondrian", 3000),
    ] {
        let requirements = requirements(&asks);
        let task = task(&table, &requirements, most);
        let with = |threads| {
            let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
            pool.install(|| run(call, &task)).unwrap()
        };
        let (one, four) = (with(1), with(4));
        assert!(one.n_classes() > 1000);
        assert_eq!(one.class_of_row(), four.class_of_row());
        assert!((0..one.n_columns()).all(|column| one.column(column) == four.column(column)));
        assert!(check_release(&task, one.as_ref()) <= most);
    }
}

#[test]
fn relaxed_halves_are_even() {
    let n = 700;
    let specs = [ordered(scrambled(n, 3, 250), 250), ordered(scrambled(n, 5, 250), 250)];
    let table = table(&specs, vec![0; n], None);
    for k in [2, 5, 9] {
        let requirements = requirements(&[Ask::People(k)]);
        let task = task(&table, &requirements, 0);
        let sizes = |call| -> Vec<u64> {
            classes(run(call, &task).unwrap().as_ref())
                .iter()
                .map(|(rows, _)| rows.len() as u64)
                .collect()
        };
        assert!(sizes("mondrian(relaxed=true)").iter().all(|&size| k <= size && size < 2 * k));
        assert!(sizes("mondrian").iter().all(|&size| k <= size));
    }
}

#[test]
fn an_impossible_requirement_says_which_and_by_how_much() {
    let table = table(&[ordered(vec![0, 1, 2, 3], 4)], vec![0, 0, 0, 1], None);
    let message = |asks: &[Ask], most| {
        let requirements = requirements(asks);
        let error = run("mondrian", &task(&table, &requirements, most)).err().unwrap();
        assert_eq!(error.kind, ErrorKind::Infeasible);
        error.to_string()
    };
    assert_eq!(
        message(&[Ask::People(5)], 0),
        "People(5) can't be met: over the whole table k is 4 and must be at least 5"
    );
    assert_eq!(
        message(&[Ask::People(2), Ask::Share(0.5)], 1),
        "Share(0.5) can't be met: over the whole table alpha is 0.7500 and must be at most 0.5000, \
         and leaving out up to 1 didn't help"
    );
}

#[test]
fn people_are_counted_not_rows() {
    // Rows 0..6 are two people with three rows each; 6..12 are six people. The lower half has too
    // few people, so the cut goes above the median.
    let subject = vec![0, 0, 0, 1, 1, 1, 2, 3, 4, 5, 6, 7];
    let specs = [ordered((0..12).collect(), 12)];
    let mut table = table(&specs, vec![0; 12], Some(subject));
    let requirements = requirements(&[Ask::People(3)]);
    let sizes = |table: &Table| -> Vec<usize> {
        let recoding = run("mondrian", &task(table, &requirements, 0)).unwrap();
        classes(recoding.as_ref()).iter().map(|(rows, _)| rows.len()).collect()
    };
    assert_eq!(sizes(&table), [7, 5]);
    table.subject = None;
    assert_eq!(sizes(&table), [3, 3, 3, 3]);
}

#[test]
fn a_rare_child_is_left_out_when_that_pays() {
    // 100 rows below each of two children of a flat tree, and two below a third.
    let codes: Vec<u32> = (0..202).map(|row| if row < 200 { row % 2 } else { 2 }).collect();
    let spec = crate::algorithms::tables::Spec {
        kind: crate::algorithms::tables::Kind::Flat(3),
        ..ordered(codes, 3)
    };
    let table = table(&[spec], vec![0; 202], None);
    let requirements = requirements(&[Ask::People(10)]);
    let outcome = |most| {
        let task = task(&table, &requirements, most);
        let recoding = run("mondrian(leftovers=none)", &task).unwrap();
        (recoding.n_classes(), check_release(&task, recoding.as_ref()))
    };
    assert_eq!(outcome(0), (1, 0));
    assert_eq!(outcome(1), (1, 0));
    assert_eq!(outcome(2), (2, 2));
}

#[test]
fn a_rare_child_stays_with_records_that_are_lent() {
    // Two rows below a third child forbid the split; kept, they need a large child or eight lent
    // records.
    let codes: Vec<u32> = (0..202).map(|row| if row < 200 { row % 2 } else { 2 }).collect();
    let spec = crate::algorithms::tables::Spec {
        kind: crate::algorithms::tables::Kind::Flat(3),
        ..ordered(codes, 3)
    };
    let requirements = requirements(&[Ask::People(10)]);
    let sizes = |table: &Table, leftovers: &str| -> Vec<usize> {
        let task = task(table, &requirements, 0);
        let recoding =
            run(&format!("mondrian(split=widest, leftovers={leftovers})"), &task).unwrap();
        assert_eq!(check_release(&task, recoding.as_ref()), 0);
        classes(recoding.as_ref()).iter().map(|(rows, _)| rows.len()).collect()
    };
    let alone = table(std::slice::from_ref(&spec), vec![0; 202], None);
    assert_eq!(sizes(&alone, "none"), [202]);
    assert_eq!(sizes(&alone, "keep"), [100, 102]);
    assert_eq!(sizes(&alone, "lend"), [92, 100, 10]);

    // Those that are lent look like those that they are lent to.
    let near = |row: u32| (70..130).contains(&row) || row >= 200;
    let second = ordered((0..202).map(|row| if near(row) { 7 } else { row % 5 }).collect(), 8);
    let both = table(
        &[spec, crate::algorithms::tables::Spec { weight: 0.1, ..second }],
        vec![0; 202],
        None,
    );
    let task = task(&both, &requirements, 0);
    let recoding = run("mondrian(split=widest, leftovers=lend)", &task).unwrap();
    let classes = classes(recoding.as_ref());
    let (rows, _) = classes.iter().find(|(rows, _)| rows.contains(&200)).unwrap();
    assert_eq!(rows.len(), 10);
    assert!(rows.iter().all(|&row| near(row)));
}

#[test]
fn lending_gives_way_where_classes_published_alike_could_fail() {
    let table = large();
    let requirements = requirements(&[Ask::People(5), Ask::AtMost(60_000)]);
    let task = task(&table, &requirements, 150_000);
    let (lend, keep) =
        (run("mondrian(leftovers=lend)", &task), run("mondrian(leftovers=keep)", &task));
    let (lend, keep) = (lend.unwrap(), keep.unwrap());
    assert_eq!(classes(lend.as_ref()), classes(keep.as_ref()));
    let mut regions: Vec<_> =
        classes(keep.as_ref()).into_iter().map(|(_, region)| region).collect();
    let n_classes = regions.len();
    regions.sort();
    regions.dedup();
    assert_eq!(regions.len(), n_classes, "kept leftovers never make two classes alike");
}

#[test]
fn other_quantiles_are_tried_where_the_median_fails() {
    // Only two rows differ, both below the median: the cut has to go between them.
    let sensitive: Vec<u32> = (0..80).map(|row| u32::from(row == 5 || row == 35)).collect();
    let table = table(&[ordered((0..80).collect(), 80)], sensitive, None);
    let requirements = requirements(&[Ask::Distinct(2)]);
    let task = task(&table, &requirements, 0);
    let n_classes = |cuts: &str| run(&format!("mondrian(cuts={cuts})"), &task).unwrap().n_classes();
    assert_eq!((n_classes("median"), n_classes("quantiles")), (1, 2));
}

#[test]
fn leftovers_lose_less() {
    let table = large();
    let requirements = requirements(&[Ask::People(5)]);
    let task = task(&table, &requirements, 0);
    let loss = |call: &str| task.objective.total(&table, run(call, &task).unwrap().as_ref());
    let plain = loss(PLAIN);
    assert!(loss("mondrian(split=widest, leftovers=lend)") < plain);
    assert!(loss("mondrian(split=gain, leftovers=lend)") < plain * 0.97);
}

#[test]
fn a_table_that_fails_as_a_whole_can_be_repaired() {
    // All rows of the lower half have one sensitive value: dropping them makes the rest diverse
    // enough.
    let table = table(&[ordered((0..8).collect(), 8)], vec![0, 0, 0, 0, 1, 2, 1, 2], None);
    let requirements = requirements(&[Ask::Share(0.5), Ask::Distinct(2), Ask::AtMost(4)]);
    let plain = task(&table, &requirements, 0);
    assert_eq!(run("mondrian", &plain).err().unwrap().kind, ErrorKind::Infeasible);
    let lossy = task(&table, &requirements, 4);
    assert_eq!(check_release(&lossy, run("mondrian", &lossy).unwrap().as_ref()), 4);
}

#[test]
fn tables_without_rows_or_quasi_columns_are_fine() {
    let requirements = requirements(&[Ask::People(2)]);
    let empty = table(&[ordered(Vec::new(), 3)], Vec::new(), None);
    assert_eq!(run("mondrian", &task(&empty, &requirements, 0)).unwrap().n_classes(), 0);
    let bare = table(&[], vec![0; 5], None);
    let recoding = run("mondrian", &task(&bare, &requirements, 0)).unwrap();
    assert_eq!((recoding.n_classes(), recoding.class_of_row()), (1, [0; 5].as_slice()));
}

#[test]
fn words_without_a_hierarchy_are_refused_by_name() {
    let mut table = table(&[ordered(vec![0, 1], 2)], vec![0, 0], None);
    table.columns[0].domain = sfumato_core::dataset::Domain::of_texts(["a", "b"]);
    let requirements = requirements(&[Ask::People(1)]);
    let error = run("mondrian", &task(&table, &requirements, 0)).err().unwrap();
    assert_eq!(error.kind, ErrorKind::Unsupported);
    assert!(error.to_string().contains("'q0-'"));
}

/// An observer that counts progress, and stops after a number of questions.
struct Watcher {
    done: AtomicU64,
    questions_left: AtomicU64,
}

impl Observer for Watcher {
    fn begin(&self, step: &str, total: u64, unit: Unit) {
        assert_eq!((step, total, unit), ("anonymize", 150_000, Unit::Rows));
    }
    fn advance(&self, n: u64) {
        self.done.fetch_add(n, Ordering::Relaxed);
    }
    fn end(&self) {}
    fn cancelled(&self) -> bool {
        self.questions_left
            .fetch_update(Ordering::Relaxed, Ordering::Relaxed, |left| left.checked_sub(1))
            .is_err()
    }
}

#[test]
fn progress_adds_up_and_a_stop_is_heard() {
    let table = large();
    let requirements = requirements(&[Ask::People(5)]);
    let watched = |questions| {
        let watcher =
            Watcher { done: AtomicU64::new(0), questions_left: AtomicU64::new(questions) };
        let task = Task { observer: &watcher, ..task(&table, &requirements, 0) };
        let error = run("mondrian", &task).err().map(|error| error.kind);
        (error, watcher.done.into_inner())
    };
    assert_eq!(watched(u64::MAX), (None, 150_000));
    assert_eq!(watched(3).0, Some(ErrorKind::Cancelled));
}

/// Rows of a grid of two columns with two classes: how many of each are in a cell.
const GRID: [(u32, u32, u32, usize); 8] = [
    (0, 0, 0, 4),
    (0, 1, 1, 4),
    (0, 2, 1, 4),
    (0, 3, 0, 3),
    (1, 0, 0, 3),
    (1, 1, 0, 1),
    (1, 2, 0, 1),
    (1, 3, 0, 2),
];

/// How many rows are in a part where the other class is more frequent.
fn misplaced(parts: impl Iterator<Item = Vec<u32>>) -> usize {
    let less = |classes: Vec<u32>| {
        let yes = classes.iter().filter(|class| **class == 1).count();
        yes.min(classes.len() - yes)
    };
    parts.map(less).sum()
}

/// The fewest misplaced rows if each column is cut in the same places everywhere and every part
/// that isn't empty has k rows.
fn fewest_of_single_dimensions(cells: &[(u32, u32, u32)], k: usize) -> usize {
    let mut fewest = usize::MAX;
    for (of_first, of_second) in (0..2u32).flat_map(|a| (0..8u32).map(move |b| (a, b))) {
        // A bit of a number stands for a cut before the next code.
        let part = |cuts: u32, code: u32| (cuts & ((1 << code) - 1)).count_ones();
        let mut parts: std::collections::BTreeMap<(u32, u32), Vec<u32>> = Default::default();
        for (a, b, class) in cells {
            parts.entry((part(of_first, *a), part(of_second, *b))).or_default().push(*class);
        }
        if parts.values().all(|classes| classes.len() >= k) {
            fewest = fewest.min(misplaced(parts.into_values()));
        }
    }
    fewest
}

#[test]
fn regions_separate_classes_where_no_single_dimensional_cuts_do() {
    let cells: Vec<(u32, u32, u32)> =
        GRID.iter().flat_map(|(a, b, class, n)| vec![(*a, *b, *class); *n]).collect();
    assert_eq!(fewest_of_single_dimensions(&cells, 3), 2);
    let codes = |of: fn(&(u32, u32, u32)) -> u32| cells.iter().map(of).collect::<Vec<_>>();
    let specs = [ordered(codes(|c| c.0), 2), ordered(codes(|c| c.1), 4)];
    let mut table = table(&specs, vec![0; cells.len()], None);
    let class = ordered(codes(|c| c.2), 2);
    table.columns.push(crate::algorithms::tables::column("class", Role::Keep, &class));
    let target = Target { column: 3, kind: TargetKind::Classes, features: vec![0, 1], weight: 1.0 };
    let workload = Workload { targets: vec![target], ..Workload::default() };
    let requirements = requirements(&[Ask::People(3)]);
    let task = Task { workload: Some(&workload), ..task(&table, &requirements, 0) };
    let recoding = run("mondrian(leftovers=none, min_gain=0, significant=false)", &task).unwrap();
    assert_eq!(check_release(&task, recoding.as_ref()), 0);
    let classes = classes(recoding.as_ref()).into_iter();
    let of_rows = |(rows, _): Class| rows.iter().map(|row| cells[*row as usize].2).collect();
    assert_eq!(misplaced(classes.map(of_rows)), 0);
}

#[test]
fn a_gain_that_is_just_enough_is_taken() {
    // Four children that tell two classes of two apart gain 4 ln 2 nats. As one of two splits they
    // must gain ln 2 for which one it is, and three halves of ln 4 for three parts more: the same,
    // but for the order of the sums.
    let specs = [
        crate::algorithms::tables::Spec {
            kind: crate::algorithms::tables::Kind::Flat(4),
            ..ordered(vec![0, 1, 2, 3], 4)
        },
        crate::algorithms::tables::Spec { weight: 3.0, ..ordered(vec![0, 2, 2, 2], 2) },
    ];
    let mut table = table(&specs, vec![0; 4], None);
    table.columns.push(crate::algorithms::tables::column(
        "class",
        Role::Keep,
        &ordered(vec![0, 1, 0, 1], 2),
    ));
    let target = Target { column: 3, kind: TargetKind::Classes, features: vec![0, 1], weight: 1.0 };
    let workload = Workload { targets: vec![target], ..Workload::default() };
    let requirements = requirements(&[Ask::People(1)]);
    let task = Task { workload: Some(&workload), ..task(&table, &requirements, 0) };
    let recoding = run("mondrian(leftovers=none, tighten=false)", &task).unwrap();
    let firsts: Vec<Value> =
        classes(recoding.as_ref()).iter().map(|(_, region)| region[1]).collect();
    assert_eq!(firsts, [Value::Any; 4]);
}
