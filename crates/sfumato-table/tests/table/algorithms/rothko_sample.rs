//! Tests Rothko-S: whatever a sample says, every class keeps every promise; and if the sample is
//! the whole table, the result is that of Mondrian.

// Helpers of tests aren't seen as tests, and a panic is how a test fails. Of the shared helpers not
// all are used here.
#![allow(clippy::unwrap_used, dead_code)]

use crate::algorithms::models::{Ask, requirements};
use crate::algorithms::tables::{Kind, Spec, any_table, ordered, table};
use proptest::prelude::*;
use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::{Rng, SeedableRng};
use sfumato_core::dataset::{Missing, Table};
use sfumato_core::group::Summary;
use sfumato_core::memory::Accountant;
use sfumato_core::observer::Unobserved;
use sfumato_core::recoding::{Recoding, SUPPRESSED};
use sfumato_core::registry::{Call, Params};
use sfumato_core::traits::{Direction, Measure, Objective, Requirement, Requirements, Task};
use sfumato_core::workload::{Selection, Target, TargetKind, Workload};
use sfumato_core::{Error, ErrorKind};
use sfumato_io::spill::divide_in_memory;
use sfumato_table::algorithms::local::rothko::{Limits, Outline, Work, sample};
use sfumato_table::data::tuples::of_table;

fn run(call: &str, task: &Task<'_>) -> Result<Box<dyn Recoding>, Error> {
    let call: Call = call.parse().unwrap();
    let algorithm = sfumato_table::algorithms::find(&call.name).unwrap();
    algorithm.anonymize(&Params::check(algorithm.info(), &call.args).unwrap(), task)
}

fn task<'a>(table: &'a Table, requirements: &'a Requirements) -> Task<'a> {
    // A test's objective may as well live as long as the test.
    let objective = Box::leak(Box::new(Objective::ncp(table)));
    Task::new(table, requirements, objective)
}

/// The rows of each class, in the order of their first rows, with its region as text.
fn classes(recoding: &dyn Recoding) -> Vec<(Vec<u32>, String)> {
    let region = |class: u32| {
        (0..recoding.n_columns()).map(|c| format!("{:?} ", recoding.value(class, c))).collect()
    };
    let mut classes: Vec<(Vec<u32>, String)> =
        (0..recoding.n_classes() as u32).map(|class| (Vec::new(), region(class))).collect();
    for (row, &class) in recoding.class_of_row().iter().enumerate() {
        if class != SUPPRESSED {
            classes[class as usize].0.push(row as u32);
        }
    }
    classes.sort();
    classes
}

/// Every cell is covered, and every class holds; how many records are suppressed.
fn check_release(task: &Task<'_>, recoding: &dyn Recoding) -> usize {
    let (tally, quasi) = (task.tally(), task.table.quasi());
    let mut members = vec![Vec::new(); recoding.n_classes()];
    for (row, &class) in
        recoding.class_of_row().iter().enumerate().filter(|(_, class)| **class != SUPPRESSED)
    {
        members[class as usize].push(row as u32);
    }
    let kept: Vec<u32> = members.iter().flatten().copied().collect();
    let release = tally.of_rows(&kept);
    for (class, rows) in members.iter().enumerate() {
        assert!(
            task.requirements.holds(&tally.of_rows(rows), &release),
            "a class of {} fails",
            rows.len()
        );
        for (place, column) in quasi.iter().enumerate() {
            let value = recoding.value(class as u32, place);
            assert!(rows.iter().all(|&row| value.covers(column, column.codes.get(row as usize))));
        }
    }
    task.table.n_rows - kept.len()
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
    #![proptest_config(ProptestConfig::with_cases(300))]

    #[test]
    fn every_promise_is_kept(
        found in any_table(), asks in asks(), drawn in 1usize..100, fits in 1usize..60,
            seed in any::<u64>(),
        order in prop::sample::select(vec!["gain", "widest"]), tests in any::<bool>(),
        leftovers in prop::sample::select(vec!["none", "keep", "lend"]),
            most in prop::sample::select(vec![0u64, 0, 5]),
    ) {
        let requirements = requirements(&asks);
        let task = Task { seed, max_suppressed: most, ..task(&found.table, &requirements) };
        let call = format!(
            "rothko-sample(sample={drawn}, partition_rows={fits}, split={order}, \
                leftovers={leftovers}, tests={tests})"
        );
        let plain = run(&format!("mondrian(split={order}, leftovers={leftovers})"), &task);
        match run(&call, &task) {
            Ok(recoding) => {
                let suppressed = check_release(&task, recoding.as_ref());
                prop_assert!(suppressed as u64 <= most);
                let again = run(&call, &task).unwrap();
                prop_assert_eq!(classes(again.as_ref()), classes(recoding.as_ref()));
            }
            Err(error) => {
                prop_assert_eq!(error.kind, ErrorKind::Infeasible);
                // Suppressing changes the release that classes are compared with: only what counts
                // does that at the top.
                prop_assert!(plain.is_err() || !requirements.is_count_only() && most > 0);
            }
        }
    }

    #[test]
    fn a_sample_of_everything_is_mondrian(
        found in any_table(), asks in asks(), fits in 1usize..60,
        order in prop::sample::select(vec!["gain", "widest"]),
        leftovers in prop::sample::select(vec!["none", "keep"]),
    ) {
        let requirements = requirements(&asks);
        let task = task(&found.table, &requirements);
        let params = format!("split={order}, leftovers={leftovers}");
        let expected = run(&format!("mondrian({params})"), &task);
        let found = run(&format!(
            "rothko-sample(sample=1000, partition_rows={fits}, {params})"), &task);
        match expected {
            Ok(expected) => {
                prop_assert_eq!(classes(found.unwrap().as_ref()), classes(expected.as_ref()));
            }
            Err(error) => prop_assert_eq!(found.err().map(|error| error.kind), Some(error.kind)),
        }
    }
}

/// Many rows: two ordered columns, a tree with rare leaves, a sensitive column that the first
/// explains.
fn large(n_rows: usize, seed: u64) -> Table {
    let mut random = ChaCha8Rng::seed_from_u64(seed);
    let mut column = |size: u32, skewed: bool| -> Vec<u32> {
        let cell = |_| {
            let x = f64::from(random.next_u32()) / 4294967296.0;
            let x = if skewed { x * x * x } else { x };
            ((x * f64::from(size)) as u32).min(size - 1)
        };
        (0..n_rows).map(cell).collect()
    };
    let (a, b, c, noise) =
        (column(1000, false), column(12, true), column(1200, true), column(3, false));
    let sensitive = a.iter().zip(&noise).map(|(a, noise)| (a / 334 + noise).min(4)).collect();
    let spec = |kind, codes| Spec { kind, weight: 1.0, policy: Missing::Value, codes };
    table(&[spec(Kind::Wide, a), ordered(b, 12), spec(Kind::Large, c)], sensitive, None)
}

/// The partitions of a table, as row counts, and what it took.
fn partitions(
    task: &Task<'_>,
    call: &str,
    limits: Limits,
    alpha: f64,
    first: Option<usize>,
) -> (Vec<u64>, Work) {
    let (frame, tuples) = of_table(task.table);
    let whole = task.whole();
    let call: Call = call.parse().unwrap();
    let algorithm = sfumato_table::algorithms::find(&call.name).unwrap();
    let params = Params::check(algorithm.info(), &call.args).unwrap();
    let bind = |_: &Table| Ok(task.workload.cloned().unwrap_or_default());
    let outline = Outline {
        frame: &frame,
        requirements: task.requirements,
        whole: &whole,
        max_suppressed: 0,
        params: &params,
        workload: task.workload.is_some().then_some(&bind),
        objective: &|table| Objective::ncp(table),
        seed: task.seed,
        books: &Accountant::default(),
        observer: &Unobserved,
    };
    let first = first.map(|n| tuples.columns.iter().map(|words| words[..n].to_vec()).collect());
    let divide = divide_in_memory(frame.columns.len());
    let (partitions, work) = sample(&outline, &limits, alpha, &tuples, &divide, first).unwrap();
    (partitions.iter().map(|partition| partition.tuples.n_rows()).collect(), work)
}

const LIMITS: Limits =
    Limits { partition_rows: 2_000, group_bytes: 1 << 20, max_parts: 64, sample_rows: 1_000 };

#[test]
fn the_data_is_mostly_divided_once() {
    let (table, requirements) = (large(20_000, 1), requirements(&[Ask::People(50)]));
    let task = task(&table, &requirements);
    let (parts, work) = partitions(&task, "rothko-sample", LIMITS, 0.05, None);
    assert_eq!(parts.iter().sum::<u64>(), 20_000);
    assert!(parts.iter().all(|rows| (50..=2_000).contains(rows)), "{parts:?}");
    assert_eq!((work.input_rows, work.nonminimal), (20_000, 0));
    assert!(work.reads() <= 2.5 && work.writes() <= 1.5, "{work:?}");
    // With a sample at hand one pass less.
    let (_, given) = partitions(&task, "rothko-sample", LIMITS, 0.05, Some(1_000));
    assert!(given.reads() <= work.reads() - 0.5, "{given:?}");
}

#[test]
fn few_partitions_at_a_time_are_enough() {
    let (table, requirements) =
        (large(20_000, 2), requirements(&[Ask::People(20), Ask::Distinct(2)]));
    let task = task(&table, &requirements);
    // Of the sensitive column five values and missing are counted.
    for limits in [Limits { max_parts: 4, ..LIMITS }, Limits { group_bytes: 700, ..LIMITS }] {
        let (parts, work) = partitions(&task, "rothko-sample(leftovers=none)", limits, 0.05, None);
        assert!(
            parts.iter().sum::<u64>() == 20_000 && parts.iter().all(|rows| *rows <= 2_000),
            "{parts:?}"
        );
        assert!(work.repartitions > 1 && work.nonminimal == 0, "{work:?}");
    }
}

#[test]
fn without_tests_more_is_undone() {
    let (mut tested, mut naive) = (0, 0);
    for seed in 0..8 {
        let (table, requirements) = (large(20_000, seed), requirements(&[Ask::People(100)]));
        let task = Task { seed, ..task(&table, &requirements) };
        let limits = Limits { partition_rows: 150, sample_rows: 500, max_parts: 4_096, ..LIMITS };
        let call = "rothko-sample(split=widest, leftovers=none, cuts=median)";
        for (alpha, pruned) in [(0.05, &mut tested), (1.0, &mut naive)] {
            let (parts, work) = partitions(&task, call, limits, alpha, None);
            assert!(parts.iter().sum::<u64>() == 20_000 && parts.iter().all(|rows| *rows >= 100));
            *pruned += work.pruned;
        }
    }
    assert!(naive > 4 * tested && naive > 20, "{naive} without tests, {tested} with them");
}

#[test]
fn the_growth_of_the_paper_goes_on_as_long_as_samples_allow() {
    let (table, requirements) = (large(20_000, 4), requirements(&[Ask::People(50)]));
    let task = task(&table, &requirements);
    let [stopping, going_on] = ["memory", "confidence"].map(|growth| {
        let call = format!("rothko-sample(split=widest, leftovers=none, growth={growth})");
        partitions(&task, &call, Limits { max_parts: 4_096, ..LIMITS }, 0.05, None)
    });
    for (parts, work) in [&stopping, &going_on] {
        assert_eq!(parts.iter().sum::<u64>(), 20_000);
        assert!(parts.iter().all(|rows| (50..=2_000).contains(rows)), "{parts:?}");
        assert_eq!(work.nonminimal, 0);
    }
    assert!(going_on.0.len() > 2 * stopping.0.len() && going_on.1.nodes > stopping.1.nodes);
    // Either way the release is the one that Mondrian's promise asks for.
    let call = "rothko-sample(sample=1000, partition_rows=2000, growth=confidence)";
    assert_eq!(check_release(&task, run(call, &task).unwrap().as_ref()), 0);
}

#[test]
fn samples_serve_regression_where_counts_do_not() {
    let (table, requirements) = (large(6_000, 3), requirements(&[Ask::People(20)]));
    // The second quasi column is what will be foretold from the first.
    let target = Target { column: 1, kind: TargetKind::Numbers, features: vec![0], weight: 1.0 };
    let workload = Workload { targets: vec![target], ..Workload::default() };
    let task = Task { workload: Some(&workload), ..task(&table, &requirements) };
    let (parts, work) = partitions(&task, "rothko-sample", LIMITS, 0.05, None);
    assert!(parts.len() > 2 && parts.iter().all(|rows| *rows <= 2_000), "{parts:?}");
    assert_eq!(work.nonminimal, 0);
    let recoding = run("rothko-sample(sample=1000, partition_rows=2000)", &task).unwrap();
    assert_eq!(check_release(&task, recoding.as_ref()), 0);
    // Nothing can be split where nearly all are needed, and frequency groups can't say so.
    let requirements = super::models::requirements(&[Ask::People(5_000)]);
    let task = Task { requirements: &requirements, ..task };
    let (parts, work) = partitions(&task, "rothko-sample", LIMITS, 0.05, None);
    assert_eq!((parts, work.nonminimal), (vec![6_000], 1));
    let recoding = run("rothko-sample(sample=1000, partition_rows=2000)", &task).unwrap();
    assert_eq!((check_release(&task, recoding.as_ref()), recoding.n_classes()), (0, 1));
}

/// The codes of the sensitive column as numbers: their variance must be at least this.
struct Spread(f64);

impl Requirement for Spread {
    fn describe(&self) -> String {
        "spread".into()
    }
    fn model(&self) -> &'static str {
        "spread"
    }
    fn is_monotone(&self) -> bool {
        true
    }
    fn histograms(&self) -> Vec<usize> {
        vec![0]
    }
    fn holds(&self, group: &Summary, release: &Summary) -> bool {
        self.measure(group, release)[0] >= self.0
    }
    fn measures(&self) -> Vec<Measure> {
        vec![Measure { name: "v", required: self.0, direction: Direction::AtLeast }]
    }
    fn measure(&self, group: &Summary, _: &Summary) -> Vec<f64> {
        let histogram = &group.histograms[0];
        let mean = |f: &dyn Fn(f64) -> f64| {
            let sum: f64 =
                histogram.entries().iter().map(|(code, n)| f(f64::from(*code)) * *n as f64).sum();
            sum / histogram.total().max(1) as f64
        };
        let average = mean(&|x| x);
        vec![mean(&|x| (x - average) * (x - average))]
    }
}

#[test]
fn samples_serve_models_about_variance() {
    // The first column explains much of the sensitive one: cutting it makes parts less diverse.
    let table = large(8_000, 5);
    for v in [0.6, 1.2] {
        let requirements = Requirements::new(vec![Box::new(Spread(v)), Box::new(Ask::People(20))]);
        let task = task(&table, &requirements);
        let recoding = run("rothko-sample(sample=1000, partition_rows=1000)", &task).unwrap();
        assert_eq!(check_release(&task, recoding.as_ref()), 0);
        assert!(recoding.n_classes() > 20, "{} classes", recoding.n_classes());
    }
}

#[test]
fn selections_are_those_of_the_table() {
    let (table, requirements) = (large(6_000, 6), requirements(&[Ask::People(20)]));
    let selection =
        Selection { text: String::new(), intervals: vec![Some(300..420), None, None], weight: 1.0 };
    let workload = Workload { selections: vec![selection.clone()], ..Workload::default() };
    let task = Task { workload: Some(&workload), ..task(&table, &requirements) };
    let recoding = run("rothko-sample(sample=1000, partition_rows=1000)", &task).unwrap();
    assert_eq!(check_release(&task, recoding.as_ref()), 0);
    // Classes that are partly selected hold few records: cuts were made where the selection ends.
    let codes: Vec<u32> = table.columns[0].codes.iter().collect();
    let mut sizes = vec![[0u32; 2]; recoding.n_classes()];
    for (row, class) in recoding.class_of_row().iter().enumerate() {
        sizes[*class as usize][usize::from((300..420).contains(&codes[row]))] += 1;
    }
    let mixed: u32 =
        sizes.iter().filter(|[out, inside]| *out > 0 && *inside > 0).map(|[a, b]| a + b).sum();
    assert!(mixed < 200, "{mixed} records in classes that are partly selected");
}

#[test]
fn rare_values_that_were_not_drawn_have_a_place() {
    // A tree of 20 values; the last occurs three times in 4,000.
    let codes: Vec<u32> =
        (0..4_000).map(|row| if row % 1_500 == 7 { 19 } else { row % 18 }).collect();
    let tree = Spec { kind: Kind::Tree(20), weight: 1.0, policy: Missing::Value, codes };
    let table = table(&[tree], (0..4_000).map(|row| row % 5).collect(), None);
    for leftovers in ["none", "keep"] {
        let requirements = requirements(&[Ask::People(10)]);
        let task = task(&table, &requirements);
        let call = format!("rothko-sample(sample=200, partition_rows=500, leftovers={leftovers})");
        let recoding = run(&call, &task).unwrap();
        assert_eq!(check_release(&task, recoding.as_ref()), 0);
        assert_eq!(
            recoding.n_classes() > 10,
            leftovers == "keep",
            "{} classes",
            recoding.n_classes()
        );
    }
}

#[test]
fn relaxed_cuts_are_refused() {
    let (table, requirements) = (large(100, 1), requirements(&[Ask::People(5)]));
    let error = run("rothko-sample(relaxed=true)", &task(&table, &requirements)).err().unwrap();
    assert_eq!(error.kind, ErrorKind::Unsupported);
}
