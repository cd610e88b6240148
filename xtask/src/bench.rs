//! `cargo xtask bench [rows ...]`: a whole run, file in to verified file out, against polars merely
//! reading and rewriting the same file. It shows ratios within one run, because machines are noisy.
//! The table goes to standard output.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Instant;

use crate::{Outcome, bench_compare, cargo, root, sh};

/// The number of rounds per size; the best of each side counts.
const ROUNDS: usize = 3;

/// Run the suite: with 1M, 5M and 20M rows unless sizes are given.
pub fn run(arguments: &[String]) -> Outcome {
    if let [flag, revision] = arguments
        && flag == "--compare"
    {
        return bench_compare::run(revision);
    }
    let sizes: Vec<u64> = match arguments {
        [] => vec![1_000_000, 5_000_000, 20_000_000],
        given => given
            .iter()
            .map(|n| n.parse().map_err(|_| format!("not a number of rows: {n}")))
            .collect::<Result<_, _>>()?,
    };
    sh(&cargo(), &["build", "--release", "--package", "sfumato-cli"])?;
    let folder = target_folder().join("bench");
    std::fs::create_dir_all(&folder).map_err(|error| error.to_string())?;
    let python = polars(&folder)?;
    println!(
        "| rows | input | polars read + write | sfumato, k = 10 | ratio | read | encode | \
            anonymize | write | verify | measure | codes | peak RSS | peak / codes |"
    );
    println!("|---|---|---|---|---|---|---|---|---|---|---|---|---|---|");
    sizes.iter().try_for_each(|rows| one_size(*rows, &folder, &python))
}

/// The target folder of cargo.
pub fn target_folder() -> PathBuf {
    std::env::var_os("CARGO_TARGET_DIR").map_or_else(|| root().join("target"), PathBuf::from)
}

/// The path of a Python with polars, installed in a folder of its own.
fn polars(folder: &Path) -> Result<PathBuf, String> {
    let python = folder.join("venv/bin/python");
    if !python.exists() {
        let venv = folder.join("venv").display().to_string();
        sh("python3", &["-m", "venv", &venv])?;
        sh(&python.display().to_string(), &["-m", "pip", "install", "--quiet", "polars"])?;
    }
    Ok(python)
}

fn one_size(rows: u64, folder: &Path, python: &Path) -> Outcome {
    let sfumato = target_folder().join("release/sfumato").display().to_string();
    let path = |name: &str| folder.join(name).display().to_string();
    let (input, hierarchies) = (path(&format!("census-{rows}.csv")), path("hierarchies"));
    if !Path::new(&input).exists() {
        sh(
            &sfumato,
            &[
                "generate",
                "census",
                "--rows",
                &rows.to_string(),
                "-o",
                &input,
                "--companions",
                &hierarchies,
            ],
        )?;
    }
    let header = first_line(&input)?;
    let mut best_polars = f64::INFINITY;
    let mut best: Option<(f64, serde_json::Value)> = None;
    for _ in 0..ROUNDS {
        let script = root().join("benches/rewrite_polars.py").display().to_string();
        let output = take(Command::new(python).args([&script, &input, &path("rewritten.csv")]))?;
        let wall: f64 = output
            .split_whitespace()
            .next()
            .and_then(|w| w.parse().ok())
            .ok_or("polars said nothing")?;
        best_polars = best_polars.min(wall);
        let mut command = Command::new(&sfumato);
        command.args([
            "anonymize",
            &input,
            "-o",
            &path("release.csv"),
            "-k",
            "10",
            "--json",
            "--qi",
            &header,
        ]);
        for column in header.split(',') {
            command
                .arg("--hierarchy")
                .arg(format!("{column}={hierarchies}/census_hierarchy_{column}.csv"));
        }
        let start = Instant::now();
        let report = take(&mut command)?;
        let wall = start.elapsed().as_secs_f64();
        if best.as_ref().is_none_or(|(fastest, _)| wall < *fastest) {
            best = Some((wall, serde_json::from_str(&report).map_err(|error| error.to_string())?));
        }
    }
    let (wall, report) = best.ok_or("no round was run")?;
    row(rows, header.split(',').count() as u64, best_polars, wall, &report);
    for name in ["rewritten.csv", "release.csv"] {
        let _ = std::fs::remove_file(folder.join(name));
    }
    Ok(())
}

fn row(rows: u64, columns: u64, polars: f64, wall: f64, report: &serde_json::Value) {
    let seconds = |stage: &str| report["timings_ms"][stage].as_f64().unwrap_or(f64::NAN) / 1e3;
    let mib = |bytes: f64| bytes / f64::from(1 << 20);
    let peak = report["peak_rss_bytes"].as_f64().unwrap_or(f64::NAN);
    // Every census column has at most 255 values: one byte a cell.
    let codes = (rows * columns) as f64;
    println!(
        "| {rows} | {:.0} MiB | {polars:.2} s | {wall:.2} s | {:.2} | {:.2} | {:.2} | {:.2} | \
            {:.2} | {:.2} | {:.2} | {:.0} MiB | {:.0} MiB | {:.2} |",
        mib(report["input"]["bytes"].as_f64().unwrap_or(f64::NAN)),
        wall / polars,
        seconds("read"),
        seconds("encode"),
        seconds("anonymize"),
        seconds("write"),
        seconds("verify"),
        seconds("measure"),
        mib(codes),
        mib(peak),
        peak / codes,
    );
}

/// The first line of a file.
pub fn first_line(path: &str) -> Result<String, String> {
    use std::io::BufRead as _;
    let file = std::fs::File::open(path).map_err(|error| format!("{path}: {error}"))?;
    let mut line = String::new();
    std::io::BufReader::new(file)
        .read_line(&mut line)
        .map_err(|error| format!("{path}: {error}"))?;
    Ok(line.trim_end().to_string())
}

fn take(command: &mut Command) -> Result<String, String> {
    let output = command.output().map_err(|error| format!("can't run {command:?}: {error}"))?;
    if !output.status.success() {
        return Err(format!("{command:?}: {}", String::from_utf8_lossy(&output.stderr)));
    }
    Ok(String::from_utf8_lossy(&output.stdout).into_owned())
}
