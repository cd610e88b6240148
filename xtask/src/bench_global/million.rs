//! A million generated rows, where rows repeat and where they don't. Two threads.

use std::path::Path;

use super::{SUPPRESSIONS, Section, cpu, mebibytes, refusal, time};
use crate::bench_recode::data::{DataSet, Slow};
use crate::bench_recode::measure::{self, Run, Settings};
use crate::sh;

const ROWS: u32 = 1_000_000;
const K: u32 = 5;
const THREADS: u32 = 2;
const ALGORITHMS: [&str; 2] = ["full-domain", "datafly"];

/// The setting of the generator, and what ARX took with 0 % and 5 % suppression for similar data.
const KINDS: [(&str, [&str; 2]); 2] = [
    ("dense", ["4.4 CPU s", "34.8 CPU s"]),
    ("sparse", ["34.8 CPU s", "not finished in 258 CPU s"]),
];

/// Measure the section. It needs no data folder.
pub fn section(program: &Path, folder: &Path) -> Section {
    let mut text = format!(
        "`sfumato generate 'census(setting=...)' --rows {ROWS} --seed 1`, nine quasi columns with \
            the generated hierarchies, \
         k = {K}, {THREADS} threads, seed 1, one run each. The lines in italics are ARX's optimal \
         full-domain recoding, \
         on one thread and on **other data** of that kind (1.19 million rows of nine columns, \
         dense ones spliced from rows of \
         Adult, sparse ones with 1.14 million distinct rows): CPU seconds of its anonymize step.\n\
         \n"
    );
    text += "| data | may be suppressed | algorithm | NCP | classes | suppressed records | \
        anonymize | CPU of the job | wall of the job | peak RSS | proven optimal | nodes looked at \
        |\n";
    text += "|---|---|---|---|---|---|---|---|---|---|---|---|\n";
    for (setting, peers) in KINDS {
        let set = generate(setting, program, folder)?;
        for ((suppression, share), peer) in SUPPRESSIONS.into_iter().zip(peers) {
            for algorithm in ALGORITHMS {
                let settings = Settings {
                    threads: THREADS,
                    suppression,
                    k: Some(K),
                    ..Settings::of(algorithm)
                };
                let run = measure::one(program, folder, &set, &settings)?;
                let line = format!("| {setting} | {share} | {algorithm} | {} |\n", cells(&run));
                eprint!("{line}");
                text += &line;
            }
            text +=
                &format!("| {setting} | {share} | *ARX, other data* | | | | {peer} | | | | | |\n");
        }
    }
    Ok(Ok(text))
}

fn cells(run: &Run) -> String {
    match run {
        Run::Done(sample) => format!(
            "{:.4} | {} | {} | {} | {} | {} | {} | {} | {}",
            sample.ncp,
            sample.classes,
            sample.suppressed,
            time(sample.seconds),
            cpu(sample),
            time(sample.wall),
            mebibytes(sample),
            sample.proven.map_or("", |proven| if proven { "yes" } else { "no" }),
            sample.looked_at.map_or(String::new(), |nodes| nodes.to_string()),
        ),
        Run::TooSlow => format!(" | | | | | > {} s | | | ", measure::LIMIT.as_secs()),
        Run::Failed { .. } => format!("{} | | | | | | | | ", refusal(run)),
    }
}

/// Generate the rows and their hierarchies. They are made again each time, since files that exist
/// may come from an older generator.
fn generate(setting: &'static str, program: &Path, folder: &Path) -> Result<DataSet, String> {
    let path = folder.join(format!("census-{setting}.csv"));
    let companions = folder.join(format!("census-{setting}-hierarchies"));
    let arguments = [
        "generate",
        &format!("census(setting={setting})"),
        "--rows",
        &ROWS.to_string(),
        "--seed",
        "1",
        "-o",
        &path.display().to_string(),
        "--companions",
        &companions.display().to_string(),
        "--quiet",
    ];
    sh(&program.display().to_string(), &arguments)?;
    let columns = first_line(&path)?;
    Ok(DataSet {
        name: setting,
        caption: String::new(),
        path,
        hierarchies: columns
            .split(',')
            .map(|column| {
                let hierarchy = companions.join(format!("census_hierarchy_{column}.csv"));
                (column.to_string(), hierarchy.display().to_string())
            })
            .collect(),
        quasi: columns,
        slow: Slow::Never,
    })
}

fn first_line(path: &Path) -> Result<String, String> {
    use std::io::BufRead as _;
    let file = std::fs::File::open(path).map_err(|error| format!("{}: {error}", path.display()))?;
    let mut line = String::new();
    std::io::BufReader::new(file)
        .read_line(&mut line)
        .map_err(|error| format!("{}: {error}", path.display()))?;
    Ok(line.trim_end().to_string())
}
