//! Runs with a ledger, from a job to what is recorded.

use std::path::Path;

use proptest::prelude::*;
use sfumato_core::ErrorKind;
use sfumato_core::observer::Unobserved;
use sfumato_engine::ledger::{Ledger, Recorded, RecordedFile};

use super::recall;
use super::tests::first_of_book;
use crate::Job;
use crate::audit::TableAuditRequest;
use crate::job::{BucketLayout, InputSpec, LedgerSpec};

const OLD: &str =
    "UK,Lawyer,Flu\nUK,Lawyer,Flu\nUK,Lawyer,Flu\nFrance,Lawyer,HIV\nFrance,Lawyer,HIV\n";
const NEW: &str =
    "France,Lawyer,HIV\nFrance,Doctor,Flu\nFrance,Doctor,Flu\nUK,Doctor,HIV\nUK,Lawyer,HIV\n";

fn write(folder: &Path) {
    let write = |name: &str, text: &str| std::fs::write(folder.join(name), text).unwrap();
    write("place.csv", "UK;Europe;*\nFrance;Europe;*\nCanada;America;*\n");
    write("job.csv", "Lawyer;Professional;*\nDoctor;Professional;*\n");
    write("t2.csv", &format!("birthplace,job,disease\n{OLD}{NEW}"));
}

fn job(folder: &Path, (input, output): (&str, &str), model: &str, algorithm: &str) -> Job {
    let text = format!(
        r#"
        [input]
        path = "{input}"
        [columns]
        birthplace = {{ role = "quasi", hierarchy = {{ file = "place.csv" }} }}
        job = {{ role = "quasi", hierarchy = {{ file = "job.csv" }} }}
        disease = {{ role = "sensitive", accept = true }}
        [privacy]
        models = ["{model}"]
        [recode]
        algorithm = "{algorithm}"
        [output]
        path = "{output}"
        [ledger]
        path = "ledger"
        [run]
        seed = 5
        "#
    );
    Job::parse(&text, "release.toml", folder).unwrap()
}

/// A ledger with the first release of the book.
fn begin(folder: &Path) {
    let mut ledger = Ledger::create(&folder.join("ledger"), Vec::new()).unwrap();
    let file = RecordedFile { path: "r1.csv".into(), sha256: "0".repeat(64) };
    ledger
        .add(Recorded {
            path: "r1.csv".into(),
            kind: "table".into(),
            form: "generalized".into(),
            rows: 5,
            files: vec![file],
            facts: serde_json::to_value(first_of_book()).unwrap(),
            ..Recorded::default()
        })
        .unwrap();
}

/// The different quasi cells of a release.
fn classes(folder: &Path, name: &str) -> Vec<String> {
    let text = std::fs::read_to_string(folder.join(name)).unwrap();
    let mut found: Vec<String> =
        text.lines().skip(1).map(|line| line.rsplit_once(',').unwrap().0.to_string()).collect();
    found.sort();
    found.dedup();
    found
}

#[test]
fn the_second_release_of_the_book_is_found_beside_the_first() {
    for (k, expected) in
        [(4, &["France,Professional", "UK,Professional"][..]), (5, &["Europe,Professional"])]
    {
        let folder = tempfile::tempdir().unwrap();
        write(folder.path());
        begin(folder.path());
        let job =
            job(folder.path(), ("t2.csv", "r2.csv"), &format!("bcf-anonymity(k={k})"), "auto");
        let report = crate::run(&job, &Unobserved).unwrap();
        assert_eq!(classes(folder.path(), "r2.csv"), expected);
        assert!(report.guarantees.iter().all(|found| found.holds));
        let ledger = Ledger::open(&folder.path().join("ledger")).unwrap();
        let recorded = ledger.releases();
        assert_eq!((recorded.len(), ledger.faults().len()), (2, 0));
        assert!(ledger.is_published(recorded[1]));
        assert_eq!(recorded[1].rows, 10);
        // What was recorded is what the file says.
        let found = recall::of_record(recorded[1], &["birthplace".into(), "job".into()]).unwrap();
        assert_eq!(found.classes.len(), expected.len());
    }
}

#[test]
fn what_no_release_can_keep_is_refused_and_leaves_nothing() {
    let folder = tempfile::tempdir().unwrap();
    write(folder.path());
    begin(folder.path());
    let ledger = folder.path().join("ledger");
    let before = std::fs::read(&ledger).unwrap();
    let job = job(folder.path(), ("t2.csv", "r2.csv"), "bcf-anonymity(k=6)", "auto");
    let error = crate::run(&job, &Unobserved).unwrap_err();
    assert_eq!(error.kind, ErrorKind::Infeasible);
    assert!(!folder.path().join("r2.csv").exists());
    assert_eq!(std::fs::read(&ledger).unwrap(), before);
}

#[test]
fn an_algorithm_that_looks_at_one_release_alone_is_judged_beside_the_others() {
    let folder = tempfile::tempdir().unwrap();
    write(folder.path());
    begin(folder.path());
    let of = |model: &str, algorithm: &str| {
        let job = job(folder.path(), ("t2.csv", "r2.csv"), model, algorithm);
        crate::run(&job, &Unobserved)
    };
    // Two classes of five would do for k-anonymity; four are left of them together.
    let error = of("bcf-anonymity(k=5)", "mondrian").unwrap_err();
    assert_eq!(error.kind, ErrorKind::Infeasible);
    assert!(error.message.contains("mondrian"), "{}", error.message);
    assert_eq!(Ledger::open(&folder.path().join("ledger")).unwrap().releases().len(), 1);
}

#[test]
fn a_ledger_asks_for_its_models_and_models_for_a_ledger() {
    let folder = tempfile::tempdir().unwrap();
    write(folder.path());
    drop(Ledger::create(&folder.path().join("ledger"), vec!["bcf-anonymity(k=4)".into()]));
    let plain = job(folder.path(), ("t2.csv", "r2.csv"), "k-anonymity(k=2)", "mondrian");
    assert_eq!(crate::run(&plain, &Unobserved).unwrap_err().kind, ErrorKind::Params);
    let alone = Job {
        ledger: None,
        ..job(folder.path(), ("t2.csv", "r2.csv"), "bcf-anonymity(k=2)", "mondrian")
    };
    let error = crate::run(&alone, &Unobserved).unwrap_err();
    assert_eq!(error.kind, ErrorKind::Unsupported);
    assert!(error.hint.unwrap().contains("sfumato ledger init"));
    let mut buckets = job(folder.path(), ("t2.csv", "r2"), "k-anonymity(k=2)", "mondrian");
    buckets.output.buckets = Some(BucketLayout::Linked);
    assert_eq!(crate::run(&buckets, &Unobserved).unwrap_err().kind, ErrorKind::Unsupported);
}

/// What an audit finds of a file beside others.
fn audit(folder: &Path, files: &[&str], ledger: Option<&str>, model: &str) -> Vec<(String, f64)> {
    let path = |name: &str| folder.join(name).display().to_string();
    let (last, before) = files.split_last().unwrap();
    let tree = |column: &str, file: &str| {
        (column.to_string(), format!("file(path=\"{}\")", path(file)).parse().unwrap())
    };
    let request = TableAuditRequest {
        input: InputSpec { path: path(last), ..InputSpec::default() },
        quasi: ["birthplace", "job"].map(String::from).to_vec(),
        sensitive: vec!["disease".into()],
        models: vec![model.into()],
        hierarchies: vec![tree("birthplace", "place.csv"), tree("job", "job.csv")],
        ledger: Some(LedgerSpec {
            path: ledger.map(path),
            before: before.iter().map(|name| path(name)).collect(),
        }),
        ..TableAuditRequest::default()
    };
    let opened = crate::audit::open(request, &Unobserved).unwrap();
    let bound = crate::forms::generalized::make_plan::bind_models(&[model.into()], &opened.bind());
    use sfumato_core::facts::Promises as _;
    let found = bound.unwrap().judge(&opened).unwrap();
    found.iter().map(|found| (found.measure.name.to_string(), found.achieved)).collect()
}

#[test]
fn an_audit_judges_a_release_beside_files_and_beside_a_ledger() {
    let folder = tempfile::tempdir().unwrap();
    write(folder.path());
    let first = "birthplace,job,disease\n".to_string()
        + &"Europe,Lawyer,Flu\n".repeat(3)
        + &"Europe,Lawyer,HIV\n".repeat(2);
    std::fs::write(folder.path().join("r1.csv"), first).unwrap();
    begin(folder.path());
    let job = job(folder.path(), ("t2.csv", "r2.csv"), "bcf-anonymity(k=4)", "auto");
    crate::run(&job, &Unobserved).unwrap();
    let four = [("k", 5.0), ("FA", 4.0), ("CA", 4.0), ("BA", 4.0)]
        .map(|(name, value)| (name.to_string(), value));
    let model = "bcf-anonymity(k=5)";
    assert_eq!(audit(folder.path(), &["r1.csv", "r2.csv"], None, model), four);
    // Of the two releases that are recorded, the file is one: it isn't judged beside itself.
    assert_eq!(audit(folder.path(), &["r2.csv"], Some("ledger"), model), four);
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(8))]
    /// A registry that grows three times: every release through the ledger keeps its promise, by an
    /// audit of the files alone that knows nothing of the ledger.
    #[test]
    fn releases_of_a_ledger_keep_bcf_anonymity_together(
        rows in prop::collection::vec((0usize..3, 0usize..2, 0usize..3), 24..60), k in 2u64..5,
    ) {
        let folder = tempfile::tempdir().unwrap();
        write(folder.path());
        drop(Ledger::create(&folder.path().join("ledger"), Vec::new()).unwrap());
        let mut made: Vec<String> = Vec::new();
        for part in 1..=3 {
            let upto = rows.len() * part / 3;
            let mut text = "birthplace,job,disease\n".to_string();
            for (place, job, ill) in &rows[..upto] {
                text += ["UK", "France", "Canada"][*place];
                text += [",Lawyer", ",Doctor"][*job];
                text += [",Flu\n", ",HIV\n", ",Cold\n"][*ill];
            }
            std::fs::write(folder.path().join("now.csv"), text).unwrap();
            let name = format!("r{part}.csv");
            let model = format!("bcf-anonymity(k={k}, targets=possible)");
            let job = job(folder.path(), ("now.csv", &name), &model, "auto");
            match crate::run(&job, &Unobserved) {
                Ok(_) => made.push(name),
                Err(error) => prop_assert_eq!(error.kind, ErrorKind::Infeasible, "{}", error),
            }
            if made.len() > 1 {
                let files: Vec<&str> = made.iter().map(String::as_str).collect();
                for (name, achieved) in audit(folder.path(), &files, None, &model) {
                    prop_assert!(achieved >= k as f64, "{name} is {achieved}");
                }
            }
        }
        prop_assert!(!made.is_empty());
    }
}
