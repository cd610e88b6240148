//! Drafts that are changed after they were written and before they are read back: every verifier
//! must fail on every change, nothing may get a name, and nothing may be left behind.

use std::path::{Path, PathBuf};

use sfumato::observer::Unobserved;
use sfumato_core::{ErrorKind, Result};

use crate::samples::{self, Sample};

/// A way to change the lines of a file. The number says at which line. Returns whether the change
/// could be made.
type Change = fn(&mut Vec<String>, usize) -> bool;

const CHANGES: [(&str, Change); 6] = [
    ("a row is gone", |lines, at| {
        lines.remove(at);
        true
    }),
    ("a row is there twice", |lines, at| {
        lines.insert(at, lines[at].clone());
        true
    }),
    ("a row took the place of another", |lines, at| {
        let other = lines.iter().skip(1).find(|line| **line != lines[at]).cloned();
        other.map(|other| lines[at] = other).is_some()
    }),
    ("two rows changed places", |lines, at| {
        let other = (1..lines.len()).rev().find(|other| lines[*other] != lines[at]);
        other.map(|other| lines.swap(at, other)).is_some()
    }),
    ("a digit changed", |lines, at| {
        let digit = lines[at].find(|c: char| c.is_ascii_digit());
        let Some(place) = digit else { return false };
        let other = if lines[at].as_bytes()[place] == b'7' { "8" } else { "7" };
        lines[at].replace_range(place..place + 1, other);
        true
    }),
    ("a row is empty", |lines, at| {
        let was = std::mem::take(&mut lines[at]);
        !was.is_empty()
    }),
];

/// The files of a draft: the draft itself, or the files in its folder.
fn files(path: &Path) -> Vec<PathBuf> {
    if path.is_file() {
        return vec![path.to_path_buf()];
    }
    let mut files: Vec<PathBuf> =
        std::fs::read_dir(path).unwrap().map(|entry| entry.unwrap().path()).collect();
    files.sort();
    files
}

/// Run a sample whose draft is changed before it is read back. Returns whether the change could be
/// made, and the result of the run.
fn tampered(
    entry: &dyn sfumato_engine::AnyRelease,
    sample: &Sample,
    (file, change, at): (usize, Change, usize),
) -> (bool, Result<()>) {
    let was_changed = std::cell::Cell::new(false);
    let tamper = |path: &Path| {
        let Some(path) = files(path).into_iter().nth(file) else { return Ok(()) };
        let text = std::fs::read_to_string(&path).unwrap();
        let mut lines: Vec<String> = text.lines().map(String::from).collect();
        if at < lines.len() && change(&mut lines, at) {
            std::fs::write(&path, lines.join("\n") + "\n").unwrap();
            was_changed.set(true);
        }
        Ok(())
    };
    let ran = entry.run_tampered(&sample.job, &tamper, &Unobserved).map(|_| ());
    (was_changed.get(), ran)
}

fn left(folder: &Path) -> Vec<String> {
    let names = std::fs::read_dir(folder).unwrap();
    let mut names: Vec<String> =
        names.map(|entry| entry.unwrap().file_name().to_string_lossy().into_owned()).collect();
    names.sort();
    names
}

#[test]
fn every_verifier_fails_on_every_change() {
    for entry in samples::all() {
        let folder = tempfile::tempdir().unwrap();
        for sample in samples::of(entry, folder.path()) {
            let before = left(folder.path());
            let mut seen = 0;
            for file in 0..3 {
                for (what, change) in CHANGES {
                    let mut caught = false;
                    let mut tried = false;
                    // Some places make no difference, such as two rows that may stand for each
                    // other.
                    for at in 1..20 {
                        let (was_changed, ran) = tampered(entry, &sample, (file, change, at));
                        if !was_changed {
                            assert!(
                                ran.is_ok(),
                                "{}: an untouched draft failed: {ran:?}",
                                sample.name
                            );
                            clean(folder.path(), &before);
                            continue;
                        }
                        tried = true;
                        if let Err(error) = ran {
                            let is_known =
                                matches!(error.kind, ErrorKind::Internal | ErrorKind::Infeasible);
                            assert!(is_known, "{}: {what}: {error}", sample.name);
                            assert_eq!(left(folder.path()), before, "{}: {what}", sample.name);
                            caught = true;
                            break;
                        }
                        clean(folder.path(), &before);
                    }
                    let is_seen = caught || !tried || is_harmless(&sample.name, what, file);
                    assert!(is_seen, "{}: {what} in file {file} went through", sample.name);
                    seen += usize::from(caught);
                }
            }
            assert!(seen >= 5, "{}: only {seen} changes were seen to fail", sample.name);
        }
    }
}

/// Whether a change leaves everything that the release states and promises as it was, and so may
/// pass the verifier.
fn is_harmless(sample: &str, what: &str, file: usize) -> bool {
    // The counts of groups say the same in any order.
    let are_counts = sample.contains("buckets (linked)") && file == 1;
    // Nothing is a subset of everything, and every record supports it: less is told, and truly.
    let is_supported =
        ["supporters", "images"].iter().any(|name| sample.ends_with(&format!("({name})")));
    (are_counts && what == "two rows changed places") || (is_supported && what == "a row is empty")
}

/// Remove the files that a successful run left in the folder.
fn clean(folder: &Path, before: &[String]) {
    for name in left(folder).iter().filter(|name| !before.contains(name)) {
        let path = folder.join(name);
        if path.is_dir() { std::fs::remove_dir_all(path) } else { std::fs::remove_file(path) }
            .unwrap();
    }
}

#[test]
fn untouched_drafts_become_releases_with_manifests_that_leak_nothing() {
    for entry in samples::all() {
        let folder = tempfile::tempdir().unwrap();
        for sample in samples::of(entry, folder.path()) {
            let before = left(folder.path());
            let report = entry.run(&sample.job, &Unobserved).unwrap();
            assert!(report.guarantees.iter().all(|guarantee| guarantee.holds), "{}", sample.name);
            let asked = sample.job.list("privacy", "models").len();
            assert!(report.guarantees.len() >= asked, "{}: each model is judged", sample.name);
            let release = report.output.unwrap().path;
            let manifest = sfumato_engine::manifest::Manifest::find(Path::new(&release)).unwrap();
            let manifest = manifest.unwrap_or_else(|| panic!("{} has no manifest", sample.name));
            assert_eq!((&manifest.kind[..], &manifest.form[..]), (entry.kind(), entry.form()));
            let text = manifest.to_json();
            for secret in [&report.input.sha256, &report.input.path] {
                assert!(!text.contains(secret.as_str()), "{}: {text}", sample.name);
            }
            clean(folder.path(), &before);
        }
    }
}

#[test]
fn a_release_is_audited_as_what_its_manifest_says() {
    for entry in samples::all().into_iter().filter(|entry| entry.form() != "perturbed") {
        let folder = tempfile::tempdir().unwrap();
        for sample in samples::of(entry, folder.path()) {
            let before = left(folder.path());
            let report = entry.run(&sample.job, &Unobserved).unwrap();
            let mut job = sfumato::Job::default();
            job.set("input", "path", report.output.unwrap().path);
            let request = sfumato::Request { job, ..Default::default() };
            let audited = entry.audit(&request, &Unobserved);
            let audited = audited.unwrap_or_else(|error| panic!("{}: {error}", sample.name));
            assert_eq!((audited.kind, audited.form), (entry.kind(), entry.form()));
            assert!(audited.rows > 0 && !audited.words.is_empty(), "{}", sample.name);
            clean(folder.path(), &before);
        }
    }
}
