//! `cargo xtask memory [--rows PERCENT] [--only SHAPE] PROGRAM`: runs a program over tables of many
//! shapes with little memory, and measures from outside what it takes. It fails if a run fails or
//! takes more than it was allowed.

mod shapes;

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use crate::bench::target_folder;
use crate::{Outcome, cargo, sh};
use shapes::{SHAPES, Shape};

/// The budgets, in MiB.
const BUDGETS: [u64; 4] = [64, 96, 128, 256];
/// The pages of its own file that a program takes in an optimized build, in KiB. One that isn't
/// optimized takes more, which says nothing about data.
const CODE: u64 = 26 << 10;
/// How often the memory of a run is looked at.
const LOOK: Duration = Duration::from_millis(5);

/// What a run took.
struct Taken {
    /// The exit code; `None` if it was killed.
    code: Option<i32>,
    /// The largest resident memory in KiB, but for code beyond that of an optimized build.
    peak: u64,
    time: Duration,
    error: String,
}

/// Build the program as it is released, and measure it at full size.
pub fn check() -> Outcome {
    sh(&cargo(), &["build", "--release", "-p", "sfumato-cli"])?;
    run(&[target_folder().join("release/sfumato").display().to_string()])
}

/// Measure all shapes with all budgets.
pub fn run(arguments: &[String]) -> Outcome {
    let wanted = Wanted::parse(arguments)?;
    let folder = std::env::temp_dir().join(format!("sfumato-memory-{}", std::process::id()));
    std::fs::create_dir_all(&folder).map_err(|error| error.to_string())?;
    let measured = measure(&wanted, &folder);
    // It may be in use by nobody now; what can't be removed is no reason to fail.
    let _ = std::fs::remove_dir_all(&folder);
    match measured? {
        0 => Ok(()),
        n => Err(format!("{n} runs failed or took more memory than they were allowed")),
    }
}

struct Wanted {
    program: PathBuf,
    percent: u64,
    only: Option<String>,
}

impl Wanted {
    fn parse(arguments: &[String]) -> Result<Self, String> {
        let usage = || "usage: cargo xtask memory [--rows PERCENT] [--only SHAPE] PROGRAM".into();
        let mut wanted = Wanted { program: PathBuf::new(), percent: 100, only: None };
        let mut rest = arguments.iter();
        while let Some(argument) = rest.next() {
            match argument.as_str() {
                "--rows" => {
                    let percent = rest.next().and_then(|text| text.parse().ok());
                    wanted.percent = percent.ok_or_else(usage)?;
                }
                "--only" => wanted.only = Some(rest.next().ok_or_else(usage)?.clone()),
                program => wanted.program = program.into(),
            }
        }
        match wanted.program.is_file() {
            true => Ok(wanted),
            false => Err(usage()),
        }
    }
}

/// The number of runs that failed or took too much. A line of the table is printed for each shape.
fn measure(wanted: &Wanted, folder: &Path) -> Result<usize, String> {
    let heads: Vec<String> = BUDGETS.iter().map(|budget| format!("{budget} MiB")).collect();
    println!("| shape | rows | {} |", heads.join(" | "));
    println!("|---|---|{}", "---|".repeat(BUDGETS.len()));
    let mut failed = 0;
    let is_wanted = |shape: &&Shape| wanted.only.as_ref().is_none_or(|only| shape.name == only);
    for shape in SHAPES.iter().filter(is_wanted) {
        let rows = (shape.rows * wanted.percent / 100).max(1000);
        let input = folder.join(shape.name).with_extension("csv");
        shape.write(&input, rows).map_err(|error| error.to_string())?;
        let mut cells = Vec::new();
        for budget in BUDGETS {
            let taken = run_once(wanted, shape, &input, budget)?;
            let is_bad = taken.code != Some(0) || taken.peak > budget << 10;
            failed += usize::from(is_bad);
            cells.push(match taken.code {
                Some(0) => format!(
                    "{} MiB, {:.1} s{}",
                    taken.peak >> 10,
                    taken.time.as_secs_f64(),
                    if is_bad { " **too much**" } else { "" }
                ),
                code => format!("**exit {code:?}**"),
            });
            if !taken.error.is_empty() {
                eprintln!("{} with {budget} MiB: {}", shape.name, taken.error);
            }
        }
        println!("| {} | {rows} | {} |", shape.name, cells.join(" | "));
        let _ = std::fs::remove_file(&input);
    }
    Ok(failed)
}

fn run_once(wanted: &Wanted, shape: &Shape, input: &Path, budget: u64) -> Result<Taken, String> {
    let output = input.with_extension("release.csv");
    let error_file = input.with_extension("err");
    let errors = std::fs::File::create(&error_file).map_err(|error| error.to_string())?;
    let flags = (shape.flags)();
    let begun = Instant::now();
    let mut child = Command::new(&wanted.program)
        .arg("anonymize")
        .arg(input)
        .arg("-o")
        .arg(&output)
        .args(["-k", "10", "--seed", "1", "--memory", &format!("{budget}MiB")])
        .args(flags.split(' '))
        .stdout(Stdio::null())
        .stderr(errors)
        .spawn()
        .map_err(|error| format!("can't run {}: {error}", wanted.program.display()))?;
    let (mut peak, mut code_pages) = (0, 0);
    let status = loop {
        let look = |name: &str| {
            let status = std::fs::read_to_string(format!("/proc/{}/status", child.id())).ok()?;
            let line = status.lines().find(|line| line.starts_with(name))?;
            line.split_whitespace().nth(1)?.parse::<u64>().ok()
        };
        peak = peak.max(look("VmHWM:").unwrap_or(0));
        code_pages = code_pages.max(look("RssFile:").unwrap_or(0));
        if let Some(status) = child.try_wait().map_err(|error| error.to_string())? {
            break status;
        }
        std::thread::sleep(LOOK);
    };
    let said = std::fs::read_to_string(&error_file).unwrap_or_default();
    let error = said.lines().find(|line| line.starts_with("error")).unwrap_or_default();
    let _ = std::fs::remove_file(&output);
    if peak == 0 {
        return Err("the memory of a process can't be read here: /proc/PID/status is needed".into());
    }
    Ok(Taken {
        code: status.code(),
        peak: peak - code_pages.saturating_sub(CODE),
        time: begun.elapsed(),
        error: error.into(),
    })
}
