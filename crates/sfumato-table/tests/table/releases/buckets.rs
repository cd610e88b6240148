//! Every algorithm published as buckets, with every model: releases hold when their files are
//! audited, and what can't be met is refused and leaves nothing.
#![allow(clippy::unwrap_used)]

use std::path::Path;

use proptest::prelude::*;
use sfumato_core::ErrorKind;
use sfumato_core::observer::Unobserved;
use sfumato_table::Job;
use sfumato_table::audit::TableAuditRequest;
use sfumato_table::job::InputSpec;

use super::audited::hold_in_buckets;
use super::every_model::sample_call;

fn job(folder: &Path, model: &str, algorithm: &str, form: &str) -> Job {
    let path = if form == "linked" { "release" } else { "release.csv" };
    let text = format!(
        r#"
        [input]
        path = "data.csv"
        [columns]
        age = {{ role = "quasi" }}
        town = {{ role = "quasi" }}
        cost = {{ role = "sensitive" }}
        [privacy]
        models = [{model:?}]
        max_suppression = "10%"
        [recode]
        algorithm = "{algorithm}"
        [output]
        path = "{path}"
        buckets = "{form}"
        [run]
        seed = 5
        "#
    );
    Job::parse(&text, "release.toml", folder).unwrap()
}

fn holds(folder: &Path, model: &str, form: &str) -> bool {
    let name = if form == "linked" { "release" } else { "release.csv" };
    let is_permuted = form == "permuted";
    let request = TableAuditRequest {
        input: InputSpec { path: folder.join(name).display().to_string(), ..InputSpec::default() },
        sensitive: if is_permuted { vec!["cost".into()] } else { Vec::new() },
        group: is_permuted.then(|| "group".to_string()),
        models: vec![model.to_string()],
        ..TableAuditRequest::default()
    };
    hold_in_buckets(request)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(2))]
    #[test]
    fn what_is_published_as_buckets_holds(
        rows in prop::collection::vec((20u8..40, 0u8..6, 0u8..12), 12..40), is_linked: bool,
    ) {
        let folder = tempfile::tempdir().unwrap();
        let mut text = String::from("age,town,cost\n");
        for (age, town, cost) in &rows {
            let town = ["aa", "ab", "ba", "bb", "bc", ""][*town as usize];
            let cost = if *cost == 0 { String::new() } else { (10 * u32::from(*cost)).to_string() };
            text += &format!("{age},{town},{cost}\n");
        }
        std::fs::write(folder.path().join("data.csv"), text).unwrap();
        let form = if is_linked { "linked" } else { "permuted" };
        let algorithms = sfumato_table::algorithms::all().iter().filter(|algorithm| {
            algorithm.info().capabilities.makes_buckets
                || ["mondrian", "full-domain"].contains(&algorithm.info().name)
        });
        for algorithm in algorithms {
            let name = match algorithm.info().name {
                "ke-permutation" => "ke-permutation(k=2, e=10)",
                name => name,
            };
            for model in sfumato_table::models::ALL {
                let model = sample_call(model.info(), &["age+town"]);
                match sfumato_table::run(&job(folder.path(), &model, name, form), &Unobserved) {
                    Ok(report) => {
                        prop_assert!(report.guarantees.iter().all(|guarantee| guarantee.holds));
                        let has_buckets = report.sections.iter().any(|s| s.key == "buckets");
                        prop_assert!(report.classes.is_none() && has_buckets);
                        prop_assert!(holds(folder.path(), &model, form), "{name} {model}");
                    }
                    Err(error) => {
                        let refused =
                            matches!(error.kind, ErrorKind::Infeasible | ErrorKind::Unsupported);
                        prop_assert!(refused, "{name} {model}: {error}");
                    }
                }
            }
        }
    }
}
