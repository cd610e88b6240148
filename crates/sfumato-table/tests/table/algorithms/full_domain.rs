//! The searches over the lattice against every node looked at one by one, with code of its own:
//! 1,000 random small tables, models and objectives.

// Helpers of tests aren't seen as tests, and a panic is how a test fails.
#![allow(clippy::unwrap_used)]

use crate::algorithms::models::{Ask, requirements};
use crate::algorithms::tables::{Kind, Spec, table};
use proptest::prelude::*;
use sfumato_core::dataset::{Role, Table};
use sfumato_core::recoding::{Cut, Cuts, Recoding, SUPPRESSED, Value};
use sfumato_core::registry::Params;
use sfumato_core::traits::{Join, Objective, Requirements, Task};
use sfumato_core::{Error, ErrorKind, FastMap};

fn run(name: &str, task: &Task<'_>) -> Result<Box<dyn Recoding>, Error> {
    let algorithm = sfumato_table::algorithms::find(name).unwrap();
    algorithm.anonymize(&Params::check(algorithm.info(), &Default::default()).unwrap(), task)
}

/// A table of two or three columns with trees, so that all nodes can be listed.
fn small_table() -> impl Strategy<Value = Table> {
    let kind = prop_oneof![(2usize..5).prop_map(Kind::Flat), (4usize..13).prop_map(Kind::Tree)];
    (2usize..4, 4usize..28).prop_flat_map(move |(columns, rows)| {
        let spec = (kind.clone(), prop::sample::select(vec![0.5, 1.0, 3.0]), any::<bool>())
            .prop_flat_map(move |(kind, weight, missing)| {
                let most = kind.size() as u32 + u32::from(missing);
                prop::collection::vec(0..most, rows).prop_map(move |codes| Spec {
                    kind,
                    weight,
                    policy: sfumato_core::dataset::Missing::Value,
                    codes,
                })
            });
        let subject = prop::option::weighted(0.15, prop::collection::vec(0u32..8, rows));
        (prop::collection::vec(spec, columns), prop::collection::vec(0u32..4, rows), subject)
            .prop_map(|(quasi, sensitive, subject)| table(&quasi, sensitive, subject))
    })
}

fn asks() -> impl Strategy<Value = Vec<Ask>> {
    prop_oneof![
        3 => (1u64..6).prop_map(|k| vec![Ask::People(k)]),
        1 => (1u64..4, 1usize..4).prop_map(|(k, l)| vec![Ask::People(k), Ask::Distinct(l)]),
        1 => (1u64..4, 0.3f64..1.0).prop_map(|(k, share)| vec![Ask::People(k), Ask::Share(share)]),
        1 => (0.05f64..0.6).prop_map(|t| vec![Ask::Near(t)]),
        1 => (1u64..4, 3u64..30).prop_map(|(k, most)| vec![Ask::People(k), Ask::AtMost(most)]),
    ]
}

/// An objective of every form: cells, cells multiplied, classes, and one under which a coarser
/// level may be cheaper.
fn objective(table: &Table, which: u8) -> Objective<'_> {
    let quasi = table.quasi();
    let n = quasi.len();
    match which {
        0 => Objective::ncp(table),
        1 => Objective::of_cells("product", Join::Product, n, move |i, value| {
            f64::from(value.leaves(quasi[i]).max(1))
        }),
        2 => Objective::of_classes("squares", |rows| (rows * rows) as f64, table.n_rows as f64),
        3 => Objective::of_classes("classes", |_| -1.0, 1.0),
        _ => Objective::of_cells("uneven", Join::Sum, n, move |i, value| {
            match value.level(quasi[i]) {
                level if level % 2 == 1 => 0.2 + i as f64 / 10.0,
                level => level as f64,
            }
        }),
    }
}

/// All nodes: for each column what each of its levels publishes, from the tree alone.
fn all_cuts(table: &Table) -> Vec<Vec<Cut>> {
    let mut nodes: Vec<Vec<Cut>> = vec![Vec::new()];
    for column in table.quasi() {
        let tree = column.hierarchy.as_ref().unwrap();
        let missing = column.codes.iter().any(|code| code == column.domain.missing());
        let top = tree.n_levels() - 1;
        let cut = |level: usize| {
            let value = |code| match (level == top, missing) {
                (true, true) => Value::Any,
                _ => Value::Node(tree.ancestor(code, level)),
            };
            let absent = if level == top && missing { Value::Any } else { Value::Missing };
            Cut::new((0..column.domain.missing()).map(value).chain([absent]))
        };
        nodes = nodes
            .iter()
            .flat_map(|node| (0..=top).map(move |level| [node.as_slice(), &[cut(level)]].concat()))
            .collect();
    }
    nodes
}

/// Publish cuts by the simplest means. `None` if more would have to be suppressed than allowed.
fn published(task: &Task<'_>, cuts: &[Cut]) -> Option<Cuts> {
    let quasi = task.table.quasi();
    let mut groups: FastMap<Vec<u32>, Vec<u32>> = FastMap::default();
    for row in 0..task.table.n_rows {
        let key = quasi
            .iter()
            .zip(cuts)
            .map(|(column, cut)| cut.of_code()[column.codes.get(row) as usize]);
        groups.entry(key.collect()).or_default().push(row as u32);
    }
    let mut groups: Vec<(Vec<u32>, Vec<u32>)> = groups.into_iter().collect();
    groups.sort();
    let tally = task.tally();
    loop {
        let kept: Vec<u32> = groups.iter().flat_map(|(_, rows)| rows).copied().collect();
        let release = tally.of_rows(&kept);
        let before = groups.len();
        groups.retain(|(_, rows)| task.requirements.holds(&tally.of_rows(rows), &release));
        if groups.len() == before {
            break;
        }
    }
    let mut class_of_row = vec![SUPPRESSED; task.table.n_rows];
    for (class, (_, rows)) in groups.iter().enumerate() {
        rows.iter().for_each(|&row| class_of_row[row as usize] = class as u32);
    }
    let suppressed = class_of_row.iter().filter(|class| **class == SUPPRESSED).count() as u64;
    let of_class =
        (0..cuts.len()).map(|c| groups.iter().map(|(key, _)| key[c]).collect()).collect();
    let fits = suppressed <= task.max_suppressed && !groups.is_empty();
    fits.then(|| Cuts::new(cuts.to_vec(), of_class, class_of_row).unwrap())
}

fn close(a: f64, b: f64) -> bool {
    (a - b).abs() <= 1e-6 * (1.0 + a.abs().max(b.abs()))
}

fn check(task: &Task<'_>, requirements: &Requirements) -> Result<(), TestCaseError> {
    let nodes = all_cuts(task.table);
    let found: Vec<Cuts> = nodes.iter().filter_map(|cuts| published(task, cuts)).collect();
    let total = |recoding: &dyn Recoding| task.objective.total(task.table, recoding);
    let least = found.iter().map(|cuts| total(cuts)).fold(f64::INFINITY, f64::min);
    for name in ["full-domain", "mingen"] {
        match run(name, task) {
            Ok(recoding) => prop_assert!(
                close(total(recoding.as_ref()), least),
                "{name}: {} instead of {least}",
                total(recoding.as_ref())
            ),
            Err(error) => {
                prop_assert!(
                    error.kind == ErrorKind::Infeasible && found.is_empty(),
                    "{name}: {error}"
                )
            }
        }
    }
    let monotone = requirements.is_absorbing()
        || (task.max_suppressed == 0 && requirements.is_monotone() && task.table.subject.is_none());
    match run("incognito", task) {
        Ok(recoding) => {
            prop_assert!(close(total(recoding.as_ref()), least), "incognito");
            let count = recoding
                .findings()
                .iter()
                .find(|finding| finding.name == "publishable_nodes")
                .unwrap();
            prop_assert_eq!(count.value as usize, found.len());
        }
        Err(error) if error.kind == ErrorKind::Unsupported => prop_assert!(!monotone, "{error}"),
        Err(_) => prop_assert!(found.is_empty()),
    }
    // The lowest height at which something may be published, counted by levels of the trees.
    let height = |cuts: &[Cut]| -> usize {
        let level =
            |(column, cut): (&&sfumato_core::dataset::Column, &Cut)| cut.value(0).level(column);
        task.table.quasi().iter().zip(cuts).map(level).sum()
    };
    match run("samarati", task) {
        Ok(recoding) => {
            let lowest = found.iter().map(|cuts| height(cuts.cuts().unwrap())).min().unwrap();
            prop_assert_eq!(height(recoding.cuts().unwrap()), lowest);
        }
        Err(error) if error.kind == ErrorKind::Unsupported => prop_assert!(!monotone, "{error}"),
        Err(_) => prop_assert!(found.is_empty()),
    }
    match run("datafly", task) {
        Ok(recoding) => {
            prop_assert!(total(recoding.as_ref()) >= least - 1e-6 * (1.0 + least.abs()))
        }
        Err(error) => {
            prop_assert!(error.kind == ErrorKind::Infeasible && (found.is_empty() || !monotone))
        }
    }
    Ok(())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(1000))]

    #[test]
    fn searches_find_what_looking_at_every_node_finds(
        table in small_table(), asks in asks(), which in 0u8..5,
            share in prop_oneof![Just(0.0f64), 0.0f64..0.6],
    ) {
        let requirements = requirements(&asks);
        let objective = objective(&table, which);
        let max_suppressed = (share * table.n_rows as f64) as u64;
        check(&Task { max_suppressed, ..Task::new(&table, &requirements, &objective) },
            &requirements)?;
    }

    #[test]
    fn a_target_is_kept_together_as_well_as_can_be(
        table in small_table(), k in 1u64..5, suppressed in 0u64..4,
    ) {
        let mut table = table;
        table.subject = None;
        let last = table.columns.len() - 1;
        table.columns[last].role = Role::Target;
        let requirements = requirements(&[Ask::People(k)]);
        let objective = Objective::of_targets("targets", 1.0, 1.0);
        check(&Task { max_suppressed: suppressed, ..Task::new(&table, &requirements, &objective) },
            &requirements)?;
    }
}
