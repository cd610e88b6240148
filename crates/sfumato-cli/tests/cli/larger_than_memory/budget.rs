//! A limit of memory is kept whatever the shape of the table, and nothing ordinary is refused:
//! narrow and wide tables, many different texts, long ones, people, missing cells.

use std::fmt::Write as _;

use crate::support::{Folder, rows};

/// What the program takes by itself, in an optimized build.
const PROGRAM: u64 = 24 << 20;
const LEAST: u64 = 64 << 20;

/// Random numbers that are the same each time.
struct Random(u64);

impl Random {
    fn below(&mut self, n: u64) -> u64 {
        self.0 = self.0.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        (self.0 >> 33) % n
    }
}

/// A table with a header and so many rows.
fn table(header: &str, n: u64, row: impl Fn(u64, &mut Random) -> String) -> String {
    let mut random = Random(7);
    let mut text = format!("{header}\n");
    for i in 0..n {
        let _ = writeln!(text, "{}", row(i, &mut random));
    }
    text
}

/// The largest memory that a run took. A run of a few rows in the same build says what is code.
fn peak(folder: &Folder, words: &str) -> (u64, serde_json::Value) {
    let report = folder.report(words);
    (report["peak_rss_bytes"].as_u64().unwrap_or(0), report)
}

/// Runs a shape within the least memory, and checks what it took. Gives the report.
fn within(folder: &Folder, text: String, flags: &str) -> serde_json::Value {
    let few: String = text.lines().take(60).map(|line| format!("{line}\n")).collect();
    folder.write("few.csv", few);
    folder.write("in.csv", text);
    let run = |name: &str| {
        let ask = format!("anonymize {name}.csv -o {name}-out.csv {flags} -k 5 --seed 3");
        peak(folder, &format!("{ask} --memory 64MiB"))
    };
    let ((code, _), (taken, report)) = (run("few"), run("in"));
    let grown = taken.saturating_sub(code);
    assert!(grown <= LEAST - PROGRAM, "{flags}: {grown} bytes beyond {code}");
    let engine = report["algorithm_details"]["engine"]["name"].as_str().unwrap_or("memory");
    assert_ne!(engine, "memory", "{flags}");
    report
}

/// A column of a release, sorted.
fn column(text: &str, place: usize) -> Vec<&str> {
    let mut cells: Vec<&str> = rows(text).into_iter().skip(1).map(|row| row[place]).collect();
    cells.sort_unstable();
    cells
}

#[test]
fn texts_that_are_all_different_wait_on_disk() {
    let folder = Folder::new();
    let long = "so many words ".repeat(25);
    let shapes = [
        (60_000, "", "--keep note --accept note"),
        (20_000, long.as_str(), "--keep note --accept note"),
        (60_000, "", "--sensitive note --accept note"),
    ];
    for (n, words, flags) in shapes {
        // One in a hundred has no text, and some texts are there several times.
        let text = table("a,b,note", n, |i, random| {
            let note = match i % 100 {
                7 => String::new(),
                8 => "again".into(),
                _ => format!("{words}note {i}"),
            };
            format!("{},{},{note}", random.below(90), random.below(500))
        });
        let report = within(&folder, text, &format!("--qi a,b {flags}"));
        let parts = report["algorithm_details"]["engine"]["partitions"].as_u64().unwrap();
        assert!(words.is_empty() || parts > 1, "{parts} partitions");
        let (original, release) = (folder.text("in.csv"), folder.text("in-out.csv"));
        assert_eq!(column(&original, 2), column(&release, 2), "{flags}");
        assert_eq!(report["suppressed"]["records"], 0);
    }
}

#[test]
fn people_and_doubles_need_no_dictionary() {
    let folder = Folder::new();
    let people = table("p,a,b", 60_000, |i, random| {
        format!("person {},{},{}", random.below(i / 2 + 9), random.below(90), random.below(500))
    });
    within(&folder, people, "--subject p --qi a,b");
    let doubles = table("a,b", 30_000, |_, random| {
        let mut double = || (random.below(1 << 30) << 22 | random.below(1 << 22)) as f64;
        format!("{},{:e}", double() / (1u64 << 42) as f64, double() / (1u64 << 52) as f64)
    });
    let report = within(&folder, doubles, "--qi a,b");
    assert!(report["columns"].as_array().unwrap().iter().all(|column| column["type"] == "float"));
    let missing = table("a,b", 60_000, |_, random| {
        let mut cell =
            |n| if random.below(5) < 3 { String::new() } else { random.below(n).to_string() };
        format!("{},{}", cell(90), cell(100_000))
    });
    within(&folder, missing, "--qi a,b");
}

#[test]
fn wide_tables_keep_the_limit() {
    let folder = Folder::new();
    let names: Vec<String> = (0..60).map(|column| format!("q{column}")).collect();
    let header = names.join(",");
    let text = table(&header, 12_000, |_, random| {
        let cells: Vec<String> = (0..60).map(|_| random.below(1000).to_string()).collect();
        cells.join(",")
    });
    within(&folder, text, &format!("--qi {header}"));
}

#[test]
fn the_least_memory_is_enough_for_small_files_whatever_the_engine() {
    let folder = Folder::new();
    folder.write(
        "in.csv",
        table("a,b,c", 2000, |_, random| {
            format!("{},{},w{}", random.below(90), random.below(5000), random.below(9))
        }),
    );
    for engine in ["memory", "sample", "tree"] {
        let report = folder.report(&format!(
            "anonymize in.csv -o {engine}.csv --qi a,b --sensitive c -k 5 --memory 64MiB --engine \
                {engine} --seed 1"
        ));
        assert_eq!(report["output"]["rows"], 2000, "{engine}");
    }
    let less = folder.run("anonymize in.csv -o o.csv --qi a,b --keep c -k 5 --memory 63MiB");
    assert_eq!(less.code, 2, "{}", less.stderr);
    assert!(less.stderr.contains("--memory must be at least 64.0 MiB"), "{}", less.stderr);
}
