//! A fault at every step on the disk, for every form: each read, write, sync, link, rename and
//! removal is refused in turn, in turn finds a full disk, and in turn is interrupted.
//!
//! Whatever happens, a run ends with everything in place, as if nothing had gone wrong, or with an
//! error that says so, all old files as they were and nothing left. A step that lies shows that
//! these checks can fail.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use sfumato_core::ErrorKind;
use sfumato_core::observer::Unobserved;
use sfumato_engine::AnyRelease;
use sfumato_io::steps::Step;
use sfumato_io::steps::faults::{Fault, arm};

use crate::samples::{self, Sample};

/// What is at a path: a folder, or the bytes of a file.
type Files = BTreeMap<PathBuf, Option<Vec<u8>>>;

fn files(folder: &Path) -> Files {
    let mut found = Files::new();
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            found.extend(files(&path));
            found.insert(path, None);
        } else {
            let bytes = std::fs::read(&path).unwrap();
            found.insert(path, Some(bytes));
        }
    }
    found
}

/// A sample that is run again and again, each time with the same files of an earlier run in place.
struct Trial {
    entry: &'static dyn AnyRelease,
    sample: Sample,
    folder: tempfile::TempDir,
    /// Inputs, and what an earlier run left.
    before: Files,
    /// What an undisturbed run leaves.
    after: Files,
}

/// The reports differ in their times: of them only the ends are compared.
const REPORTS: [&str; 2] = ["private.json", "public.json"];

impl Trial {
    /// A sample with reports, and if wanted with files of an earlier run.
    fn new(entry: &'static dyn AnyRelease, at: usize, replaces: bool) -> Self {
        let folder = tempfile::tempdir().unwrap();
        let mut sample = samples::of(entry, folder.path()).swap_remove(at);
        sample.job.set("output", "report", "private.json");
        sample.job.set("output", "public_report", "public.json");
        // Where each region is one record's there is no recoding to save.
        if sample.name.starts_with("table generalized") && !sample.name.contains("matches") {
            sample.job.set("output", "recoding", "recoding.json");
        }
        let inputs = files(folder.path());
        entry.run(&sample.job, &Unobserved).unwrap();
        let after = files(folder.path());
        let mut before = inputs.clone();
        if replaces {
            let is_new = |path: &&PathBuf| !inputs.contains_key(*path);
            before.extend(after.keys().filter(is_new).map(|path| earlier(path, &after)));
        }
        let trial = Trial { entry, sample, folder, before, after };
        trial.lay_out();
        trial
    }

    /// Make the folder what it was before any run.
    fn lay_out(&self) {
        for (path, content) in files(self.folder.path()).iter().rev() {
            if self.before.get(path) != Some(content) {
                match content {
                    Some(_) => std::fs::remove_file(path).unwrap(),
                    None => std::fs::remove_dir_all(path).unwrap(),
                }
            }
        }
        for (path, content) in &self.before {
            match content {
                None => std::fs::create_dir_all(path).unwrap(),
                Some(bytes) if !path.exists() => std::fs::write(path, bytes).unwrap(),
                Some(_) => {}
            }
        }
    }

    /// Run with a fault behind so many steps. The step that met it, if one did, and what the run
    /// or the files do that they mustn't.
    fn run(&self, before: usize, fault: Fault) -> Option<(Step, Result<(), String>)> {
        self.lay_out();
        let armed = arm(self.folder.path(), before, fault);
        let ended = self.entry.run(&self.sample.job, &Unobserved);
        let met = armed.met();
        drop(armed);
        let (step, path) = met?;
        let found = files(self.folder.path());
        let judged = match ended {
            Ok(_) => self.is_complete(step, &found),
            Err(error) => is_said(fault, &error).and_then(|()| self.is_untouched(step, &found)),
        };
        let of = |why| {
            let path = path.strip_prefix(self.folder.path()).unwrap();
            format!("{}: {fault:?} at {step:?} of {}: {why}", self.sample.name, path.display())
        };
        Some((step, judged.map_err(of)))
    }

    /// A run that ends well leaves everything that an undisturbed one leaves.
    fn is_complete(&self, step: Step, found: &Files) -> Result<(), String> {
        let complete = |path: &Path, bytes: &[u8]| match is_report(path) {
            true => serde_json::from_slice::<serde_json::Value>(bytes).is_ok(),
            false => self.after[path].as_deref() == Some(bytes),
        };
        for path in self.after.keys() {
            match found.get(path) {
                Some(Some(bytes)) if !complete(path, bytes) => {
                    return Err(format!("{} isn't what it should be", path.display()));
                }
                None => return Err(format!("it ended well without {}", path.display())),
                _ => {}
            }
        }
        nothing_else(step, found, &self.after)
    }

    /// A run that fails leaves what was there before.
    fn is_untouched(&self, step: Step, found: &Files) -> Result<(), String> {
        match self.before.iter().find(|(path, content)| found.get(*path) != Some(*content)) {
            Some((path, _)) => Err(format!("it failed, and {} changed", path.display())),
            None => nothing_else(step, found, &self.before),
        }
    }
}

/// What an earlier run may have left at a path: another text, and where a folder is written a
/// release that names its files.
fn earlier(path: &Path, after: &Files) -> (PathBuf, Option<Vec<u8>>) {
    let old = match &after[path] {
        Some(bytes) if path.ends_with(sfumato_io::MANIFEST) => Some(bytes.clone()),
        Some(_) => Some(format!("old {}\n", path.display()).into_bytes()),
        None => None,
    };
    (path.to_path_buf(), old)
}

fn is_report(path: &Path) -> bool {
    REPORTS.iter().any(|name| path.ends_with(name))
}

/// Nothing is there beside what is expected. Where a removal was refused, a hidden file may stay.
fn nothing_else(step: Step, found: &Files, expected: &Files) -> Result<(), String> {
    let is_hidden = |path: &Path| {
        path.components().any(|part| part.as_os_str().to_string_lossy().starts_with('.'))
    };
    match found.keys().find(|path| !expected.contains_key(*path)) {
        Some(path) if step == Step::Remove && is_hidden(path) => Ok(()),
        Some(path) => Err(format!("{} was left", path.display())),
        None => Ok(()),
    }
}

/// The error is of the family that its exit code stands for, and says what can't be done and where.
fn is_said(fault: Fault, error: &sfumato_core::Error) -> Result<(), String> {
    let kind = match fault {
        Fault::Full => ErrorKind::Resources,
        _ => ErrorKind::Io,
    };
    let says = error.message.contains("can't ") || error.message.contains("no space left");
    match error.kind == kind && says && error.place.file.is_some() {
        true => Ok(()),
        false => Err(format!("the error is {:?}: {error}", error.kind)),
    }
}

/// The environment variable with which a soak asks for every step of every sample. Otherwise each
/// form has one sample, and what most tests look at is every few steps.
const EVERYTHING: &str = "SFUMATO_FAULTS";

/// Meet a fault at every step in turn, or at each of so many. What goes wrong, and at which steps
/// the fault was met.
fn at_each(stride: usize, trial: &Trial, fault: Fault) -> (Vec<String>, Vec<Step>) {
    let stride = if std::env::var_os(EVERYTHING).is_some() { 1 } else { stride };
    let (mut wrong, mut met) = (Vec::new(), Vec::new());
    while let Some((step, judged)) = trial.run(met.len() * stride, fault) {
        met.push(step);
        wrong.extend(judged.err());
    }
    (wrong, met)
}

/// A sample of each form, or all samples in a soak.
fn trials(replaces: bool) -> impl Iterator<Item = Trial> {
    samples::all().into_iter().flat_map(move |entry| {
        let folder = tempfile::tempdir().unwrap();
        let n = samples::of(entry, folder.path()).len();
        let wanted = if std::env::var_os(EVERYTHING).is_some() { n } else { 1 };
        (0..wanted).map(move |at| Trial::new(entry, at, replaces))
    })
}

/// How many steps of each sort met the fault, for those who run the test with `--nocapture`.
fn tell(what: &str, met: &[Step]) {
    let mut counts = BTreeMap::new();
    met.iter().for_each(|step| *counts.entry(*step).or_insert(0) += 1);
    println!("{what}: {} faults {counts:?}", met.len());
}

fn none_does_harm(fault: Fault, stride: usize, trials: impl Iterator<Item = Trial>) {
    let (mut wrong, mut met) = (Vec::new(), Vec::new());
    for trial in trials {
        let (bad, steps) = at_each(stride, &trial, fault);
        assert!(steps.len() > 20 / stride, "{}: {} steps", trial.sample.name, steps.len());
        wrong.extend(bad);
        met.extend(steps);
    }
    assert!(met.contains(&Step::Write));
    tell(&format!("{fault:?}"), &met);
    assert!(wrong.is_empty(), "{} of {}:\n{}", wrong.len(), met.len(), wrong.join("\n"));
}

#[test]
fn a_step_that_is_refused_leaves_the_old_release_or_the_new_one() {
    none_does_harm(Fault::Refused, 1, trials(true));
}

#[test]
fn a_step_that_is_refused_leaves_nothing_where_nothing_was() {
    none_does_harm(Fault::Refused, 5, trials(false));
}

#[test]
fn a_step_that_is_refused_leaves_no_partition_of_originals() {
    let entry = samples::all().into_iter().find(|entry| entry.form() == "generalized").unwrap();
    let folder = tempfile::tempdir().unwrap();
    let named = |sample: &Sample| sample.name.contains("several partitions");
    let at = samples::of(entry, folder.path()).iter().position(named).unwrap();
    none_does_harm(Fault::Refused, 3, std::iter::once(Trial::new(entry, at, true)));
}

#[test]
fn a_disk_that_is_full_leaves_the_old_release() {
    none_does_harm(Fault::Full, 5, trials(true));
}

#[test]
fn an_interrupted_read_or_write_is_tried_again() {
    none_does_harm(Fault::Interrupted, 5, trials(false));
}

#[test]
fn a_step_that_lies_is_seen_by_these_checks() {
    let mut seen = Vec::new();
    for trial in trials(true).step_by(4) {
        let mut before = 0;
        while let Some((step, judged)) = trial.run(before, Fault::Lied) {
            before += 1;
            seen.extend(judged.err().map(|_| step));
        }
    }
    tell("lies seen", &seen);
    for step in [Step::Write, Step::Rename] {
        assert!(seen.contains(&step), "nobody saw a {step:?} that wasn't done");
    }
}
