//! Faults at every step of the command line: what is refused ends with the exit code and the
//! sentence of the disk and leaves all old files, and a process that is killed leaves each file as
//! it was or whole. The library's forms are all tried in the tests of the frame.

use std::collections::BTreeMap;
use std::process::Command;

use sfumato_io::steps::faults::VARIABLE;

use crate::support::{Folder, people};

/// A release of one file, with everything that can stand beside it.
const FILE: &str = "anonymize people.csv -o out.csv --identifier name,person --qi age,sex,zip \
    --sensitive disease --keep pay -k 3 --seed 1 --force --quiet --report private.json \
    --public-report public.json --save-recoding recoding.json";
/// A release that is a folder.
const FOLDER: &str = "anonymize people.csv -o out --identifier name,person --qi age,sex,zip \
    --sensitive disease --keep pay --model l-diversity-distinct(l=2) --buckets linked --seed 1 \
    --force --quiet --report private.json";
/// A release of several partitions that were on the disk.
const SPILLED: &str = "anonymize people.csv -o out.csv --identifier name,person --qi age,sex,zip \
    --sensitive disease --keep pay -k 3 --seed 1 --force --quiet --engine tree --memory 96MiB \
    --algorithm rothko-tree(partition_rows=20)";

/// How a run with a fault ended.
struct Ended {
    /// None if a signal ended it.
    code: Option<i32>,
    stderr: String,
}

fn run(folder: &Folder, words: &str, before: usize, fault: &str) -> Ended {
    let ended = Command::new(env!("CARGO_BIN_EXE_sfumato"))
        .current_dir(folder.path(""))
        .args(words.split_whitespace())
        .env(VARIABLE, format!("{before}:{fault}"))
        .output()
        .unwrap();
    Ended { code: ended.status.code(), stderr: String::from_utf8(ended.stderr).unwrap() }
}

/// Every file below the folder, by its name; folders end with a slash.
fn files(folder: &Folder) -> BTreeMap<String, Vec<u8>> {
    let (mut found, mut open) = (BTreeMap::new(), vec![folder.path("")]);
    while let Some(path) = open.pop() {
        for entry in std::fs::read_dir(path).unwrap() {
            let path = entry.unwrap().path();
            let name = path.strip_prefix(folder.path("")).unwrap().display().to_string();
            if path.is_dir() {
                found.insert(name + "/", Vec::new());
                open.push(path);
            } else {
                found.insert(name, std::fs::read(&path).unwrap());
            }
        }
    }
    found
}

/// Make the folder what it was.
fn put_back(folder: &Folder, before: &BTreeMap<String, Vec<u8>>) {
    for name in files(folder).keys().rev().filter(|name| !before.contains_key(*name)) {
        match name.strip_suffix('/') {
            Some(name) => std::fs::remove_dir_all(folder.path(name)).unwrap(),
            None => {
                // It may have gone with its folder.
                let _ = std::fs::remove_file(folder.path(name));
            }
        }
    }
    for (name, bytes) in before {
        match name.strip_suffix('/') {
            Some(name) => std::fs::create_dir_all(folder.path(name)).unwrap(),
            None => std::fs::write(folder.path(name), bytes).unwrap(),
        }
    }
}

/// People, and the files of an earlier run of other people with another seed.
fn prepared(words: &str) -> (Folder, BTreeMap<String, Vec<u8>>) {
    let folder = Folder::new();
    folder.write("people.csv", people(100));
    folder.succeed(&words.replace("--seed 1", "--seed 2"));
    folder.write("people.csv", people(80));
    let before = files(&folder);
    (folder, before)
}

/// The number of steps of a run: the least number behind which nothing is left to be killed.
fn steps_of(folder: &Folder, before: &BTreeMap<String, Vec<u8>>, words: &str) -> usize {
    let ends = |steps: usize| {
        put_back(folder, before);
        run(folder, words, steps, "killed").code == Some(0)
    };
    let most = (4..16).map(|power| 1 << power).find(|most| ends(*most)).unwrap();
    let (mut killed, mut ended) = (most / 2, most);
    while ended - killed > 1 {
        let middle = killed.midpoint(ended);
        *(if ends(middle) { &mut ended } else { &mut killed }) = middle;
    }
    ended
}

#[test]
fn what_is_refused_is_said_with_its_exit_code_and_old_files_stay() {
    for (words, fault, code) in [(FILE, "refused", 5), (FOLDER, "refused", 5), (FILE, "full", 4)] {
        let (folder, before) = prepared(words);
        let (mut failed, mut excused) = (0, 0);
        for step in (0..steps_of(&folder, &before, words)).step_by(2) {
            put_back(&folder, &before);
            let ended = run(&folder, words, step, fault);
            if ended.code == Some(0) {
                // The step can be done without: everything is in place.
                assert!(files(&folder)["private.json"] != before["private.json"], "step {step}");
                continue;
            }
            failed += 1;
            assert_eq!(ended.code, Some(code), "{words}, step {step}: {}", ended.stderr);
            let said = ended.stderr.lines().next().unwrap();
            assert!(said.starts_with("error: "), "{said}");
            assert!(said.contains("can't ") || said.contains("no space left"), "{said}");
            let now = files(&folder);
            let changed = before.iter().find(|(name, old)| now.get(*name) != Some(*old));
            assert_eq!(changed.map(|(name, _)| name), None, "{words}, step {step}: {said}");
            let left = now.keys().find(|name| !before.contains_key(*name));
            // A temporary file that couldn't be removed is removed by the next run.
            let is_excused = left.is_none_or(|name| name.ends_with(".partial"));
            assert!(is_excused, "{words}, step {step}: {left:?} was left: {said}");
            excused += usize::from(left.is_some());
        }
        assert!(failed > 10 && excused < 5, "{words}: {failed} runs failed, {excused} left a file");
    }
}

#[test]
fn a_killed_run_leaves_each_file_as_it_was_or_whole_and_the_next_run_clears_up() {
    for words in [FILE, FOLDER] {
        let (folder, before) = prepared(words);
        folder.succeed(words);
        let after = files(&folder);
        let mut killed = 0;
        for step in 0..steps_of(&folder, &before, words) {
            put_back(&folder, &before);
            killed += usize::from(run(&folder, words, step, "killed").code.is_none());
            let found = files(&folder);
            for (name, old) in &before {
                // The times in a report differ from run to run.
                let is_whole = |bytes: &[u8]| match name.starts_with("p") {
                    true => serde_json::from_slice::<serde_json::Value>(bytes).is_ok(),
                    false => after.get(name).is_some_and(|new| new == bytes),
                };
                let now = found.get(name).unwrap_or_else(|| panic!("step {step}: no {name}"));
                assert!(now == old || is_whole(now), "{words}, step {step}: half of {name}");
            }
            let is_seen = |name: &&String| !name.starts_with('.') && !before.contains_key(*name);
            assert_eq!(found.keys().find(is_seen), None, "{words}, step {step}");
            folder.succeed(words);
            let left: Vec<String> = files(&folder).into_keys().collect();
            assert!(left.iter().eq(before.keys()), "{words}, step {step}: {left:?}");
        }
        assert!(killed > 20, "{words}: killed {killed} times");
    }
}

#[test]
fn a_resumed_run_that_fails_leaves_no_original() {
    let (folder, before) = prepared(SPILLED);
    let steps = steps_of(&folder, &before, SPILLED);
    // Killed at the last step at which there are decisions to go on from.
    let kept = (0..steps).rev().find_map(|step| {
        put_back(&folder, &before);
        run(&folder, SPILLED, step, "killed");
        let found = files(&folder);
        let is_old = found["out.csv"] == before["out.csv"];
        let has_notes = found.keys().any(|name| name.ends_with("/decided.json"));
        (is_old && has_notes).then_some(found)
    });
    let kept = kept.expect("some run was killed while it decided");
    let resumed = format!("{SPILLED} --resume");
    let steps = steps_of(&folder, &kept, &resumed);
    let mut failed = 0;
    for step in 0..steps {
        put_back(&folder, &kept);
        let ended = run(&folder, &resumed, step, "refused");
        let left = files(&folder);
        if ended.code == Some(0) {
            assert_ne!(left["out.csv"], before["out.csv"], "step {step}");
            continue;
        }
        failed += 1;
        assert_eq!(ended.code, Some(5), "step {step}: {}", ended.stderr);
        let spilled: Vec<&String> = left.keys().filter(|name| name.contains(".spill")).collect();
        assert!(spilled.is_empty(), "step {step}: {spilled:?}: {}", ended.stderr);
        assert_eq!(left["out.csv"], before["out.csv"], "step {step}");
    }
    assert!(failed > 10, "only {failed} of {steps} runs failed");
}
