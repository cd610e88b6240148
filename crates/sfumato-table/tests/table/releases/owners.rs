//! All rows of an owner together: an audit is told which column links them, and a run is refused
//! where owners differ.
#![allow(clippy::unwrap_used)]

use std::path::Path;

use sfumato_core::ErrorKind;
use sfumato_core::facts::Promises as _;
use sfumato_core::observer::Unobserved;
use sfumato_table::Job;
use sfumato_table::audit::{TableAuditRequest, open};
use sfumato_table::forms::generalized::make_plan::bind_models;
use sfumato_table::job::InputSpec;
use sfumato_table::run;

/// Whether owners hide among `k` others, and among how many they do.
fn audited(folder: &Path, subject: Option<&str>, k: u64) -> sfumato_core::Result<(bool, f64)> {
    let path = folder.join("visits.csv").display().to_string();
    let request = TableAuditRequest {
        input: InputSpec { path, ..InputSpec::default() },
        quasi: ["age", "drug"].map(String::from).to_vec(),
        subject: subject.map(String::from),
        ..TableAuditRequest::default()
    };
    let opened = open(request, &Unobserved)?;
    let models = [format!("multirelational-k-anonymity(k={k})")];
    let found = bind_models(&models, &opened.bind())?.judge(&opened)?;
    assert_eq!(found.len(), 1);
    Ok((found[0].holds, found[0].achieved))
}

/// Four owners: two have the same two drugs, two the same drug twice. Each row is one of rows of
/// at least two people either way.
const VISITS: &str = "owner,age,drug\n1,30-39,a\n2,30-39,b\n1,30-39,b\n2,30-39,a\n\
    3,30-39,a\n4,30-39,a\n4,30-39,a\n3,30-39,a\n";

#[test]
fn owners_hide_only_among_those_with_the_same_rows() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("visits.csv"), VISITS).unwrap();
    assert_eq!(audited(folder.path(), Some("owner"), 2).unwrap(), (true, 2.0));
    assert_eq!(audited(folder.path(), Some("owner"), 3).unwrap(), (false, 2.0));
    // Without a column that links rows nothing can be said.
    let error = audited(folder.path(), None, 2).unwrap_err();
    assert!(error.message.contains("can't be judged here"), "{error}");
    // One row more, and two owners are alone though no row is.
    std::fs::write(folder.path().join("visits.csv"), VISITS.to_owned() + "1,30-39,a\n").unwrap();
    assert_eq!(audited(folder.path(), Some("owner"), 2).unwrap(), (false, 1.0));
}

#[test]
fn a_run_in_which_owners_differ_writes_nothing() {
    let folder = tempfile::tempdir().unwrap();
    let job = |subject: &str, models: &str| {
        let text = format!(
            "[input]\npath = \"visits.csv\"\n[columns]\nowner = {{ role = \"{subject}\" }}\n\
             age = {{ role = \"quasi\" }}\ndrug = {{ role = \"quasi\" }}\n[privacy]\n\
             models = [{models}]\n[output]\npath = \"out.csv\"\n"
        );
        Job::parse(&text, "release.toml", folder.path()).unwrap()
    };
    let model = "\"k-anonymity(k=2)\", \"multirelational-k-anonymity(k=2)\"";
    std::fs::write(folder.path().join("visits.csv"), VISITS).unwrap();
    run(&job("subject", model), &Unobserved).unwrap();
    std::fs::remove_file(folder.path().join("out.csv")).unwrap();
    let error = run(&job("identifier", model), &Unobserved).unwrap_err();
    assert!(error.hint.as_ref().unwrap().contains("--subject"), "{error}");
    std::fs::write(folder.path().join("visits.csv"), VISITS.to_owned() + "1,30-39,a\n").unwrap();
    let error = run(&job("subject", model), &Unobserved).unwrap_err();
    assert_eq!(error.kind, ErrorKind::Infeasible, "{error}");
    assert!(error.message.contains("multirelational-k-anonymity"), "{error}");
    assert!(!folder.path().join("out.csv").exists());
}
