//! `cargo xtask bench-global`: the global recodings of the catalogue, in four sections, with one
//! file for each. It only runs the finished program and reads its reports; it measures no loss of
//! its own.

mod adult;
mod blown_up;
mod diversity;
mod million;

use std::path::Path;

use crate::Outcome;
use crate::bench_recode::measure::{self, Run, Sample};
use crate::bench_recode::{folder, program};

/// A section: its head and text, or why it must be skipped.
type Section = Result<Result<String, String>, String>;
/// A function that measures a section, given the program and the folder of the benchmark.
type Measure = fn(&Path, &Path) -> Section;

/// The name, title and function of all sections, in the order of the text.
const SECTIONS: [(&str, &str, Measure); 4] = [
    ("adult", "Adult: every algorithm", adult::section),
    ("diversity", "Adult: diversity and closeness", diversity::section),
    ("million", "A million rows", million::section),
    ("hdtds", "Adult blown up to a million records", blown_up::section),
];

/// How many records may be suppressed in the sections that compare: as an argument of the program,
/// and as a text for people.
const SUPPRESSIONS: [(&str, &str); 2] = [("0", "0 %"), ("5%", "5 %")];

/// Run the suite: all sections unless some are named.
pub fn run(arguments: &[String]) -> Outcome {
    let names = SECTIONS.map(|(name, _, _)| name);
    if let Some(other) = arguments.iter().find(|argument| !names.contains(&argument.as_str())) {
        return Err(format!(
            "{other}? usage: cargo xtask bench-global [{}]\n\
             SFUMATO_BIN names a finished program, SFUMATO_DATA the folder of the data; tables \
             also go to bench/global.md in the target folder",
            names.join(" | ")
        ));
    }
    let folder = folder()?;
    let program = program()?;
    let mut text = String::new();
    for (name, title, measure) in SECTIONS {
        if !arguments.is_empty() && !arguments.iter().any(|wanted| wanted == name) {
            continue;
        }
        let section =
            measure(&program, &folder)?.unwrap_or_else(|why| format!("Skipped: {why}.\n"));
        text += &format!("### {title}\n\n{section}\n");
        // After each section, so that a run that is broken off leaves what it measured.
        let path = folder.join("global.md");
        std::fs::write(&path, &text).map_err(|error| format!("{}: {error}", path.display()))?;
    }
    print!("{text}");
    Ok(())
}

/// The headings of the columns that all sections share, in the order of `cells`.
const HEADS: [&str; 8] = [
    "NCP",
    "classes",
    "suppressed records",
    "anonymize",
    "CPU of the job",
    "peak RSS",
    "proven optimal",
    "nodes looked at",
];

/// The head of a table: the section's own columns, then the shared ones.
fn head(own: &[&str]) -> String {
    let names = [own, &HEADS].concat();
    format!("| {} |\n|{}\n", names.join(" | "), "---|".repeat(names.len()))
}

/// A line of a table: the section's own cells, then what was measured.
fn line(own: &[&str], run: &Run) -> String {
    let line = format!("| {} | {} |\n", own.join(" | "), cells(run).join(" | "));
    // A long run should show that it gets on.
    eprint!("{line}");
    line
}

/// What was measured, in the order of `HEADS`.
fn cells(run: &Run) -> [String; 8] {
    let empty = String::new;
    match run {
        Run::Done(sample) => [
            format!("{:.4}", sample.ncp),
            sample.classes.to_string(),
            sample.suppressed.to_string(),
            time(sample.seconds),
            cpu(sample),
            mebibytes(sample),
            sample.proven.map_or("", |proven| if proven { "yes" } else { "no" }).into(),
            sample.looked_at.map_or_else(empty, |nodes| nodes.to_string()),
        ],
        Run::TooSlow => {
            let mut cells = [(); 8].map(|()| empty());
            cells[3] = format!("> {} s", measure::LIMIT.as_secs());
            cells
        }
        Run::Failed { .. } => {
            let mut cells = [(); 8].map(|()| empty());
            cells[0] = refusal(run);
            cells
        }
    }
}

/// A refusal in one short cell: the exit code and the first clause of the message.
fn refusal(run: &Run) -> String {
    let Run::Failed { why, code } = run else { return String::new() };
    let clause = why.split(": ").find(|part| *part != "error").unwrap_or(why);
    code.map_or(clause.into(), |code| format!("refused (exit {code}): {clause}"))
}

/// A time in seconds, or in milliseconds if that reads better.
fn time(seconds: f64) -> String {
    if seconds < 1.0 { format!("{:.0} ms", seconds * 1e3) } else { format!("{seconds:.2} s") }
}

fn cpu(sample: &Sample) -> String {
    sample.cpu.map_or("-".into(), |cpu| format!("{cpu:.2} s"))
}

fn mebibytes(sample: &Sample) -> String {
    format!("{:.0} MiB", sample.peak / f64::from(1 << 20))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_refusal_is_one_short_cell() {
        let run = Run::Failed {
            why: "error: what it found was not written: k is 1".into(),
            code: Some(3),
        };
        assert_eq!(refusal(&run), "refused (exit 3): what it found was not written");
        let line = line(&["5"], &run);
        assert_eq!(
            line.matches('|').count(),
            head(&["k"]).lines().next().unwrap().matches('|').count()
        );
    }

    #[test]
    fn short_times_are_shown_in_thousandths() {
        assert_eq!(time(0.0154), "15 ms");
        assert_eq!(time(1.239), "1.24 s");
    }
}
