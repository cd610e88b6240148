//! Compares the searches for cuts with a search through all cuts.

use proptest::prelude::*;
use sfumato_core::dataset::{Column, Missing, Role, Table};
use sfumato_core::recoding::{Cut, Value};
use sfumato_core::traits::Task;
use sfumato_table::algorithms::global::shared::publish::publish;
use sfumato_table::algorithms::global::shared::taxonomy::{Node, Taxonomy};

use crate::algorithms::cut_search::{finding, objective, run};
use crate::algorithms::models::{Ask, requirements};
use crate::algorithms::tables::{Kind, Spec, column, ordered, table};

/// All cuts of a tree below a node, as sets of nodes.
fn cuts_below(tree: &Taxonomy, node: Node) -> Vec<Vec<Node>> {
    let mut all = vec![vec![node]];
    if !tree.children(node).is_empty() {
        let mut below: Vec<Vec<Node>> = vec![Vec::new()];
        for &child in tree.children(node) {
            let cuts = cuts_below(tree, child);
            below = below
                .iter()
                .flat_map(|left| cuts.iter().map(move |right| [&left[..], right].concat()))
                .collect();
        }
        all.extend(below);
    }
    all
}

/// All cuts of a column: of its tree, or all ways to part its domain into ranges.
fn all_cuts(column: &Column) -> Vec<Cut> {
    let tree = Taxonomy::new(column);
    if column.hierarchy.is_some() {
        return cuts_below(&tree, Taxonomy::ROOT).iter().map(|nodes| tree.cut(nodes)).collect();
    }
    let n = column.domain.len();
    let missing = column.codes.iter().any(|code| code as usize == n);
    let mut cuts = Vec::new();
    for splits in 0u32..1 << (n - 1) {
        let mut values = Vec::new();
        let mut lo = 0;
        for hi in 1..=n as u32 {
            if hi == n as u32 || splits >> (hi - 1) & 1 == 1 {
                values.extend((lo..hi).map(|_| Value::Range { lo, hi }));
                lo = hi;
            }
        }
        values.push(Value::covering(column, 0, 0, true));
        cuts.push(Cut::new(values));
    }
    if missing {
        cuts.push(Cut::new(vec![Value::Any; n + 1]));
    }
    cuts
}

/// The least cost of any cuts, by trying all.
fn brute_force(task: &Task<'_>) -> Option<f64> {
    let columns: Vec<Vec<Cut>> = task.table.quasi().into_iter().map(all_cuts).collect();
    let n: usize = columns.iter().map(Vec::len).product();
    let mut best: Option<f64> = None;
    for number in 0..n {
        let mut rest = number;
        let pick = |cuts: &Vec<Cut>| {
            let cut = cuts[rest % cuts.len()].clone();
            rest /= cuts.len();
            cut
        };
        let cuts = columns.iter().map(pick).collect();
        if let Ok(recoding) = publish(task, cuts, Vec::new()) {
            let cost = task.objective.total(task.table, &recoding);
            best = Some(best.map_or(cost, |best| best.min(cost)));
        }
    }
    best
}

/// A table with few cuts and a target.
fn few_cuts() -> impl Strategy<Value = (Vec<Spec>, Table)> {
    let kind = prop_oneof![
        (1usize..6).prop_map(Kind::Ordered),
        (1usize..5).prop_map(Kind::Flat),
        (3usize..9).prop_map(Kind::Tree),
    ];
    let rows = prop_oneof![1usize..12, 10usize..40];
    let kinds =
        prop_oneof![prop::collection::vec(kind.clone(), 2), prop::collection::vec(kind, 2..4)];
    (rows, kinds, 1u32..4, 0u32..3, prop::bool::ANY).prop_flat_map(
        |(n, kinds, shape, missing, policy)| {
            let spec = move |(place, kind): (usize, Kind)| {
                let size = kind.size() as u32;
                let cell = (0.0f64..1.0, 0u32..10).prop_map(move |(x, luck)| match luck {
                    0 if missing as usize == place => size,
                    _ => ((x.powi(shape as i32) * f64::from(size)) as u32).min(size - 1),
                });
                let policy = if policy { Missing::Suppressed } else { Missing::Value };
                prop::collection::vec(cell, n).prop_map(move |codes| Spec {
                    kind,
                    policy,
                    weight: 1.0 + place as f64,
                    codes,
                })
            };
            let specs: Vec<_> = kinds.into_iter().enumerate().map(spec).collect();
            let codes = || prop::collection::vec(0u32..3, n);
            (specs, codes(), codes()).prop_map(|(specs, sensitive, target)| {
                let mut made = table(&specs, sensitive, None);
                made.columns.push(column(
                    "t",
                    Role::Target,
                    &Spec { kind: Kind::Flat(3), ..ordered(target, 3) },
                ));
                (specs, made)
            })
        },
    )
}

fn monotone_asks() -> impl Strategy<Value = Vec<Ask>> {
    prop_oneof![
        (1u64..6).prop_map(|k| vec![Ask::People(k)]),
        (1u64..4, 2usize..4).prop_map(|(k, l)| vec![Ask::People(k), Ask::Distinct(l)]),
        (1u64..4, 0.4f64..0.9).prop_map(|(k, share)| vec![Ask::People(k), Ask::Share(share)]),
        (0.1f64..0.5).prop_map(|t| vec![Ask::People(2), Ask::Near(t)]),
    ]
}

/// Check that the release costs as much as the best of all cuts, and says so.
fn is_optimum(task: &Task<'_>, name: &str) {
    let found = run(name, task);
    match (found, brute_force(task)) {
        (Ok(recoding), Some(best)) => {
            let cost = task.objective.total(task.table, recoding.as_ref());
            assert!(
                (cost - best).abs() <= 1e-9 * best.abs().max(1.0),
                "{name}: {cost} instead of {best}"
            );
            assert_eq!(
                (
                    finding(recoding.as_ref(), "proven_optimal"),
                    finding(recoding.as_ref(), "gap_at_most")
                ),
                (1.0, 0.0)
            );
        }
        (Err(_), None) => {}
        (Ok(_), None) => panic!("{name} publishes what can't be"),
        (Err(error), Some(best)) => panic!("{name}: {error}, and {best} is possible"),
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(320))]

    #[test]
    fn searches_find_the_optimum_of_all_cuts(
        (_, table) in few_cuts(), asks in monotone_asks(), most in prop_oneof![Just(0u64), 1u64..8],
            which in 0u8..5,
    ) {
        prop_assume!(table.quasi().iter().map(|column| all_cuts(column).len())
            .product::<usize>() <= 400);
        let requirements = requirements(&asks);
        let objective = objective(&table, which);
        let task = Task { max_suppressed: most, ..Task::new(&table, &requirements, &objective) };
        is_optimum(&task, "k-optimize");
        is_optimum(&Task { max_suppressed: 0, ..task }, "l-plus-optimize");
    }
}
