//! Memory that runs out in the middle of a run: the n-th allocation of a process is refused.
//!
//! Rust's collections don't ask whether they get memory: a refusal ends the process at once, as a
//! kill does, with nothing written, removed or said by us. What must hold then is what holds after
//! a kill: each file is the old one or the new one, whole, and the next run clears up. The system
//! ends a process of its own accord at the same places, so nothing is gained by catching some.

#![allow(clippy::unwrap_used)]
#![allow(unsafe_code, reason = "an allocator that refuses can't be written otherwise")]

use std::alloc::{GlobalAlloc, Layout, System};
use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::path::Path;
use std::process::{Command, Output};
use std::sync::atomic::{AtomicU64, Ordering};

use sfumato_core::observer::Unobserved;
use sfumato_engine::Job;

/// The allocations so far.
static COUNT: AtomicU64 = AtomicU64::new(0);
/// The allocation that is refused, counted from one; none is if this is zero.
static REFUSED: AtomicU64 = AtomicU64::new(0);

struct Refusing;

// SAFETY: everything is the system's allocator, but for a refusal, which an allocator may give.
unsafe impl GlobalAlloc for Refusing {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        let number = COUNT.fetch_add(1, Ordering::Relaxed) + 1;
        if number == REFUSED.load(Ordering::Relaxed) {
            return std::ptr::null_mut();
        }
        // SAFETY: the caller promises what the system's allocator asks for.
        unsafe { System.alloc(layout) }
    }

    unsafe fn dealloc(&self, pointer: *mut u8, layout: Layout) {
        // SAFETY: the pointer came from the system's allocator with this layout.
        unsafe { System.dealloc(pointer, layout) }
    }
}

#[global_allocator]
static ALLOCATOR: Refusing = Refusing;

/// What a child is told: the folder, and which allocation is refused.
const FOLDER: &str = "SFUMATO_TEST_FOLDER";
const WHICH: &str = "SFUMATO_TEST_REFUSED";
/// What a child prints before the number of allocations.
const COUNTED: &str = "allocations: ";
/// The test, which is also what a child runs.
const TEST: &str =
    "a_refused_allocation_leaves_each_file_as_it_was_or_whole_and_the_next_run_clears_up";
/// How many allocations of a run are refused, one in each child.
const TRIED: u64 = 60;

const JOB: &str = r#"
[input]
path = "people.csv"
[columns]
age = { role = "quasi" }
zip = { role = "quasi" }
disease = { role = "sensitive" }
[privacy]
models = ["k-anonymity(k=3)", "l-diversity-distinct(l=2, on=disease)"]
[run]
seed = 1
threads = 1
[output]
path = "release.csv"
report = "private.json"
recoding = "recoding.json"
"#;

fn people(n: u32) -> String {
    let mut text = String::from("age,zip,disease\n");
    for i in 0..n {
        let (age, zip) = (20 + i * 7 % 50, 1000 + i * 13 % 90);
        let _ = writeln!(text, "{age},{zip},d{}", i % 7);
    }
    text
}

/// The files of a folder. Reports have their times: whether they are whole is all that is kept.
fn files(folder: &Path) -> BTreeMap<String, String> {
    let entries = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap());
    let text = |path: &Path| match std::fs::read_to_string(path).unwrap() {
        text if path.ends_with("private.json") => {
            serde_json::from_str::<serde_json::Value>(&text).map_or("half", |_| "whole").to_string()
        }
        text => text,
    };
    entries.map(|entry| (entry.file_name().into_string().unwrap(), text(&entry.path()))).collect()
}

/// Run the job of a folder in this process, and count.
fn run(folder: &Path) {
    let job = Job::parse(JOB, "release.toml", folder).unwrap();
    let entry = sfumato_table::RELEASES.iter().find(|entry| entry.form() == "generalized");
    entry.unwrap().run(&job, &Unobserved).unwrap();
}

/// What a child does in place of the test.
fn act_as_child(folder: &Path) {
    let which: u64 = std::env::var(WHICH).unwrap().parse().unwrap();
    COUNT.store(0, Ordering::Relaxed);
    REFUSED.store(which, Ordering::Relaxed);
    run(folder);
    let count = COUNT.load(Ordering::Relaxed);
    REFUSED.store(0, Ordering::Relaxed);
    println!("{COUNTED}{count}");
}

fn run_child(folder: &Path, which: u64) -> Output {
    Command::new(std::env::current_exe().unwrap())
        .args([TEST, "--exact", "--nocapture", "--test-threads=1"])
        .env(FOLDER, folder)
        .env(WHICH, which.to_string())
        .env("RUST_BACKTRACE", "0")
        .output()
        .unwrap()
}

#[test]
fn a_refused_allocation_leaves_each_file_as_it_was_or_whole_and_the_next_run_clears_up() {
    if let Some(folder) = std::env::var_os(FOLDER) {
        return act_as_child(Path::new(&folder));
    }
    let home = tempfile::tempdir().unwrap();
    let folder = home.path();
    // An earlier release of other people, so that there is something to lose.
    std::fs::write(folder.join("people.csv"), people(90)).unwrap();
    run_child(folder, 0);
    let before = files(folder);
    assert_eq!(before.len(), 5, "{:?}", before.keys());
    std::fs::write(folder.join("people.csv"), people(120)).unwrap();
    let counted = run_child(folder, 0);
    let said = String::from_utf8(counted.stdout).unwrap();
    let count = said.split_once(COUNTED).and_then(|(_, rest)| rest.lines().next()).unwrap();
    let count: u64 = count.trim().parse().unwrap();
    let after = files(folder);
    assert!(before.keys().eq(after.keys()) && before["release.csv"] != after["release.csv"]);
    let (mut ended, mut mixed, mut left) = (0, 0, 0);
    // Half of them all over the run, half at its end, where files get their names.
    let spread = (1..=TRIED / 2).map(|n| n * count / (TRIED / 2));
    let last = (0..TRIED / 2).map(|n| count.saturating_sub(n * n));
    for which in spread.chain(last) {
        for (name, text) in before.iter().filter(|(name, _)| *name != "people.csv") {
            let text = if name == "private.json" { "{}" } else { text };
            std::fs::write(folder.join(name), text).unwrap();
        }
        let output = run_child(folder, which);
        let found = files(folder);
        ended += u32::from(!output.status.success());
        let is_hidden = |name: &String| name.starts_with('.');
        left += found.keys().filter(|name| is_hidden(name)).count();
        for name in before.keys() {
            let is_whole = |of: &BTreeMap<String, String>| found.get(name) == of.get(name);
            assert!(is_whole(&before) || is_whole(&after), "allocation {which}: {name} is half");
        }
        // The release is named last: a new one has all that belongs to it.
        let is_new = |name: &str| found[name] == after[name];
        if is_new("release.csv") {
            assert!(is_new("recoding.json") && is_new("private.json"), "allocation {which}");
        }
        mixed += u32::from(!is_new("release.csv") && is_new("recoding.json"));
        assert!(found.keys().all(|name| is_hidden(name) || before.contains_key(name)));
        if !output.status.success() {
            let said = String::from_utf8_lossy(&output.stderr);
            assert!(said.contains("memory allocation of"), "{said}");
            assert!(run_child(folder, 0).status.success());
            assert_eq!(files(folder), after, "after allocation {which}");
        }
    }
    println!(
        "{count} allocations, {TRIED} refused: {ended} ended the process, {left} hidden files \
         cleared up by the next run, {mixed} between two names"
    );
    assert!(u64::from(ended) > TRIED / 2, "{ended} of {TRIED}");
}
