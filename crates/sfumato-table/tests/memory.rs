//! Memory as the allocator sees it: a limit is kept over shapes of tables, the books of a run miss
//! little of what is allocated, and a run whose memory ends in the middle leaves nothing half.
//!
//! For the last, the n-th allocation of a process is refused.
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
use std::sync::{Mutex, MutexGuard, PoisonError};

use sfumato_core::observer::Unobserved;
use sfumato_engine::Job;

/// Bytes that are allocated now, and the most that ever were since this was last reset.
static LIVE: AtomicU64 = AtomicU64::new(0);
static MOST: AtomicU64 = AtomicU64::new(0);
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
        let live = LIVE.fetch_add(layout.size() as u64, Ordering::Relaxed) + layout.size() as u64;
        MOST.fetch_max(live, Ordering::Relaxed);
        // SAFETY: the caller promises what the system's allocator asks for.
        unsafe { System.alloc(layout) }
    }

    unsafe fn dealloc(&self, pointer: *mut u8, layout: Layout) {
        LIVE.fetch_sub(layout.size() as u64, Ordering::Relaxed);
        // SAFETY: the pointer came from the system's allocator with this layout.
        unsafe { System.dealloc(pointer, layout) }
    }
}

#[global_allocator]
static ALLOCATOR: Refusing = Refusing;

/// All memory of the process is counted: one test runs at a time.
fn alone() -> MutexGuard<'static, ()> {
    static ALONE: Mutex<()> = Mutex::new(());
    ALONE.lock().unwrap_or_else(PoisonError::into_inner)
}

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
    let _alone = alone();
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

/// The limit of the runs below, and what of it the program itself has.
const LIMIT: u64 = 64 << 20;
const PROGRAM: u64 = 24 << 20;
/// What may be allocated and nobody books: small things, and what is there for a moment.
const MISSED: u64 = 12 << 20;

/// Random numbers that are the same each time.
struct Random(u64);

impl Random {
    fn below(&mut self, n: u64) -> u64 {
        self.0 = self.0.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        (self.0 >> 33) % n
    }
}

/// A table: its name, its columns with the role of each, how many rows, and the cells of one.
type Shape = (&'static str, String, u64, fn(u64, &mut Random) -> String);

fn quasi(names: &[&str], others: &str) -> String {
    let column = |name: &&str| format!("{name} = {{ role = \"quasi\" }}\n");
    names.iter().map(column).collect::<String>() + others
}

const KEPT: &str = "note = { role = \"keep\", accept = true }\n";

fn shapes() -> Vec<Shape> {
    let wide: Vec<String> = (0..60).map(|column| format!("q{column}")).collect();
    let wide: Vec<&str> = wide.iter().map(String::as_str).collect();
    let person = "person = { role = \"subject\" }\n";
    vec![
        ("narrow", quasi(&["a", "b"], ""), 60_000, |_, random| {
            format!("{},{}", random.below(90), random.below(5000))
        }),
        ("wide", quasi(&wide, ""), 8000, |_, random| {
            let cells: Vec<String> = (0..60).map(|_| random.below(1000).to_string()).collect();
            cells.join(",")
        }),
        ("many values", quasi(&["a", "b"], ""), 50_000, |_, random| {
            format!("{},{}", random.below(1 << 30), random.below(1 << 30))
        }),
        ("random doubles", quasi(&["a", "b"], ""), 30_000, |_, random| {
            let mut double = || (random.below(1 << 30) << 22 | random.below(1 << 22)) as f64;
            format!("{},{:e}", double() / (1u64 << 42) as f64, double() / (1u64 << 52) as f64)
        }),
        ("long texts", quasi(&["a"], KEPT), 12_000, |row, random| {
            format!("{},{}{row}", random.below(90), "so many words ".repeat(25))
        }),
        ("people", quasi(&["a", "b"], person), 50_000, |row, random| {
            let (a, b) = (random.below(90), random.below(500));
            format!("{a},{b},person {}", random.below(row / 2 + 9))
        }),
        ("missing values", quasi(&["a", "b"], ""), 50_000, |_, random| {
            let mut cell =
                |n| if random.below(5) < 3 { String::new() } else { random.below(n).to_string() };
            format!("{},{}", cell(90), cell(100_000))
        }),
    ]
}

/// Run a job within the limit. Gives its report, and the bytes that were allocated at most.
fn within(folder: &Path, columns: &str, engine: &str) -> (serde_json::Value, u64) {
    let text = format!(
        "[input]\npath = \"in.csv\"\n[columns]\n{columns}[privacy]\n\
         models = [\"k-anonymity(k=5)\"]\n[run]\nseed = 3\nmemory = \"64MiB\"\n\
         engine = \"{engine}\"\n[output]\npath = \"out.csv\"\n"
    );
    let job = Job::parse(&text, "release.toml", folder).unwrap();
    let entry = sfumato_table::RELEASES.iter().find(|entry| entry.form() == "generalized");
    let before = LIVE.load(Ordering::Relaxed);
    MOST.store(before, Ordering::Relaxed);
    let report = entry.unwrap().run(&job, &Unobserved).unwrap();
    let most = MOST.load(Ordering::Relaxed) - before;
    (serde_json::to_value(&report).unwrap(), most)
}

#[test]
fn books_are_within_the_limit_and_miss_little_of_what_is_allocated() {
    let _alone = alone();
    for (name, columns, n, row) in shapes() {
        let home = tempfile::tempdir().unwrap();
        let mut random = Random(7);
        let header: Vec<&str> = columns.lines().filter_map(|line| line.split(' ').next()).collect();
        let mut text = header.join(",") + "\n";
        (0..n).for_each(|i| text += &(row(i, &mut random) + "\n"));
        std::fs::write(home.path().join("in.csv"), text).unwrap();
        let (report, most) = within(home.path(), &columns, "sample");
        let books = &report["algorithm_details"]["engine"]["accounted"];
        let booked = books["peak_bytes"].as_u64().unwrap();
        println!("{name}: {most} bytes allocated, {booked} booked, {}", books["held_at_peak"]);
        assert!(most <= LIMIT - PROGRAM, "{name}: {most} bytes were allocated");
        assert!(booked <= LIMIT, "{name}: {booked} bytes were booked");
        let missed = most.saturating_sub(booked - PROGRAM);
        assert!(missed <= MISSED, "{name}: {missed} of {most} bytes weren't booked");
        assert_eq!(report["output"]["rows"], n, "{name}");
    }
}

#[test]
fn a_run_that_takes_too_much_says_so_and_who_held_it() {
    let _alone = alone();
    let home = tempfile::tempdir().unwrap();
    // Nothing can be done about a cell that is larger than the limit.
    let cell = "so many words ".repeat(4 << 20);
    let mut text = String::from("a,note\n");
    for i in 0..3000 {
        let _ = writeln!(text, "{},{}", i % 90, if i == 1700 { cell.as_str() } else { "nothing" });
    }
    std::fs::write(home.path().join("in.csv"), text).unwrap();
    let (report, _) = within(home.path(), &quasi(&["a"], KEPT), "sample");
    let warnings = report["warnings"].as_array().unwrap();
    let warning = warnings.iter().filter_map(|warning| warning.as_str());
    let says = "more than the 64.0 MiB that --memory allows; most of it was booked by: ";
    let warning = warning.into_iter().find(|warning| warning.contains(says)).unwrap();
    assert!(warning.contains("text that is read"), "{warning}");
}
