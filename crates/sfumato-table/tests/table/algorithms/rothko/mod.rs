//! Compares Rothko-T with Mondrian in memory: the same class and the same region for every record.

// Helpers of tests aren't seen as tests, and a panic is how a test fails.
#![allow(clippy::unwrap_used)]

use crate::algorithms::models::{Ask, requirements};
use crate::algorithms::tables::{Kind, Spec, any_table, any_table_of, ordered, table};
use proptest::prelude::*;
use sfumato_core::dataset::{Column, Role, Table};
use sfumato_core::memory::Accountant;
use sfumato_core::observer::{Observer, Unit, Unobserved};
use sfumato_core::recoding::{Recoding, SUPPRESSED, Value};
use sfumato_core::registry::{Call, Params};
use sfumato_core::traits::{Objective, Requirements, Task};
use sfumato_core::workload::{Selection, Target, TargetKind, Workload};
use sfumato_core::{Error, ErrorKind};
use sfumato_io::spill::{Tuples, divide_in_memory};
use sfumato_table::algorithms::rothko::{self, Limits, Outline, Partition, Work};
use sfumato_table::data::tuples::{Frame, of_table};

fn params(call: &str) -> Params {
    let call: Call = call.parse().unwrap();
    Params::check(sfumato_table::algorithms::find(&call.name).unwrap().info(), &call.args).unwrap()
}

/// How a record is published: the first record of its class and the texts of its region. `None` if
/// it is suppressed.
type PublishedRecord = Option<(usize, Vec<String>)>;

/// A value by what it means, in any domain.
fn text(value: Value, column: &Column) -> String {
    match value {
        Value::Range { lo, hi } => {
            format!("{:?}..{:?}", column.domain.key(lo), column.domain.key(hi - 1))
        }
        other => format!("{other:?}"),
    }
}

fn published(recoding: &dyn Recoding, table: &Table, rows: &[usize], all: &mut [PublishedRecord]) {
    let mut first = vec![usize::MAX; recoding.n_classes()];
    for (row, class) in
        rows.iter().zip(recoding.class_of_row()).filter(|(_, class)| **class != SUPPRESSED)
    {
        let first = &mut first[*class as usize];
        *first = (*first).min(*row);
        let texts = table.quasi().into_iter().enumerate();
        let texts = texts.map(|(i, column)| text(recoding.value(*class, i), column)).collect();
        all[*row] = Some((*first, texts));
    }
}

/// The task, without the table.
struct Wanted<'a> {
    requirements: &'a Requirements,
    max_suppressed: u64,
    workload: Option<&'a Workload>,
    params: &'a Params,
}

fn in_memory(table: &Table, wanted: &Wanted<'_>) -> Result<Vec<PublishedRecord>, Error> {
    let objective = Objective::ncp(table);
    let task = Task {
        max_suppressed: wanted.max_suppressed,
        workload: wanted.workload,
        ..Task::new(table, wanted.requirements, &objective)
    };
    let boxes =
        sfumato_table::algorithms::find("mondrian").unwrap().anonymize(wanted.params, &task)?;
    let mut all = vec![None; table.n_rows];
    published(boxes.as_ref(), table, &(0..table.n_rows).collect::<Vec<_>>(), &mut all);
    Ok(all)
}

fn rows_of(tuples: &dyn Tuples, column: usize) -> Vec<usize> {
    let mut rows = Vec::new();
    tuples
        .scan(&[column], &mut |batch| {
            rows.extend(batch.columns[column].iter().map(|row| *row as usize));
            Ok(())
        })
        .unwrap();
    rows
}

/// Run over tuples; the number of each row goes along behind the columns of the frame.
fn over_tuples(
    table: &Table,
    wanted: &Wanted<'_>,
    limits: &Limits,
) -> Result<(Vec<PublishedRecord>, Vec<Partition>, Work), Error> {
    let (frame, mut tuples) = of_table(table);
    let row_column = tuples.columns.len();
    tuples.columns.push((0..table.n_rows as u64).collect());
    let whole = wanted.requirements.tally(table).of_range(0..table.n_rows);
    let bind = |_: &Table| Ok(wanted.workload.cloned().unwrap_or_default());
    let outline = Outline {
        frame: &frame,
        requirements: wanted.requirements,
        whole: &whole,
        max_suppressed: wanted.max_suppressed,
        params: wanted.params,
        workload: Some(&bind),
        objective: &|table| Objective::ncp(table),
        seed: 0,
        books: &Accountant::default(),
        observer: &Unobserved,
    };
    let (partitions, work) =
        rothko::tree(&outline, limits, &tuples, &divide_in_memory(row_column + 1))?;
    let mut all = vec![None; table.n_rows];
    for partition in &partitions {
        let rows = rows_of(partition.tuples.as_ref(), row_column);
        assert!(rows.is_sorted(), "partitions keep the order of their records");
        if !partition.published {
            continue;
        }
        let part = frame.load(partition.tuples.as_ref()).unwrap();
        match &partition.whole_class {
            Some(cells) => {
                assert_eq!(cells.len(), table.quasi().len());
                let region = whole_region(&frame, &part, cells);
                rows.iter().for_each(|row| all[*row] = Some((rows[0], region.clone())));
            }
            None => {
                assert!(rows.len() as u64 <= limits.partition_rows);
                let stored = serde_json::to_string(&partition.above).unwrap();
                let above = serde_json::from_str(&stored).unwrap();
                let boxes = rothko::finish(&outline, &part, &above)?;
                published(&boxes, &part, &rows, &mut all);
            }
        }
    }
    Ok((all, partitions, work))
}

/// The texts of a class that is given by words.
fn whole_region(frame: &Frame, part: &Table, cells: &[rothko::Words]) -> Vec<String> {
    let columns = frame.quasi().into_iter().zip(part.quasi()).zip(cells);
    let value = |((place, column), words): ((usize, &Column), &rothko::Words)| {
        let missing = frame.columns[place].axis().missing();
        let code = |word: u64| match frame.columns[place].cells {
            _ if word == missing => column.domain.missing(),
            sfumato_table::data::tuples::Cells::Keys { least, .. } => {
                let key = least.wrapping_add_unsigned(word);
                column.domain.keys.binary_search(&key).unwrap() as u32
            }
            _ => word as u32,
        };
        let (min, max) = (code(words.min), code(words.max));
        let with_missing = max == column.domain.missing();
        let end = if with_missing { max } else { max + 1 };
        text(Value::covering(column, min, end, with_missing), column)
    };
    columns.map(value).collect()
}

fn asks() -> impl Strategy<Value = Vec<Ask>> {
    prop_oneof![
        3 => (1u64..8).prop_map(|k| vec![Ask::People(k)]),
        1 => (1u64..5, 1usize..4).prop_map(|(k, l)| vec![Ask::People(k), Ask::Distinct(l)]),
        1 => (1u64..5, 0.3f64..1.0).prop_map(|(k, share)| vec![Ask::People(k), Ask::Share(share)]),
        1 => (0.05f64..0.6).prop_map(|t| vec![Ask::Near(t)]),
        1 => (1u64..4).prop_map(|k| vec![Ask::People(k), Ask::Even]),
        1 => (1u64..4, 3u64..60).prop_map(|(k, most)| vec![Ask::People(k), Ask::AtMost(most)]),
    ]
}

fn call() -> impl Strategy<Value = String> {
    let choice = |words: &[&'static str]| prop::sample::select(words.to_vec());
    (
        choice(&["widest", "gain"]),
        choice(&["none", "keep", "lend"]),
        choice(&["median", "quantiles"]),
        any::<bool>(),
        choice(&["0", "0.05", "0.3"]),
    )
        .prop_map(|(split, leftovers, cuts, significant, min_gain)| {
            format!(
                "mondrian(split={split}, leftovers={leftovers}, cuts={cuts}, \
                    significant={significant}, min_gain={min_gain})"
            )
        })
}

fn limits() -> impl Strategy<Value = Limits> {
    let bytes = prop::sample::select(vec![1, 2_000, 40_000, 1 << 30]);
    (1u64..40, bytes, 2usize..6).prop_map(|(partition_rows, group_bytes, max_parts)| Limits {
        partition_rows,
        group_bytes,
        max_parts,
        sample_rows: partition_rows,
    })
}

/// Add a column of classes that depends somewhat on the first quasi column, and a workload that
/// wants them kept apart.
fn add_classes(
    table: &mut Table,
    n_classes: usize,
    noise: u64,
    projection: Option<usize>,
    classes: bool,
) -> Workload {
    let quasi: Vec<usize> =
        (0..table.columns.len()).filter(|c| table.columns[*c].role == Role::Quasi).collect();
    let first = table.columns[quasi[0]].codes.clone();
    let draw = |row: usize| {
        noise.wrapping_add(row as u64 + 1).wrapping_mul(0x9E37_79B9_7F4A_7C15).rotate_left(29) >> 40
    };
    let code = |row: usize| {
        ((u64::from(first.get(row)) / 2 + draw(row) % 3) % (n_classes as u64 + 1)) as u32
    };
    let spec = ordered((0..table.n_rows).map(code).collect(), n_classes);
    table.columns.push(crate::algorithms::tables::column("class", Role::Keep, &spec));
    let target = Target {
        column: table.columns.len() - 1,
        kind: TargetKind::Classes,
        features: quasi
            .iter()
            .copied()
            .skip(usize::from(noise.is_multiple_of(4) && quasi.len() > 1))
            .collect(),
        weight: 1.0,
    };
    Workload {
        targets: if classes { vec![target] } else { Vec::new() },
        projections: projection
            .into_iter()
            .map(|quasi_place| vec![quasi_place % quasi.len()])
            .collect(),
        ..Workload::default()
    }
}

fn compare(table: &Table, wanted: &Wanted<'_>, limits: &Limits) -> Result<(), TestCaseError> {
    // Under models beyond counts nothing is suppressed.
    let budget = if wanted.requirements.is_count_only() { wanted.max_suppressed } else { 0 };
    let expected = in_memory(table, &Wanted { max_suppressed: budget, ..*wanted });
    match (over_tuples(table, wanted, limits), expected) {
        (Ok((found, partitions, work)), Ok(expected)) => {
            prop_assert_eq!(found, expected);
            let rows: u64 = partitions.iter().map(|partition| partition.tuples.n_rows()).sum();
            prop_assert_eq!(rows, table.n_rows as u64);
            prop_assert!(work.rows_written >= rows || rows == 0);
        }
        (Err(found), Err(expected)) => {
            prop_assert_eq!(found.kind, ErrorKind::Infeasible);
            prop_assert_eq!(expected.kind, ErrorKind::Infeasible);
        }
        (found, expected) => {
            prop_assert!(false, "found {:?}, expected {:?}", found.map(|found| found.0), expected);
        }
    }
    Ok(())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(300))]

    #[test]
    fn the_entry_of_the_registry_equals_mondrian(sample in any_table(), asks in asks(),
        partition_rows in 1u64..60) {
        let (table, requirements) = (sample.table, requirements(&asks));
        let objective = Objective::ncp(&table);
        let task = Task::new(&table, &requirements, &objective);
        let run = |call: &str| {
            let algorithm =
                sfumato_table::algorithms::find(call.split('(').next().unwrap()).unwrap();
            algorithm.anonymize(&params(call), &task)
        };
        let found = run(&format!("rothko-tree(partition_rows={partition_rows})"));
        match (found, run("mondrian")) {
            (Ok(found), Ok(expected)) => {
                prop_assert_eq!(found.class_of_row(), expected.class_of_row());
                for class in 0..expected.n_classes() as u32 {
                    for quasi in 0..expected.n_columns() {
                        prop_assert_eq!(found.value(class, quasi), expected.value(class, quasi));
                    }
                }
            }
            (found, expected) =>
                prop_assert_eq!(found.err().unwrap().kind, expected.err().unwrap().kind),
        }
    }

    #[test]
    fn equals_mondrian(
        sample in any_table_of(1..200), asks in asks(), call in call(), limits in limits(),
            share in 0u64..5, suppresses: bool,
    ) {
        let (table, requirements, params) = (sample.table, requirements(&asks), params(&call));
        let max_suppressed = if suppresses { table.n_rows as u64 * share / 10 } else { 0 };
        let wanted =
            Wanted { requirements: &requirements, max_suppressed, workload: None, params: &params };
        compare(&table, &wanted, &limits)?;
    }

    #[test]
    fn equals_mondrian_with_a_workload(
        sample in any_table_of(1..160), asks in asks(), call in call(), limits in limits(),
            suppresses: bool,
        noise in any::<u64>(), n_classes in prop::sample::select(vec![1usize, 2, 2, 5, 12]),
        projection in prop::option::of(0usize..4), classes in prop::bool::weighted(0.9),
    ) {
        let (mut table, requirements, params) = (sample.table, requirements(&asks), params(&call));
        let workload = add_classes(&mut table, n_classes, noise, projection, classes);
        let max_suppressed = if suppresses { table.n_rows as u64 / 5 } else { 0 };
        let wanted =
            Wanted { requirements: &requirements, max_suppressed, workload: Some(&workload),
                params: &params };
        compare(&table, &wanted, &limits)?;
    }
}

fn tiny(partition_rows: u64) -> Limits {
    Limits { partition_rows, group_bytes: 1, max_parts: 2, sample_rows: 1 }
}

fn flat(codes: Vec<u32>, size: usize) -> Spec {
    Spec { kind: Kind::Flat(size), ..ordered(codes, size) }
}

#[test]
fn a_class_larger_than_a_partition_is_published_as_it_is() {
    let table = table(&[ordered(vec![3; 100], 9), flat(vec![1; 100], 4)], vec![0; 100], None);
    let (requirements, params) = (requirements(&[Ask::People(2)]), params("mondrian"));
    let wanted =
        Wanted { requirements: &requirements, max_suppressed: 0, workload: None, params: &params };
    let (found, partitions, _) = over_tuples(&table, &wanted, &tiny(10)).unwrap();
    assert_eq!(partitions.len(), 1);
    assert_eq!(partitions[0].whole_class.as_ref().unwrap()[1], rothko::Words { min: 1, max: 1 });
    assert_eq!(found, in_memory(&table, &wanted).unwrap());
}

#[test]
fn a_table_without_rows_is_one_empty_partition() {
    let table = table(&[ordered(Vec::new(), 9)], Vec::new(), None);
    let (requirements, params) = (requirements(&[Ask::People(1)]), params("mondrian"));
    let wanted =
        Wanted { requirements: &requirements, max_suppressed: 0, workload: None, params: &params };
    let (found, partitions, work) = over_tuples(&table, &wanted, &tiny(10)).unwrap();
    assert_eq!((found.len(), partitions.len(), work.nodes), (0, 1, 0));
}

/// Rows of which two are of a rare child: others have to be lent to them.
fn rare_child(subject: Option<Vec<u32>>) -> Table {
    let child = |row: u32| if row < 2 { 2 } else { row % 2 };
    let other = |row: u32| (row * 7) % 23;
    table(
        &[flat((0..120).map(child).collect(), 3), ordered((0..120).map(other).collect(), 23)],
        (0..120).map(|row| row % 5).collect(),
        subject,
    )
}

#[test]
fn what_counts_do_not_say_is_asked_for() {
    let params = params("mondrian(leftovers=lend)");
    for (asks, subject) in [
        (vec![Ask::People(5)], None),
        (vec![Ask::People(5), Ask::Distinct(2)], None),
        (vec![Ask::People(5)], Some((0..120).map(|row| row / 3).collect())),
        (vec![Ask::People(5), Ask::Distinct(2)], Some((0..120).map(|row| row / 3).collect())),
    ] {
        let (table, requirements) = (rare_child(subject), requirements(&asks));
        let wanted = Wanted {
            requirements: &requirements,
            max_suppressed: 0,
            workload: None,
            params: &params,
        };
        let (found, _, work) = over_tuples(&table, &wanted, &tiny(20)).unwrap();
        assert!(work.questions > 0, "{asks:?}");
        assert_eq!(found, in_memory(&table, &wanted).unwrap());
    }
}

#[test]
fn reads_and_writes_are_those_foreseen() {
    // 1,024 different numbers in any order, halved again and again.
    let codes = (0..1024u32).map(|row| row * 389 % 1024).collect();
    let table = table(&[ordered(codes, 1024)], vec![0; 1024], None);
    let (requirements, params) = (
        requirements(&[Ask::People(2)]),
        params("mondrian(split=widest, leftovers=none, cuts=median)"),
    );
    let wanted =
        Wanted { requirements: &requirements, max_suppressed: 0, workload: None, params: &params };
    for (groups, group_bytes) in [(1, 1), (1024, 1 << 30)] {
        let limits = Limits { partition_rows: 64, group_bytes, max_parts: 64, sample_rows: 64 };
        let (_, partitions, work) = over_tuples(&table, &wanted, &limits).unwrap();
        let scale = rothko::Scale { rows: 1024, partition_rows: 64, groups, k: 2, alpha: 0.05 };
        let forecast = rothko::predict(&scale);
        assert_eq!((forecast.height, partitions.len()), (4, 16));
        assert_eq!(work.writes(), forecast.writes_tree as f64);
        // The partitions are yet to be read to finish them.
        assert_eq!(work.reads() + 1.0, forecast.reads_tree as f64);
    }
}

#[test]
fn what_counts_cannot_decide_is_refused() {
    let mut table = rare_child(None);
    let classes = add_classes(&mut table, 2, 7, None, true);
    let target = classes.targets[0].clone();
    let of = |targets: Vec<Target>| Workload { targets, ..Workload::default() };
    let sensitive = table.columns.len() - 2;
    let selection =
        Selection { text: String::new(), intervals: vec![None, Some(1..4)], weight: 1.0 };
    let workloads = [
        of(vec![Target { kind: TargetKind::Numbers, ..target.clone() }]),
        of(vec![target.clone(), target.clone()]),
        of(vec![Target { features: vec![0, sensitive], ..target.clone() }]),
        of(vec![Target { column: 1, features: vec![0], ..target.clone() }]),
        Workload { selections: vec![selection], ..Workload::default() },
    ];
    let requirements = requirements(&[Ask::People(2)]);
    let refused = |workload: Option<&Workload>, call: &str| {
        let wanted = Wanted {
            requirements: &requirements,
            max_suppressed: 0,
            workload,
            params: &params(call),
        };
        over_tuples(&table, &wanted, &tiny(10))
            .err()
            .map(|error| (error.kind, error.hint.is_some()))
    };
    for workload in &workloads {
        assert_eq!(
            refused(Some(workload), "mondrian"),
            Some((ErrorKind::Unsupported, true)),
            "{workload:?}"
        );
        assert_eq!(refused(Some(workload), "mondrian(workload=false)"), None);
    }
    assert_eq!(refused(Some(&classes), "mondrian"), None);
    for call in ["mondrian(relaxed=true)", "mondrian(tighten=false)"] {
        assert_eq!(refused(None, call), Some((ErrorKind::Unsupported, true)));
    }
}

/// Asks to stop at once.
struct Impatient;

impl Observer for Impatient {
    fn begin(&self, _: &str, _: u64, _: Unit) {}
    fn advance(&self, _: u64) {}
    fn end(&self) {}
    fn cancelled(&self) -> bool {
        true
    }
}

#[test]
fn a_stop_is_heard() {
    let (table, requirements, params) =
        (rare_child(None), requirements(&[Ask::People(2)]), params("mondrian"));
    let (frame, tuples) = of_table(&table);
    let whole = requirements.tally(&table).of_range(0..table.n_rows);
    let outline = Outline {
        frame: &frame,
        requirements: &requirements,
        whole: &whole,
        max_suppressed: 0,
        params: &params,
        workload: None,
        objective: &|table| Objective::ncp(table),
        seed: 0,
        books: &Accountant::default(),
        observer: &Impatient,
    };
    let divide = divide_in_memory(frame.columns.len());
    let stopped = rothko::tree(&outline, &tiny(10), &tuples, &divide).err().unwrap();
    assert_eq!(stopped.kind, ErrorKind::Cancelled);
}
