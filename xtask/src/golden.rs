//! `cargo xtask golden [check | record]`: the engine's answers, byte for byte, before and after a
//! change that must not change any.
//!
//! A case is a few commands of the binary, run one after the other in a folder of its own. The
//! record of a case holds exit codes, what was printed, and the SHA-256 of every file that was
//! written; what varies from run to run (times, memory) is left out. Records are stored in
//! `xtask/golden`, one file for each group of cases. This chore judges nothing: it only reports
//! differences. An intended change is recorded again and committed with its new record, so that
//! reviewers can read it.
//!
//! `--keep` leaves the temporary folder, with what each step printed as it was in `printed`;
//! `--only PART` runs the cases whose name has that part.

mod case;
mod cases;
mod catalogue;
mod compare;
mod folder;
mod json;
mod play;
mod scrub;

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

use serde_json::{Map, Value};

use self::case::Case;
use self::catalogue::Catalogue;
use self::folder::Folder;
use crate::{Outcome, cargo, root, sh};

/// The folder with the records, and with input files that no generator makes.
const KEPT: &str = "xtask/golden";

/// How many cases run at the same time.
const WORKERS: usize = 2;

/// The arguments of the command line.
struct Asked {
    is_record: bool,
    binary: Option<PathBuf>,
    only: Option<String>,
    keep: bool,
}

/// Run every case and compare it with its record, or write the record.
pub fn run(arguments: &[String]) -> Outcome {
    let asked = parse(arguments)?;
    let binary = match &asked.binary {
        Some(path) => path.canonicalize().map_err(|e| format!("{}: {e}", path.display()))?,
        None => build()?,
    };
    let folder = Folder::new(asked.keep)?;
    for name in ["lists.parquet", "lists.arrow"] {
        folder.bring(&root().join(KEPT).join(name), "data")?;
    }
    let begun = std::time::Instant::now();
    let played = play_all(&binary, &folder, asked.only.as_deref())?;
    let n: usize = played.values().map(Map::len).sum();
    eprintln!("{n} cases in {:.0} s", begun.elapsed().as_secs_f64());
    if asked.is_record { record(&played, asked.only.is_some()) } else { check(&played, &asked) }
}

fn parse(arguments: &[String]) -> Result<Asked, String> {
    let mut asked = Asked { is_record: false, binary: None, only: None, keep: false };
    let mut rest = arguments.iter();
    while let Some(word) = rest.next() {
        let mut value = || rest.next().cloned().ok_or(format!("{word} needs a value"));
        match word.as_str() {
            "check" => asked.is_record = false,
            "record" => asked.is_record = true,
            "--binary" => asked.binary = Some(value()?.into()),
            "--only" => asked.only = Some(value()?),
            "--keep" => asked.keep = true,
            other => {
                return Err(format!(
                    "{other:?} isn't known; usage: cargo xtask golden [check | record] \
                     [--binary PATH] [--only PART-OF-A-NAME] [--keep]"
                ));
            }
        }
    }
    Ok(asked)
}

fn build() -> Result<PathBuf, String> {
    sh(&cargo(), &["build", "--release", "-p", "sfumato-cli"])?;
    Ok(root().join("target/release/sfumato"))
}

/// The results, by group and then by case.
type Played = BTreeMap<String, Map<String, Value>>;

/// Make the data, then run the cases, a few at a time.
fn play_all(binary: &Path, folder: &Folder, only: Option<&str>) -> Result<Played, String> {
    let mut played = Played::new();
    let data = cases::data::case();
    let found = play::play(&data, binary, folder)?;
    played.entry(data.group.into()).or_default().insert(data.name, found);
    let catalogue = Catalogue::ask(binary)?;
    let mut all = cases::all(&catalogue)?;
    names_differ(&all)?;
    if let Some(part) = only {
        all.retain(|case| case.full_name().contains(part));
    }
    let next = AtomicUsize::new(0);
    let found: Mutex<Vec<(usize, Result<Value, String>)>> = Mutex::default();
    std::thread::scope(|scope| {
        for _ in 0..WORKERS {
            scope.spawn(|| {
                while let Some((i, case)) = take(&next, &all) {
                    let outcome = play::play(case, binary, folder);
                    found.lock().expect("no worker panics with the lock").push((i, outcome));
                }
            });
        }
    });
    let mut found = found.into_inner().expect("no worker panics with the lock");
    found.sort_by_key(|(i, _)| *i);
    for (case, (_, outcome)) in all.into_iter().zip(found) {
        played.entry(case.group.into()).or_default().insert(case.name, outcome?);
    }
    Ok(played)
}

fn take<'a>(next: &AtomicUsize, all: &'a [Case]) -> Option<(usize, &'a Case)> {
    let i = next.fetch_add(1, Ordering::Relaxed);
    all.get(i).map(|case| (i, case))
}

fn names_differ(all: &[Case]) -> Outcome {
    let mut names: Vec<String> = all.iter().map(Case::full_name).collect();
    names.sort();
    match names.windows(2).find(|pair| pair[0] == pair[1]) {
        None => Ok(()),
        Some(pair) => Err(format!("two cases have the name {}", pair[0])),
    }
}

fn path_of(group: &str) -> PathBuf {
    root().join(KEPT).join(format!("{group}.json"))
}

/// Write the results as the new record. If only some cases ran, only their records are replaced.
fn record(played: &Played, is_part: bool) -> Outcome {
    let mut old = kept()?;
    for (group, cases) in played {
        let mut all = if is_part { old.remove(group).unwrap_or_default() } else { Map::new() };
        all.extend(cases.clone());
        write(&path_of(group), &json::pretty(&Value::Object(all)))?;
        old.remove(group);
    }
    // Groups that have no case any more have no record either.
    for group in old.keys().filter(|_| !is_part) {
        std::fs::remove_file(path_of(group)).map_err(|error| format!("{group}: {error}"))?;
    }
    Ok(())
}

fn write(path: &Path, text: &str) -> Outcome {
    std::fs::write(path, text).map_err(|error| format!("{}: {error}", path.display()))
}

/// The records in the repository.
fn kept() -> Result<Played, String> {
    let mut all = Played::new();
    let folder = root().join(KEPT);
    let entries = std::fs::read_dir(&folder).map_err(|e| format!("{}: {e}", folder.display()))?;
    for entry in entries {
        let path = entry.map_err(|error| error.to_string())?.path();
        if path.extension().is_none_or(|ending| ending != "json") {
            continue;
        }
        let said = |error: &dyn std::fmt::Display| format!("{}: {error}", path.display());
        let text = std::fs::read_to_string(&path).map_err(|error| said(&error))?;
        let cases: Map<String, Value> =
            serde_json::from_str(&text).map_err(|error| said(&error))?;
        let group = path.file_stem().map(|stem| stem.to_string_lossy().into_owned());
        all.insert(group.unwrap_or_default(), cases);
    }
    Ok(all)
}

/// Compare the results with the record, and print every difference.
fn check(played: &Played, asked: &Asked) -> Outcome {
    let kept = kept()?;
    let mut wrong = 0;
    let mut seen = 0;
    for (group, cases) in played {
        let empty = Map::new();
        let old = kept.get(group).unwrap_or(&empty);
        for (name, found) in cases {
            seen += 1;
            let said = match old.get(name) {
                None => vec!["there is no record of this case".to_string()],
                // Numbers go through text on the way to the record, so they do here.
                Some(old) => compare::differences(old, &json::read_again(found)?),
            };
            wrong += usize::from(!said.is_empty());
            show(group, name, &said);
        }
    }
    for (group, cases) in kept.iter().filter(|_| asked.only.is_none()) {
        for name in cases.keys() {
            if !played.get(group).is_some_and(|found| found.contains_key(name)) {
                wrong += 1;
                show(group, name, &["the record has this case and it wasn't run".to_string()]);
            }
        }
    }
    if wrong == 0 {
        eprintln!("golden: {seen} cases are as recorded");
        return Ok(());
    }
    Err(format!("{wrong} of {seen} cases differ from their record"))
}

fn show(group: &str, name: &str, said: &[String]) {
    use std::io::Write as _;
    if !said.is_empty() {
        // A reader that went away has read enough.
        let _ = writeln!(std::io::stdout(), "{group}/{name}\n  {}", said.join("\n  "));
    }
}
