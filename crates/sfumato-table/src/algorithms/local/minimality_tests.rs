//! What somebody concludes who sees a release, knows the algorithm and enumerates all that may have
//! been published: Tables 5.5 to 5.7 of the textbook.

use sfumato_core::column::Codes;
use sfumato_core::dataset::{Column, Domain, Missing, Role, Table, ValueKind};
use sfumato_core::registry::{Call, Params};
use sfumato_core::traits::{Objective, Task};

use crate::algorithms::find;
use crate::forms::generalized::make_plan::{bind_models, bind_table};

const BOUND: &str = "confidence-bounding(h=0.6, values=[HIV], on=disease)";

fn column(name: &str, role: Role, domain: Domain, codes: Vec<u32>) -> Column {
    Column {
        name: name.into(),
        role,
        codes: Codes::U32(codes),
        domain,
        hierarchy: None,
        weight: 1.0,
        missing: Missing::Value,
        missing_text: String::new(),
        native_type: None,
    }
}

/// Two engineers and five lawyers, of whom two have HIV.
fn people(sick: [usize; 2]) -> Table {
    let labels = ["1", "2"].into_iter().collect();
    let jobs = Domain { kind: ValueKind::Integer, labels, keys: vec![1, 2] };
    let jobs = column("job", Role::Quasi, jobs, vec![0, 0, 1, 1, 1, 1, 1]);
    let has = (0..7).map(|person| u32::from(sick.contains(&person))).collect();
    let disease = column("disease", Role::Sensitive, Domain::of_texts(["Flu", "HIV"]), has);
    Table { n_rows: 7, columns: vec![jobs, disease], subject: None }
}

/// How many classes there are, over so many random choices.
fn classes(table: &Table, model: &str, call: &str, runs: u8) -> Vec<usize> {
    let requirements = bind_models(&[model.to_string()], &bind_table(table)).unwrap();
    let objective = Objective::ncp(table);
    let call: Call = call.parse().unwrap();
    let algorithm = find(&call.name).unwrap();
    let params = Params::check(algorithm.info(), &call.args).unwrap();
    let published = |run: u8| {
        let task = Task { key: [run; 32], ..Task::new(table, &requirements, &objective) };
        let found = algorithm.anonymize(&params, &task).unwrap();
        let mut of_rows = found.class_of_row().to_vec();
        of_rows.sort_unstable();
        of_rows.dedup();
        of_rows.len()
    };
    (0..runs).map(published).collect()
}

/// What somebody believes who sees that all are one class and has no reason to take one pair of
/// people to be sick rather than another: that it is the engineers.
fn belief(call: &str, runs: u8) -> f64 {
    let (mut both, mut all) = (0.0, 0.0);
    for first in 0..7 {
        for second in first + 1..7 {
            let found = classes(&people([first, second]), BOUND, call, runs);
            let chance = found.iter().filter(|n| **n == 1).count() as f64 / found.len() as f64;
            all += chance;
            both += if second == 1 { chance } else { 0.0 };
        }
    }
    both / all
}

#[test]
fn engineers_do_not_have_hiv_for_certain() {
    // The model allows 60 %. Whoever knows that only what breaks it stays together is certain.
    for minimal in ["mondrian(leftovers=none)", "blind-mondrian(hide=false)"] {
        assert_eq!(belief(minimal, 1), 1.0, "{minimal}");
    }
    assert_eq!(belief("veiled-mondrian(veil=0)", 1), 1.0);
    // Where a size may have been doubled at random, it is one chance in six: 1 of 1 + 20 / 4, since
    // two doublings were needed where nobody broke the model.
    let hidden = belief("blind-mondrian", 40);
    assert!((0.1..0.3).contains(&hidden), "{hidden}");
    // Where a region of seven stops at random with chance 1/7, it is 1 of 1 + 20 / 7.
    let veiled = belief("veiled-mondrian", 40);
    assert!((0.15..0.45).contains(&veiled), "{veiled}");
}

#[test]
fn models_that_count_people_alone_cost_nothing_more() {
    for algorithm in ["blind-mondrian", "veiled-mondrian"] {
        let found = classes(&people([0, 1]), "k-anonymity(k=2)", algorithm, 20);
        assert!(found.iter().all(|n| *n == 2), "{algorithm}");
    }
}
