//! Audits of perturbed values: they check that a file is whole, and refuse whatever they can't
//! judge.

use std::path::Path;

use sfumato_core::observer::Unobserved;
use sfumato_core::{Error, ErrorKind};
use sfumato_engine::audit::Audit;
use sfumato_engine::entry::Request;
use sfumato_engine::manifest::{Manifest, beside};

use crate::samples;

/// A release of perturbed values in a folder: its path and its manifest.
fn release(folder: &Path) -> (String, Manifest) {
    let entry = perturbed();
    let job = &samples::of(entry, folder)[0].job;
    let path = entry.run(job, &Unobserved).unwrap().output.unwrap().path;
    let manifest = Manifest::find(Path::new(&path)).unwrap().unwrap();
    (path, manifest)
}

fn perturbed() -> &'static dyn sfumato_engine::AnyRelease {
    let is_it = |entry: &&dyn sfumato_engine::AnyRelease| entry.form() == "perturbed";
    samples::all().into_iter().find(is_it).unwrap()
}

fn audit(path: &str, models: &[&str], original: Option<&str>) -> Result<Audit, Error> {
    let reading = |path: &str| {
        let mut job = sfumato_engine::Job::default();
        job.set("input", "path", path.to_string());
        job
    };
    let mut job = reading(path);
    if !models.is_empty() {
        job.set("privacy", "models", models.to_vec());
    }
    let original = original.map(reading);
    perturbed().audit(&Request { job, original, ..Default::default() }, &Unobserved)
}

#[test]
fn an_audit_says_what_it_checked_and_what_it_cannot_judge() {
    let folder = tempfile::tempdir().unwrap();
    let (path, manifest) = release(folder.path());
    let audit = audit(&path, &[], None).unwrap();
    assert_eq!((audit.rows, audit.guarantees.len()), (manifest.rows, 0));
    assert!(audit.words.contains("not judged whether anybody can be found"), "{}", audit.words);
    assert_eq!(audit.figures["sha256"], manifest.files[0].sha256);
    assert_eq!(audit.figures["perturbed"], serde_json::json!(["age"]));
}

#[test]
fn what_cannot_be_judged_is_refused_by_name() {
    let folder = tempfile::tempdir().unwrap();
    let (path, _) = release(folder.path());
    let error = audit(&path, &["k-anonymity(k=2)", "t-closeness(t=0.2)"], None).unwrap_err();
    assert_eq!(error.kind, ErrorKind::Unsupported);
    let named = "k-anonymity(k=2), t-closeness(t=0.2) can't be judged on perturbed values";
    assert_eq!(error.message, named);
    let error = audit(&path, &[], Some("table.csv")).unwrap_err();
    assert_eq!(error.kind, ErrorKind::Unsupported);
}

#[test]
fn a_manifest_that_is_not_true_of_its_file_is_seen() {
    let folder = tempfile::tempdir().unwrap();
    let (path, manifest) = release(folder.path());
    let refused = |manifest: &Manifest| {
        std::fs::write(beside(Path::new(&path)), manifest.to_json()).unwrap();
        audit(&path, &[], None).unwrap_err().message
    };
    let mut other = manifest.clone();
    other.rows += 1;
    assert!(refused(&other).contains("and its manifest says"));
    let mut other = manifest.clone();
    other.files[0].rows += 1;
    assert!(refused(&other).contains("and its manifest says"));
    let mut other = manifest.clone();
    other.details.insert("quasi".into(), vec!["height"].into());
    assert!(refused(&other).contains("has no column 'height'"));
    let mut other = manifest.clone();
    other.details.remove("quasi");
    assert!(refused(&other).contains("doesn't say which columns are perturbed"));
    // Words where numbers were to be, in a file whose hash is right.
    let text = std::fs::read_to_string(&path).unwrap();
    let mut lines: Vec<String> = text.lines().map(String::from).collect();
    lines[1] = format!("young{}", &lines[1][lines[1].find(',').unwrap()..]);
    lines[2] = format!("old{}", &lines[2][lines[2].find(',').unwrap()..]);
    std::fs::write(&path, lines.join("\n") + "\n").unwrap();
    assert!(refused(&manifest).contains("isn't the file"));
    let mut other = manifest.clone();
    other.files[0].sha256 = sfumato_io::sha256_hex(&std::fs::read(&path).unwrap());
    assert!(refused(&other).contains("values that are no numbers"));
}
