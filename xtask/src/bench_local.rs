//! `cargo xtask bench-local`: every local recoding of the catalogue on several data sets for
//! several k, with one thread and one table per data set. It only runs the finished program and
//! reads its reports; it measures no loss of its own.

use std::fmt::Write as _;
use std::path::Path;

use crate::Outcome;
use crate::bench_recode::data::{self, DataSet};
use crate::bench_recode::measure::{self, Run, Sample, Settings};
use crate::bench_recode::peers::{PEERS, Peer};
use crate::bench_recode::{Family, algorithms, folder, program};

/// The values of k in the tables.
const SIZES: [u32; 6] = [2, 5, 10, 25, 50, 100];
/// The values of k for which slow algorithms run.
const FEW_SIZES: [u32; 2] = [5, 10];
/// Algorithms that compare records with each other: their time grows with the square of the rows.
const QUADRATIC: [&str; 4] = ["bottom-up", "top-down", "k-member", "r-gather"];

/// What the flags ask for.
struct Options {
    high: bool,
    all: bool,
    names: Vec<String>,
}

/// An algorithm with its parameters and effort.
struct Variant {
    title: String,
    algorithm: String,
    effort: &'static str,
    quadratic: bool,
}

/// Run the suite: all data sets unless some are named.
pub fn run(arguments: &[String]) -> Outcome {
    let options = options(arguments)?;
    let folder = folder()?;
    let program = program()?;
    let variants = variants(&program, options.high)?;
    let mut text = String::new();
    for name in data::NAMES {
        if !options.names.is_empty() && !options.names.iter().any(|wanted| wanted == name) {
            continue;
        }
        match data::prepare(name, &program, &folder)? {
            Ok(set) => text += &table(&set, &variants, &options, &program, &folder)?,
            Err(why) => text += &format!("### {name}\n\nSkipped: {why}.\n\n"),
        }
        // After each data set, so that a run that is broken off leaves what it measured.
        let path = folder.join("local.md");
        std::fs::write(&path, &text).map_err(|error| format!("{}: {error}", path.display()))?;
    }
    print!("{text}");
    Ok(())
}

fn options(arguments: &[String]) -> Result<Options, String> {
    let mut options = Options { high: false, all: false, names: Vec::new() };
    for argument in arguments {
        match argument.as_str() {
            "--high" => options.high = true,
            "--all" => options.all = true,
            name if data::NAMES.contains(&name) => options.names.push(name.into()),
            other => {
                return Err(format!(
                    "{other}? usage: cargo xtask bench-local [--high] [--all] [{}]\n\
                     --high  also peel with effort high\n\
                     --all   the slow algorithms for every k and on the large data sets too\n\
                     SFUMATO_BIN names a finished program, SFUMATO_DATA the folder of the data; \
                     tables also go to bench/local.md in the target folder",
                    data::NAMES.join(" | ")
                ));
            }
        }
    }
    Ok(options)
}

/// The local algorithms of the catalogue, some of them with several settings.
fn variants(program: &Path, high: bool) -> Result<Vec<Variant>, String> {
    let names = algorithms(program, Family::Local)?;
    let mut variants = Vec::new();
    for name in names.iter().map(String::as_str) {
        let mut add = |title: &str, algorithm: &str, effort| {
            let quadratic = QUADRATIC.contains(&name);
            variants.push(Variant {
                title: title.into(),
                algorithm: algorithm.into(),
                effort,
                quadratic,
            });
        };
        match name {
            "peel" => {
                add("peel, effort low", name, "low");
                add("peel", name, "normal");
                if high {
                    add("peel, effort high", name, "high");
                }
            }
            "mondrian" => {
                add(name, name, "normal");
                let papers = "mondrian(split=widest, leftovers=none, cuts=median)";
                add("mondrian, as in the papers", papers, "normal");
            }
            _ => add(name, name, "normal"),
        }
    }
    Ok(variants)
}

/// Measure one data set.
fn table(
    set: &DataSet,
    variants: &[Variant],
    options: &Options,
    program: &Path,
    folder: &Path,
) -> Result<String, String> {
    let mut text = format!("### {}\n\n{}", set.name, set.caption);
    if set.slow != data::Slow::Every && !options.all {
        let slow = QUADRATIC.map(|name| format!("`{name}`")).join(", ");
        match set.slow {
            data::Slow::Few => write!(text, " {slow} run for k = 5 and 10 only."),
            _ => write!(text, " {slow} aren't run: see the sample."),
        }
        .map_err(|error| error.to_string())?;
    }
    text += "\n\n| k | algorithm | NCP | discernibility | C_avg | classes | anonymize | CPU of the \
        job | peak RSS | NCP at least |\n";
    text += "|---|---|---|---|---|---|---|---|---|---|\n";
    let mut too_slow = vec![false; variants.len()];
    for k in SIZES {
        for (variant, too_slow) in variants.iter().zip(&mut too_slow) {
            let wanted = options.all
                || !variant.quadratic
                || set.slow == data::Slow::Every
                || (set.slow == data::Slow::Few && FEW_SIZES.contains(&k));
            if !wanted {
                continue;
            }
            // One run over the limit says enough about the other k.
            let run = if *too_slow {
                Run::Failed { why: "not run: too slow for a smaller k".into(), code: None }
            } else {
                let settings = Settings {
                    effort: variant.effort,
                    k: Some(k),
                    ..Settings::of(&variant.algorithm)
                };
                measure::one(program, folder, set, &settings)?
            };
            *too_slow |= matches!(run, Run::TooSlow);
            let line = line(k, &variant.title, &run);
            eprint!("{}: {line}", set.name);
            text += &line;
        }
        if set.name == "adult" {
            PEERS.iter().filter(|peer| peer.k == k).for_each(|peer| text += &peer_line(peer));
        }
    }
    Ok(text + "\n")
}

fn line(k: u32, title: &str, run: &Run) -> String {
    match run {
        Run::Done(sample) => {
            let Sample {
                ncp, discernibility, c_avg, classes, seconds, cpu, peak, lower_bound, ..
            } = sample;
            let cpu = cpu.map_or("-".into(), |cpu| format!("{cpu:.2} s"));
            let bound = lower_bound.map_or(String::new(), |bound| format!("{bound:.4}"));
            let mib = peak / f64::from(1 << 20);
            format!(
                "| {k} | {title} | {ncp:.4} | {discernibility:.2e} | {c_avg:.3} | {classes} | \
                    {seconds:.2} s | {cpu} | {mib:.0} MiB | {bound} |\n"
            )
        }
        Run::TooSlow => {
            format!("| {k} | {title} | | | | | > {} s | | | |\n", measure::LIMIT.as_secs())
        }
        Run::Failed { why, .. } => format!("| {k} | {title} | {why} | | | | | | | |\n"),
    }
}

fn peer_line(peer: &Peer) -> String {
    let Peer { k, name, ncp, discernibility, classes, seconds, suppressed } = peer;
    let kept = 30_162 - suppressed;
    let c_avg = kept as f64 / *classes as f64 / f64::from(*k);
    let dropped = if *suppressed == 0 {
        String::new()
    } else {
        format!(" ({suppressed} records suppressed)")
    };
    format!(
        "| {k} | *{name}*{dropped} | {ncp:.4} | {discernibility:.2e} | {c_avg:.3} | {classes} | \
            {seconds} CPU s | | | |\n"
    )
}
