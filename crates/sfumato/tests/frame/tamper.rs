//! Everything that can go wrong, over every kind and form: decisions that lie, drafts that are
//! changed before they are read back, releases that are changed after they were written. Every
//! verifier must fail on each, nothing may get a name, and nothing may be left behind.

use std::path::{Path, PathBuf};

use sfumato_core::observer::Unobserved;
use sfumato_core::registry::{About, Argument, Capabilities, ParamSpec};
use sfumato_core::{ErrorKind, Result};
use sfumato_engine::lie::Subject;
use sfumato_engine::pipeline::Tamper;

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

/// What came of a change to a draft.
#[derive(Clone, Copy, PartialEq)]
enum Changed {
    /// It was made.
    Yes,
    /// It makes no difference at this place.
    NotHere,
    /// There is no such file or no such line: nor will there be one further on.
    NowhereElse,
}

/// Run a sample whose draft is changed before it is read back. Returns whether the change could be
/// made, and the result of the run.
fn tampered(
    entry: &dyn sfumato_engine::AnyRelease,
    sample: &Sample,
    (file, change, at): (usize, Change, usize),
) -> (Changed, Result<()>) {
    let changed = std::cell::Cell::new(Changed::NowhereElse);
    let tamper = |path: &Path| {
        let Some(path) = files(path).into_iter().nth(file) else { return Ok(()) };
        let text = std::fs::read_to_string(&path).unwrap();
        let mut lines: Vec<String> = text.lines().map(String::from).collect();
        if at >= lines.len() {
            return Ok(());
        }
        changed.set(Changed::NotHere);
        if change(&mut lines, at) {
            std::fs::write(&path, lines.join("\n") + "\n").unwrap();
            changed.set(Changed::Yes);
        }
        Ok(())
    };
    let ran = entry.run_tampered(&sample.job, Tamper::Draft(&tamper), &Unobserved).map(|_| ());
    (changed.get(), ran)
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
                        let (changed, ran) = tampered(entry, &sample, (file, change, at));
                        if changed != Changed::Yes {
                            assert!(
                                ran.is_ok(),
                                "{}: an untouched draft failed: {ran:?}",
                                sample.name
                            );
                            clean(folder.path(), &before);
                            if changed == Changed::NowhereElse {
                                break;
                            }
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
    // Edges are the same graph in any order.
    let are_edges = sample.starts_with("graph");
    ((are_counts || are_edges) && what == "two rows changed places")
        || (is_supported && what == "a row is empty")
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
fn every_verifier_sees_through_every_lie() {
    for entry in samples::all() {
        let lies = entry.lies();
        let of_form = format!("{} {}", entry.kind(), entry.form());
        assert!(!lies.is_empty(), "{of_form} has no lies: write some for Form::lies");
        // A form that states no fact promises nothing that a lie could be about.
        let is_about_privacy = lies.iter().any(|(_, subject)| *subject == Subject::Privacy);
        assert!(is_about_privacy || entry.states().is_empty(), "{of_form}: no lie about privacy");
        let folder = tempfile::tempdir().unwrap();
        let samples = samples::of(entry, folder.path());
        for (lie, _) in lies {
            let mut seen = 0;
            for sample in &samples {
                let before = left(folder.path());
                let ran = entry.run_tampered(&sample.job, Tamper::Lie(lie), &Unobserved);
                let error = match ran {
                    Err(error) => error,
                    Ok(_) => panic!("{}: {lie}: the release was written", sample.name),
                };
                assert_eq!(left(folder.path()), before, "{}: {lie}", sample.name);
                match error.kind {
                    ErrorKind::Infeasible | ErrorKind::Internal => seen += 1,
                    // This sample has nothing to lie about.
                    ErrorKind::Unsupported if error.message.contains("nothing here to lie") => {}
                    _ => panic!("{}: {lie}: {error}", sample.name),
                }
            }
            assert!(seen > 0, "{of_form}: no sample has anything to lie about: {lie}");
        }
        let error = entry.run_tampered(&samples[0].job, Tamper::Lie("none"), &Unobserved);
        assert_eq!(error.unwrap_err().kind, ErrorKind::Params, "{of_form}");
    }
}

/// Audit a release as what its manifest says.
fn audited(
    entry: &dyn sfumato_engine::AnyRelease,
    release: &str,
) -> Result<sfumato_engine::audit::Audit> {
    let mut job = sfumato_engine::Job::default();
    job.set("input", "path", release.to_string());
    entry.audit(&sfumato_engine::entry::Request { job, ..Default::default() }, &Unobserved)
}

#[test]
fn an_audit_refuses_files_that_were_changed_after_they_were_written() {
    for entry in samples::all() {
        let folder = tempfile::tempdir().unwrap();
        for sample in samples::of(entry, folder.path()) {
            let before = left(folder.path());
            let release = entry.run(&sample.job, &Unobserved).unwrap().output.unwrap().path;
            for path in files(Path::new(&release)) {
                let text = std::fs::read_to_string(&path).unwrap();
                for (what, change) in CHANGES {
                    let mut lines: Vec<String> = text.lines().map(String::from).collect();
                    let Some(at) = (1..lines.len()).find(|at| change(&mut lines.clone(), *at))
                    else {
                        continue;
                    };
                    change(&mut lines, at);
                    std::fs::write(&path, lines.join("\n") + "\n").unwrap();
                    let said = audited(entry, &release);
                    let shown = path.file_name().unwrap().display();
                    assert!(said.is_err(), "{}: {what} in {shown} went through", sample.name);
                }
                std::fs::write(&path, &text).unwrap();
            }
            let untouched = audited(entry, &release);
            assert!(untouched.is_ok(), "{}: {untouched:?}", sample.name);
            clean(folder.path(), &before);
        }
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
    for entry in samples::all() {
        let folder = tempfile::tempdir().unwrap();
        for sample in samples::of(entry, folder.path()) {
            let before = left(folder.path());
            let report = entry.run(&sample.job, &Unobserved).unwrap();
            let audited = audited(entry, &report.output.unwrap().path);
            let audited = audited.unwrap_or_else(|error| panic!("{}: {error}", sample.name));
            assert_eq!((audited.kind, audited.form), (entry.kind(), entry.form()));
            assert!(audited.rows > 0 && !audited.words.is_empty(), "{}", sample.name);
            clean(folder.path(), &before);
        }
    }
}

/// What texts and lists may be in the samples. A model with another one says so here.
fn words(spec: &ParamSpec) -> Vec<Argument> {
    match spec.name {
        "qids" => vec![Argument::List(vec!["age+town".into()])],
        "k" => vec![Argument::List(vec!["2".into()])],
        "x" => vec![Argument::List(vec!["age".into()])],
        "y" => vec![Argument::List(vec!["ward".into()])],
        "values" => vec![Argument::List(vec!["flu".into()])],
        // Left out, where they may be.
        _ => Vec::new(),
    }
}

#[test]
fn a_model_is_judged_where_the_form_states_what_it_asks_for_and_nowhere_else() {
    for entry in samples::all() {
        let folder = tempfile::tempdir().unwrap();
        let models = entry.models();
        // Whether some sample was judged, or its columns don't suit the model.
        let mut seen = vec![false; models.len()];
        for sample in samples::of(entry, folder.path()) {
            let before = left(folder.path());
            let release = entry.run(&sample.job, &Unobserved).unwrap().output.unwrap().path;
            let mut original = sample.job.clone();
            let path = folder.path().join(original.input_path());
            original.set("input", "path", path.display().to_string());
            if sample.job.get("baskets", "hierarchy").is_some() {
                let tree = folder.path().join("items.csv");
                original.set("baskets", "hierarchy", tree.display().to_string());
            }
            for (model, seen) in models.iter().zip(&mut seen) {
                assert!(!model.about.asks.is_empty(), "{} doesn't say what it asks", model.name);
                let call = model.sample_calls(&words)[0].to_string();
                let mut job = sfumato_engine::Job::default();
                job.set("input", "path", release.clone());
                job.set("privacy", "models", vec![call.clone()]);
                let original = Some(original.clone());
                let request =
                    sfumato_engine::entry::Request { job, original, ..Default::default() };
                match entry.audit(&request, &Unobserved) {
                    Ok(audit) => {
                        let can_be_judged = model.about.can_be_judged(entry.states());
                        assert!(can_be_judged, "{}: {call} was judged", sample.name);
                        assert!(!audit.guarantees.is_empty(), "{}: {call}", sample.name);
                        *seen = true;
                    }
                    // The columns of the sample don't suit it, such as words for a model of
                    // numbers.
                    Err(error) if is_misfit(&error, model.name) => *seen = true,
                    Err(error) => {
                        assert_eq!(error.kind, ErrorKind::Unsupported, "{}: {error}", sample.name);
                    }
                }
            }
            clean(folder.path(), &before);
        }
        for (model, seen) in models.iter().zip(seen) {
            let can_be_judged = model.about.can_be_judged(entry.states());
            let of_form = format!("{} {}", entry.kind(), entry.form());
            assert!(seen || !can_be_judged, "{of_form}: {} wasn't judged", model.name);
        }
    }
}

fn is_misfit(error: &sfumato_core::Error, model: &str) -> bool {
    error.kind == ErrorKind::Params || error.message.starts_with(&format!("{model} needs a "))
}

#[test]
fn every_algorithm_says_what_it_serves_and_a_form_states_that() {
    for entry in samples::all() {
        for algorithm in entry.algorithms() {
            let can = &algorithm.capabilities;
            let is_stated = can.serves.iter().any(|fact| entry.states().contains(fact));
            // One that serves no model of its form promises nothing, and its page says so.
            let is_said = algorithm.doc.contains("Nothing is promised");
            let promises_nothing = can.serves.is_empty() && (entry.states().is_empty() || is_said);
            assert!(is_stated || promises_nothing, "{} serves nobody", algorithm.name);
            assert_eq!(algorithm.about, About::NOTHING, "{} is no model", algorithm.name);
        }
        let others = entry.models().into_iter().chain(entry.metrics());
        for info in others {
            assert_eq!(info.capabilities, Capabilities::DEFAULT, "{} decides", info.name);
        }
    }
}
