//! Tests the number of cuts, and the effect of one more split on the classes.

use sfumato_core::column::Codes;
use sfumato_core::dataset::{
    Column, Domain, Hierarchy, LevelTable, Missing, Role, Table, ValueKind,
};
use sfumato_core::traits::{Objective, Requirements, Task};

use super::bound::bound;
use super::items::{Item, Items};
use super::records::Records;
use super::state::State;
use crate::algorithms::shared::testing::People;

fn column(rows: &[&str], codes: &[u32]) -> Column {
    let rows: Vec<Vec<&str>> = rows.iter().map(|row| row.split(';').collect()).collect();
    let (tree, order) = Hierarchy::from_levels(&LevelTable::from_rows(&rows)).unwrap();
    assert!(order.is_sorted());
    Column {
        name: rows[0][0].into(),
        role: Role::Quasi,
        codes: Codes::from_iter(rows.len() + 1, codes.iter().copied()),
        domain: Domain {
            kind: ValueKind::Text,
            labels: rows.iter().map(|row| row[0]).collect(),
            keys: Vec::new(),
        },
        hierarchy: Some(tree),
        weight: 1.0,
        missing: Missing::Value,
        missing_text: String::new(),
        native_type: None,
    }
}

/// The columns Job and Sex of fig. 3.1 of the book, with two records for each combination.
fn job_and_sex() -> Table {
    let job = ["Engineer;Professional", "Lawyer;Professional", "Dancer;Artist", "Writer;Artist"];
    let codes = |of: fn(u32) -> u32| (0..16).map(of).collect::<Vec<u32>>();
    let columns = vec![
        column(&job, &codes(|row| row % 4)),
        column(&["Male", "Female"], &codes(|row| row / 4 % 2)),
    ];
    Table { n_rows: 16, columns, subject: None }
}

/// All sets of splits that contain everything that their splits need.
fn all_sets(records: &Records<'_>) -> Vec<Items> {
    let n = records.choices.len();
    let set = |bits: u32| {
        let mut items = Items::none(n);
        (0..n as Item).filter(|item| bits >> item & 1 == 1).for_each(|item| items.insert(item));
        items
    };
    let is_cut = |items: &Items| {
        let mut repaired = items.clone();
        records.choices.repair(&mut repaired, 0..n as Item);
        repaired == *items
    };
    (0..1 << n).map(set).filter(is_cut).collect()
}

#[test]
fn job_has_five_cuts_and_job_with_sex_ten() {
    let table = job_and_sex();
    let requirements = Requirements::new(vec![Box::new(People(1))]);
    let objective = Objective::ncp(&table);
    let records = Records::new(&Task::new(&table, &requirements, &objective), 0);
    assert_eq!(all_sets(&records).len(), 10);
    let sets = all_sets(&records);
    let mut cuts: Vec<_> =
        sets.iter().map(|on| format!("{:?}", records.choices.cuts(on)[0])).collect();
    cuts.sort();
    cuts.dedup();
    assert_eq!(cuts.len(), 5);
}

#[test]
fn a_state_is_the_same_step_by_step_and_from_scratch_and_bounds_are_below_all_between() {
    let table = job_and_sex();
    for (k, most) in [(3, 0), (3, 6), (5, 0)] {
        let requirements = Requirements::new(vec![Box::new(People(k))]);
        for which in 0..2 {
            let objective = match which {
                0 => Objective::ncp(&table),
                _ => Objective::of_classes("squares", |rows| (rows * rows) as f64, 16.0),
            };
            let records = Records::new(&Task::new(&table, &requirements, &objective), most);
            let sets = all_sets(&records);
            for head in &sets {
                let mut state = State::new(&records, &Items::none(records.choices.len()));
                for item in head.iter() {
                    state = state.with(&records, item);
                }
                let scratch = State::new(&records, head).outcome(&records);
                for other in [state.outcome(&records), records.evaluate(head)] {
                    assert_eq!(other.excess, scratch.excess);
                    assert!((other.cost - scratch.cost).abs() < 1e-9);
                }
                let holds = |a: &Items, b: &Items| b.minus(a).count() == 0;
                for finest in sets.iter().filter(|finest| holds(finest, head)) {
                    let least = bound(&records, &state, finest).total;
                    for between in sets.iter().filter(|set| holds(finest, set) && holds(set, head))
                    {
                        let outcome = records.evaluate(between);
                        assert!(!outcome.is_feasible() || outcome.cost >= least - 1e-9);
                    }
                }
            }
        }
    }
}
