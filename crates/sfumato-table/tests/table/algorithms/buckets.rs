//! Properties of every algorithm that makes buckets: groups hold, are the same for a seed, and are
//! found if there are any.

// Helpers of tests aren't seen as tests, and a panic is how a test fails.
#![allow(clippy::unwrap_used)]

#[allow(dead_code)]
use crate::algorithms::models::{Ask, requirements};
use proptest::prelude::*;
use sfumato_core::column::Codes;
use sfumato_core::dataset::{Column, Domain, Missing, Role, Table, ValueKind};
use sfumato_core::recoding::{Recoding, SUPPRESSED};
use sfumato_core::registry::{Call, Params};
use sfumato_core::traits::{Objective, Task};
use sfumato_core::{Error, ErrorKind};

/// A table of a quasi column and sensitive numbers from 0 to 8; 9 is missing.
fn table(sensitive: &[u32]) -> Table {
    let column = |name: &str, role: Role, codes: Vec<u32>| Column {
        name: name.into(),
        role,
        codes: Codes::from_iter(10, codes.into_iter()),
        domain: Domain {
            kind: ValueKind::Integer,
            labels: (0..9).map(|n| n.to_string()).collect(),
            keys: (0..9).collect(),
        },
        hierarchy: None,
        weight: 1.0,
        missing: Missing::Value,
        missing_text: "?".into(),
        native_type: None,
    };
    let quasi = (0..sensitive.len() as u32).map(|row| row % 9).collect();
    let columns =
        vec![column("age", Role::Quasi, quasi), column("pay", Role::Sensitive, sensitive.to_vec())];
    Table { n_rows: sensitive.len(), columns, subject: None }
}

fn run(call: &str, asks: &[Ask], table: &Table, seed: u64) -> Result<Vec<Vec<u32>>, Error> {
    let call: Call = call.parse().unwrap();
    let algorithm = sfumato_table::algorithms::find(&call.name).unwrap();
    assert!(algorithm.info().capabilities.makes_buckets);
    let (requirements, objective) = (requirements(asks), Objective::ncp(table));
    let task = Task { seed, ..Task::new(table, &requirements, &objective) };
    let params = Params::check(algorithm.info(), &call.args).unwrap();
    let buckets: Box<dyn Recoding> = algorithm.anonymize(&params, &task)?;
    assert!(buckets.is_exact() && buckets.n_columns() == 0);
    let mut groups = vec![Vec::new(); buckets.n_classes()];
    for (row, group) in buckets.class_of_row().iter().enumerate() {
        assert_ne!(*group, SUPPRESSED, "nobody is left out");
        groups[*group as usize].push(row as u32);
    }
    let (tally, whole) = (task.tally(), task.whole());
    assert!(
        groups.iter().all(|rows| requirements.holds(&tally.of_rows(rows), &whole)),
        "a group fails"
    );
    Ok(groups)
}

fn values(sensitive: &[u32], group: &[u32]) -> Vec<u32> {
    let mut values: Vec<u32> = group.iter().map(|row| sensitive[*row as usize]).collect();
    values.sort_unstable();
    values
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(200))]

    /// Groups exist exactly if no value occurs in more than one in l records: any grouping needs
    /// that, and such a grouping is found.
    #[test]
    fn anatomize_finds_groups_wherever_there_are_any(
        sensitive in prop::collection::vec(0u32..10, 1..60), l in 2usize..6, seed: u64,
    ) {
        let table = table(&sensitive);
        let most =
            (0..10).map(|value| sensitive.iter().filter(|v| **v == value).count()).max().unwrap();
        let found = run(&format!("anatomize(l={l})"), &[Ask::Distinct(l)], &table, seed);
        prop_assert_eq!(found.is_ok(), most * l <= sensitive.len(), "{:?}", found);
        match found {
            Ok(groups) => {
                for group in &groups {
                    let mut values = values(&sensitive, group);
                    let n = values.len();
                    values.dedup();
                    prop_assert!(values.len() == n && n >= l, "values of a group differ");
                    prop_assert!(n < 2 * l);
                }
                let again = run(&format!("anatomize(l={l})"), &[Ask::Distinct(l)], &table, seed);
                prop_assert_eq!(again.unwrap(), groups);
            }
            Err(error) => {
                let too_many = (0..10).filter(|v| sensitive.iter().filter(|s| *s == v)
                    .count() > sensitive.len() / l).count();
                prop_assert_eq!(error.kind, ErrorKind::Infeasible);
                prop_assert!(error.message.starts_with(&format!("{too_many} value")), "{}", error);
            }
        }
    }

    /// Without l, the requirements of the models are met or said to be impossible.
    #[test]
    fn anatomize_finds_an_l_by_itself(
        sensitive in prop::collection::vec(0u32..10, 1..60), share in 0.15f64..1.0,
            t in 0.2f64..0.9, seed: u64,
    ) {
        let table = table(&sensitive);
        for ask in [Ask::Share(share), Ask::Near(t)] {
            match run("anatomize", &[ask], &table, seed) {
                Ok(groups) => prop_assert!(groups.iter().all(|group| group.len() >= 2)),
                Err(error) => prop_assert_eq!(error.kind, ErrorKind::Infeasible),
            }
        }
        let most =
            (0..10).map(|value| sensitive.iter().filter(|v| **v == value).count()).max().unwrap();
        let l = (1.0 / share).ceil() as usize;
        // An l that is small enough for the data gives shares of 1 / l at most.
        if most * l.max(2) <= sensitive.len() && (l as f64) >= 1.0 / share {
            let by_hand =
                run(&format!("anatomize(l={})", l.max(2)), &[Ask::Share(share)], &table, seed);
            prop_assert!(by_hand.is_ok(), "{:?}", by_hand);
        }
    }

    /// Groups of neighbours with k numbers over a range of e, wherever all records together have
    /// them.
    #[test]
    fn ke_permutation_groups_neighbours(
        sensitive in prop::collection::vec(0u32..10, 1..60), k in 1usize..5, e in 0u32..7,
            seed: u64,
    ) {
        let table = table(&sensitive);
        let numbers: Vec<u32> = values(&sensitive, &(0..sensitive.len() as u32)
            .collect::<Vec<_>>()).into_iter().filter(|v| *v < 9).collect();
        let mut distinct = numbers.clone();
        distinct.dedup();
        let range = numbers.last().zip(numbers.first()).map(|(high, low)| high - low);
        let is_possible = distinct.len() >= k && range.is_some_and(|range| range >= e);
        let found = run(&format!("ke-permutation(k={k}, e={e})"), &[Ask::People(1)], &table, seed);
        prop_assert_eq!(found.is_ok(), is_possible, "{:?}", found);
        let Ok(groups) = found else { return Ok(()) };
        let mut ends = Vec::new();
        for group in &groups {
            let mut values: Vec<u32> =
                values(&sensitive, group).into_iter().filter(|v| *v < 9).collect();
            let (low, high) = (values[0], *values.last().unwrap());
            values.dedup();
            prop_assert!(values.len() >= k && high - low >= e);
            ends.push((low, high));
        }
        ends.sort_unstable();
        prop_assert!(ends.windows(2).all(|pair| pair[0].1 <= pair[1].0),
            "groups overlap: {:?}", ends);
        // Another model is kept too, by joining neighbours, where all records together keep it.
        let asks = [Ask::Share(0.5)];
        if requirements(&asks).holds(&whole(&table, &asks), &whole(&table, &asks)) {
            let joined = run(&format!("ke-permutation(k={k}, e={e})"), &asks, &table, seed);
            prop_assert!(joined.is_ok(), "{:?}", joined);
        }
    }
}

fn whole(table: &Table, asks: &[Ask]) -> sfumato_core::group::Summary {
    let (requirements, objective) = (requirements(asks), Objective::ncp(table));
    Task::new(table, &requirements, &objective).whole()
}

#[test]
fn the_example_of_the_book_is_five_pairs() {
    // Hepatitis, Hepatitis, HIV, Hepatitis, HIV, HIV, Flu, Flu, Heart, Heart.
    let sensitive = [0, 0, 1, 0, 1, 1, 2, 2, 3, 3];
    for seed in 0..5 {
        let groups = run("anatomize(l=2)", &[Ask::Distinct(2)], &table(&sensitive), seed).unwrap();
        assert_eq!(groups.iter().map(Vec::len).collect::<Vec<_>>(), [2; 5]);
    }
}

#[test]
fn what_cannot_be_grouped_is_said() {
    let message = |call: &str, table: &Table| {
        run(call, &[Ask::Distinct(2)], table, 0).unwrap_err().to_string()
    };
    let numbers = table(&[1, 1, 1, 2]);
    assert_eq!(
        message("anatomize(l=2)", &numbers),
        "1 value is too frequent for l = 2: in column 'pay' each may be in at most 2 of 4 records"
    );
    assert_eq!(message("ke-permutation", &numbers), "ke-permutation needs k and e");
    assert_eq!(
        message("ke-permutation(k=3, e=1)", &numbers),
        "no group can have 3 different numbers over a range of 1: column 'pay' has 2 over a range \
            of 1"
    );
    assert_eq!(
        message("anatomize(on=age)", &numbers),
        "anatomize: 'age' is not a sensitive column"
    );
    let mut words = table(&[1, 2]);
    words.columns[1].domain.kind = ValueKind::Text;
    words.columns[1].domain.keys.clear();
    assert_eq!(
        message("ke-permutation(k=1, e=0)", &words),
        "ke-permutation needs numbers, dates or times; column 'pay' holds text"
    );
    let mut several = table(&[1, 2]);
    several.columns[0].role = Role::Sensitive;
    assert_eq!(
        message("anatomize", &several),
        "anatomize makes groups by one sensitive column, and there are 2"
    );
}
