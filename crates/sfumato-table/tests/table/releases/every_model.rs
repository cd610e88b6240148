//! Every algorithm of the registry with every model: releases hold when they are audited, what
//! can't be met is refused and leaves nothing, and what an algorithm can't serve is refused by
//! name.
#![allow(clippy::unwrap_used)]

use std::path::Path;

use proptest::prelude::*;
use sfumato_core::ErrorKind;
use sfumato_core::observer::Unobserved;
use sfumato_core::registry::{Argument, Call, Info, ParamKind, ParamSpec};
use sfumato_table::Job;
use sfumato_table::audit::TableAuditRequest;
use sfumato_table::job::InputSpec;

use super::audited::holds;

/// A call of a model with moderate parameters, from what it says about them.
pub fn sample_call(info: &Info, qids: &[&str]) -> String {
    let words = |param: &ParamSpec| match param.name {
        "apart" => vec![Argument::List(vec!["age=2 & sex=f".into()])],
        "y" => vec![Argument::List(vec!["3".into()])],
        "qids" => vec![Argument::List(qids.iter().map(|qid| qid.to_string()).collect())],
        _ if param.kind == ParamKind::Text => vec![Argument::Word("cost".into())],
        _ => vec![Argument::List(vec!["2".into()])],
    };
    info.sample_calls(&words)[0].to_string()
}

fn job(folder: &Path, models: &[String], algorithm: &str, suppression: &str) -> Job {
    let models: Vec<String> = models.iter().map(|model| format!("{model:?}")).collect();
    let text = format!(
        r#"
        [input]
        path = "data.csv"
        [columns]
        age = {{ role = "quasi" }}
        town = {{ role = "quasi", hierarchy = {{ file = "town.csv" }} }}
        sex = {{ role = "quasi" }}
        cost = {{ role = "sensitive", accept = true }}
        [privacy]
        models = [{}]
        max_suppression = "{suppression}"
        [recode]
        algorithm = "{algorithm}"
        [output]
        path = "release.csv"
        [run]
        seed = 5
        "#,
        models.join(", ")
    );
    Job::parse(&text, "release.toml", folder).unwrap()
}

/// Rows of age, town (one missing value), sex and cost.
fn rows() -> impl Strategy<Value = Vec<(u8, u8, bool, u8)>> {
    prop::collection::vec((20u8..40, 0u8..6, any::<bool>(), 0u8..12), 12..80)
}

fn write_data(folder: &Path, rows: &[(u8, u8, bool, u8)]) {
    let mut text = String::from("age,town,sex,cost\n");
    for (age, town, sex, cost) in rows {
        let town = ["aa", "ab", "ba", "bb", "bc", ""][*town as usize];
        text +=
            &format!("{age},{town},{},{}\n", if *sex { "f" } else { "m" }, 10 * u32::from(*cost));
    }
    std::fs::write(folder.join("data.csv"), text).unwrap();
    std::fs::write(
        folder.join("town.csv"),
        "aa;a*;*\nab;a*;*\nba;b*;*\nbb;b*;*\nbc;b*;*\ncc;c*;*\n",
    )
    .unwrap();
}

/// Whether an audit finds that models hold; against the original where classes hide nobody.
fn audit_holds(folder: &Path, models: &[String], draws: bool) -> bool {
    let input = |name: &str| InputSpec {
        path: folder.join(name).display().to_string(),
        ..InputSpec::default()
    };
    let tree = Call {
        name: "file".into(),
        args: [("path".to_string(), Argument::Word(folder.join("town.csv").display().to_string()))]
            .into(),
    };
    let request = TableAuditRequest {
        input: input("release.csv"),
        original: draws.then(|| input("data.csv")),
        hierarchies: vec![("town".into(), tree)],
        quasi: ["age", "town", "sex"].map(String::from).to_vec(),
        sensitive: vec!["cost".into()],
        models: models.to_vec(),
        ..TableAuditRequest::default()
    };
    holds(request)
}

// Two properties of two cases each, so that two cores run them side by side. A case runs every
// algorithm with every model, and a soak tries other ones in each of its rounds.
proptest! {
    #![proptest_config(ProptestConfig::with_cases(2))]
    #[test]
    fn every_algorithm_keeps_every_model_it_serves(rows in rows(), relaxed: bool) {
        keeps_what_it_serves(&rows, 0, relaxed)?;
    }

    #[test]
    fn every_algorithm_keeps_every_model_it_serves_and_may_suppress(
        rows in rows(),
        relaxed: bool,
    ) {
        keeps_what_it_serves(&rows, 20, relaxed)?;
    }
}

/// Whether each algorithm keeps each model, or refuses it and leaves nothing.
fn keeps_what_it_serves(
    rows: &[(u8, u8, bool, u8)],
    percent: u32,
    relaxed: bool,
) -> Result<(), TestCaseError> {
    let folder = tempfile::tempdir().unwrap();
    write_data(folder.path(), rows);
    for algorithm in sfumato_table::algorithms::all()
        .iter()
        .filter(|algorithm| !algorithm.info().capabilities.makes_buckets)
    {
        let draws = algorithm.info().capabilities.draws;
        let has_relaxed = algorithm.info().params.iter().any(|param| param.name == "relaxed");
        let algorithm = match (relaxed, has_relaxed) {
            (true, true) => format!("{}(relaxed=true)", algorithm.info().name),
            _ => algorithm.info().name.to_string(),
        };
        for model in sfumato_table::models::ALL {
            let mut models = vec![sample_call(model.info(), &["age+town", "sex"])];
            // Whoever makes classes keeps them large besides.
            if !draws {
                models.insert(0, "k-anonymity(k=2)".into());
            }
            let job = job(folder.path(), &models, &algorithm, &format!("{percent}%"));
            let release = folder.path().join("release.csv");
            match sfumato_table::run(&job, &Unobserved) {
                Ok(report) => {
                    prop_assert!(report.guarantees.iter().all(|guarantee| guarantee.holds));
                    let suppressed = report.suppressed.records as usize;
                    prop_assert!(suppressed * 100 <= rows.len() * percent as usize);
                    prop_assert!(
                        audit_holds(folder.path(), &models, draws),
                        "{algorithm} {models:?}"
                    );
                    std::fs::remove_file(&release).unwrap();
                }
                Err(error) => {
                    let refused =
                        matches!(error.kind, ErrorKind::Infeasible | ErrorKind::Unsupported);
                    prop_assert!(refused, "{algorithm} {models:?}: {error}");
                    prop_assert!(!release.exists());
                }
            }
        }
    }
    Ok(())
}

#[test]
fn a_model_of_another_scope_is_refused_by_name() {
    let folder = tempfile::tempdir().unwrap();
    write_data(
        folder.path(),
        &(0..40).map(|i| (20 + i % 9, i % 5, i % 2 == 0, i % 7)).collect::<Vec<_>>(),
    );
    let job = job(folder.path(), &["lkc-privacy(l=2, k=2, c=0.9)".into()], "mondrian", "0");
    let error = sfumato_table::run(&job, &Unobserved).unwrap_err();
    assert_eq!(error.kind, ErrorKind::Unsupported);
    assert!(error.to_string().starts_with("mondrian can't serve lkc-privacy"), "{error}");
}
