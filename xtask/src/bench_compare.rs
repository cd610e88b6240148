//! `cargo xtask bench --compare REV`: the program of this tree beside that of another revision.
//!
//! Both run the same commands on the same generated files, in turns, within one call: machines are
//! noisy, and a figure of last week says nothing about today. The table has the ratio of the two
//! (below 1 is faster than REV) with an interval. A second table has what each stage of the runs
//! takes in both, as their own reports say it.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::Instant;

use crate::bench_recode::measure::cpu_of_children;
use crate::{Outcome, bench, cargo, output_of, root, sh, sh_in, sh_with};

/// The number of pairs of runs of each command.
const PAIRS: usize = 7;

/// The quantile of Student's distribution that leaves 2.5 % above it, with `PAIRS - 1` degrees of
/// freedom.
const STUDENT: f64 = 2.447;

/// A command that is measured.
struct Bench {
    /// What the line of the table says.
    title: &'static str,
    /// The name of the input file, and the arguments of `generate` that make it.
    input: (&'static str, &'static [&'static str]),
    /// The arguments, in which `IN` is the input, `OUT` the release and `WITH` the folder of
    /// companions of the input.
    arguments: &'static [&'static str],
}

const CENSUS: (&str, &[&str]) = ("census.csv", &["census", "--rows", "1000000"]);
const AGRAWAL: (&str, &[&str]) = ("agrawal.csv", &["agrawal", "--rows", "2000000"]);
const BASKETS: (&str, &[&str]) = ("baskets.dat", &["longtail", "--rows", "500000"]);
const SMALL: (&str, &[&str]) = ("few.dat", &["longtail", "--rows", "20000"]);
const GRAPH: (&str, &[&str]) = ("graph.txt", &["rmat", "--rows", "400000"]);
const CITY: (&str, &[&str]) = ("city.csv", &["city", "--rows", "400000"]);

const NUMBERS: &str = "salary,commission,age,elevel,car,zipcode,hvalue,hyears,loan";

/// One line a stage of the product that people wait for.
const BENCHES: [Bench; 11] = [
    Bench {
        title: "a table with hierarchies, `mondrian`, k = 10",
        input: CENSUS,
        arguments: &["anonymize", "IN", "-o", "OUT", "-k", "10", "--all-quasi", "mondrian"],
    },
    Bench {
        title: "a table with hierarchies, `datafly`, k = 10",
        input: CENSUS,
        arguments: &["anonymize", "IN", "-o", "OUT", "-k", "10", "--all-quasi", "datafly"],
    },
    Bench {
        title: "a table of numbers, `mondrian`, k = 10",
        input: AGRAWAL,
        arguments: &["anonymize", "IN", "-o", "OUT", "-k", "10", "--qi", NUMBERS],
    },
    Bench {
        title: "the same within 128 MiB",
        input: AGRAWAL,
        arguments: &[
            "anonymize",
            "IN",
            "-o",
            "OUT",
            "-k",
            "1000",
            "--qi",
            NUMBERS,
            "--memory",
            "128MiB",
        ],
    },
    Bench {
        title: "an audit of a table",
        input: AGRAWAL,
        arguments: &["audit", "IN", "--qi", "age,elevel,car", "-k", "10"],
    },
    Bench {
        title: "a bucket release of a table",
        input: AGRAWAL,
        arguments: &[
            "anonymize",
            "IN",
            "-o",
            "OUT",
            "--qi",
            "age,elevel,zipcode",
            "--sensitive",
            "car",
            "--drop",
            "salary,commission,hvalue,hyears,loan",
            "--buckets",
            "linked",
            "--model",
            "l-diversity-distinct(l=3)",
        ],
    },
    Bench {
        title: "baskets, `set-mondrian`, k = 10",
        input: BASKETS,
        arguments: &["anonymize", "IN", "--baskets", "lines", "-o", "OUT", "-k", "10"],
    },
    Bench {
        title: "baskets as bitmaps, k = 5",
        input: SMALL,
        arguments: &[
            "anonymize",
            "IN",
            "--baskets",
            "lines",
            "-o",
            "OUT",
            "--model",
            "nonreciprocal-k-anonymity(k=5)",
        ],
    },
    Bench {
        title: "baskets in buckets, p = 10",
        input: SMALL,
        arguments: &[
            "anonymize",
            "IN",
            "--baskets",
            "lines",
            "-o",
            "OUT",
            "--sensitive-items",
            "900",
            "--model",
            "privacy-degree(p=10)",
        ],
    },
    Bench {
        title: "a graph, k-degree, k = 5",
        input: GRAPH,
        arguments: &[
            "anonymize",
            "IN",
            "--graph",
            "edges",
            "-o",
            "OUT",
            "--model",
            "k-degree(k=5)",
        ],
    },
    Bench {
        title: "paths, LKC-privacy",
        input: CITY,
        arguments: &[
            "anonymize",
            "IN",
            "--paths",
            "points(id=person, place=place, time=hour)",
            "--sensitive",
            "ward",
            "--model",
            "lkc-privacy(l=2, k=5, c=0.6)",
            "-o",
            "OUT",
        ],
    },
];

/// Build both programs and compare them.
pub fn run(revision: &str) -> Outcome {
    let folder = bench::target_folder().join("bench");
    std::fs::create_dir_all(&folder).map_err(|error| format!("{}: {error}", folder.display()))?;
    sh(&cargo(), &["build", "--release", "--package", "sfumato-cli"])?;
    let new = bench::target_folder().join("release/sfumato");
    let (old, commit) = built(revision, &folder)?;
    println!("`cargo xtask bench --compare {revision}` ({commit}), {PAIRS} pairs of runs each.\n");
    println!("| what | CPU s of {revision} | CPU s now | ratio of CPU | ratio by the clock |");
    println!("|---|---|---|---|---|");
    let mut stages = Vec::new();
    for bench in &BENCHES {
        let (line, costs) = compare(bench, &old, &new, &folder)?;
        println!("{line}");
        stages.extend(costs);
    }
    println!("\nStages, the median of their milliseconds by the clock, `{revision}` / now.\n");
    println!("| what | {} |\n|---|{}", STAGES.join(" | "), "---|".repeat(STAGES.len()));
    stages.iter().for_each(|line| println!("{line}"));
    Ok(())
}

/// The stages of the pipeline, in their order, as reports name them.
const STAGES: [&str; 6] = ["read", "encode", "anonymize", "write", "verify", "measure"];

/// The milliseconds of each stage of a run; empty for a command whose report doesn't have them.
type Stages = BTreeMap<String, f64>;

/// The line of the second table, from the stages of the old program's runs and of the new one's.
fn costs(title: &str, runs: &[(Stages, Stages)]) -> Option<String> {
    if runs.iter().all(|(_, new)| new.is_empty()) {
        return None;
    }
    let median = |of: &dyn Fn(&(Stages, Stages)) -> Option<f64>| {
        let mut all: Vec<f64> = runs.iter().filter_map(of).collect();
        all.sort_by(f64::total_cmp);
        all.get(all.len() / 2).map_or("-".to_owned(), |ms| format!("{ms:.0}"))
    };
    let cells = STAGES.map(|stage| {
        let before = median(&|run| run.0.get(stage).copied());
        let now = median(&|run| run.1.get(stage).copied());
        format!("{before} / {now}")
    });
    Some(format!("| {title} | {} |", cells.join(" | ")))
}

/// The program of another revision, built in a work tree of its own, and the commit that it is.
fn built(revision: &str, folder: &Path) -> Result<(PathBuf, String), String> {
    let commit = output_of("git", &["rev-parse", "--short", &format!("{revision}^{{commit}}")])?;
    let commit = commit.trim().to_owned();
    let tree = folder.join(format!("tree-{commit}"));
    if !tree.exists() {
        let path = tree.display().to_string();
        sh("git", &["worktree", "add", "--quiet", "--detach", &path, &commit])?;
    }
    let target = folder.join(format!("target-{commit}"));
    let program = target.join("release/sfumato");
    if !program.exists() {
        let target = target.display().to_string();
        let arguments = ["build", "--release", "--package", "sfumato-cli"];
        sh_in(&tree, &cargo(), &arguments, &[("CARGO_TARGET_DIR", &target)])?;
    }
    sh_with("git", &["worktree", "remove", "--force", &tree.display().to_string()], &[])?;
    Ok((program, commit))
}

/// The times of a run, in seconds.
#[derive(Clone, Copy)]
struct Times {
    cpu: f64,
    wall: f64,
}

fn compare(
    bench: &Bench,
    old: &Path,
    new: &Path,
    folder: &Path,
) -> Result<(String, Option<String>), String> {
    let input = generated(bench, new, folder)?;
    let mut pairs: Vec<(Times, Times)> = Vec::new();
    let mut stages: Vec<(Stages, Stages)> = Vec::new();
    for turn in 0..PAIRS {
        // Who begins changes, so that neither always finds the file in memory.
        let order = if turn % 2 == 0 { [old, new] } else { [new, old] };
        let mut times = Vec::new();
        for program in order {
            match one(bench, program, &input, folder)? {
                Ok(taken) => times.push(taken),
                Err(why) if program == old => {
                    let line = format!("| {} | refused there: {why} | | | |", bench.title);
                    return Ok((line, None));
                }
                Err(why) => return Err(format!("{}: {why}", bench.title)),
            }
        }
        if turn % 2 == 1 {
            times.reverse();
        }
        if let [(before, its), (after, ours)] = &times[..] {
            pairs.push((*before, *after));
            stages.push((its.clone(), ours.clone()));
        }
    }
    let mean = |of: &dyn Fn(&(Times, Times)) -> f64| {
        pairs.iter().map(of).sum::<f64>() / pairs.len() as f64
    };
    let line = format!(
        "| {} | {:.2} | {:.2} | {} | {} |",
        bench.title,
        mean(&|pair| pair.0.cpu),
        mean(&|pair| pair.1.cpu),
        ratio(pairs.iter().map(|pair| pair.1.cpu / pair.0.cpu)),
        ratio(pairs.iter().map(|pair| pair.1.wall / pair.0.wall)),
    );
    Ok((line, costs(bench.title, &stages)))
}

/// The geometric mean of ratios, with its 95 % interval by Student's distribution.
fn ratio(ratios: impl Iterator<Item = f64>) -> String {
    let logs: Vec<f64> = ratios.map(f64::ln).collect();
    let n = logs.len() as f64;
    let mean = logs.iter().sum::<f64>() / n;
    let variance = logs.iter().map(|log| (log - mean).powi(2)).sum::<f64>() / (n - 1.0);
    let half = STUDENT * (variance / n).sqrt();
    format!("{:.3} ({:.3} to {:.3})", mean.exp(), (mean - half).exp(), (mean + half).exp())
}

/// The path of the input, which is generated once.
fn generated(bench: &Bench, program: &Path, folder: &Path) -> Result<PathBuf, String> {
    let (name, arguments) = bench.input;
    let path = folder.join(name);
    if !path.exists() {
        let (path, with) = (path.display().to_string(), companions(bench, folder));
        let mut all = vec!["generate"];
        all.extend(arguments);
        all.extend(["--seed", "1", "-o", &path, "--companions", &with]);
        sh(&program.display().to_string(), &all)?;
    }
    Ok(path)
}

/// The folder of what is generated beside an input.
fn companions(bench: &Bench, folder: &Path) -> String {
    folder.join(bench.input.0).with_extension("with").display().to_string()
}

/// One run; a refusal is its message.
fn one(
    bench: &Bench,
    program: &Path,
    input: &Path,
    folder: &Path,
) -> Result<Result<(Times, Stages), String>, String> {
    // Without an ending it has the format of the input.
    let release = folder.join("compared");
    let _ = std::fs::remove_dir_all(&release);
    let _ = std::fs::remove_file(&release);
    let _ = std::fs::remove_file(folder.join("compared.release.json"));
    let arguments = arguments(bench, input, &release, folder)?;
    let mut command = Command::new(program);
    command.args(&arguments).args(["--quiet", "--json"]).stdin(Stdio::null());
    command.current_dir(root()).stdout(Stdio::piped());
    let before = cpu_of_children().unwrap_or(f64::NAN);
    let start = Instant::now();
    let output = command.stderr(Stdio::piped()).output().map_err(|error| error.to_string())?;
    let wall = start.elapsed().as_secs_f64();
    let cpu = cpu_of_children().unwrap_or(f64::NAN) - before;
    // An audit that finds that a promise doesn't hold has done its work, too.
    let done = output.status.success() || output.status.code() == Some(3);
    if done {
        return Ok(Ok((Times { cpu, wall }, stages(&output.stdout))));
    }
    let said = String::from_utf8_lossy(&output.stderr);
    Ok(Err(said.lines().next().unwrap_or("it said nothing").replace('|', "/")))
}

/// What a report says that its stages took.
fn stages(report: &[u8]) -> Stages {
    let report: serde_json::Value = serde_json::from_slice(report).unwrap_or_default();
    let timings = report["timings_ms"].as_object().into_iter().flatten();
    timings.filter_map(|(stage, ms)| Some((stage.clone(), ms.as_f64()?))).collect()
}

/// The arguments of a bench with the paths of this run.
fn arguments(
    bench: &Bench,
    input: &Path,
    release: &Path,
    folder: &Path,
) -> Result<Vec<String>, String> {
    let mut all = Vec::new();
    let mut given = bench.arguments.iter();
    while let Some(argument) = given.next() {
        match *argument {
            "IN" => all.push(input.display().to_string()),
            "OUT" => all.push(release.display().to_string()),
            "--all-quasi" => {
                let algorithm = given.next().ok_or("an algorithm follows --all-quasi")?;
                all.extend(["--algorithm".into(), (*algorithm).to_owned()]);
                all.extend(quasi(bench, input, folder)?);
            }
            other => all.push(other.to_owned()),
        }
    }
    if bench.arguments[0] == "anonymize" {
        all.extend(["--seed".into(), "1".into()]);
    }
    Ok(all)
}

/// All columns as quasi columns, each with its hierarchy from the companions.
fn quasi(bench: &Bench, input: &Path, folder: &Path) -> Result<Vec<String>, String> {
    let header = bench::first_line(&input.display().to_string())?;
    let with = companions(bench, folder);
    let mut all = vec!["--qi".to_owned(), header.clone()];
    for column in header.split(',') {
        all.push("--hierarchy".into());
        all.push(format!("{column}={with}/census_hierarchy_{column}.csv"));
    }
    Ok(all)
}

#[cfg(test)]
mod tests {
    use super::{costs, ratio, stages};

    #[test]
    fn stages_are_read_off_reports_and_their_medians_stand_side_by_side() {
        let old = stages(br#"{"timings_ms": {"read": 10.0, "write": 7.4}}"#);
        let new = stages(br#"{"timings_ms": {"read": 12.0, "write": 5}}"#);
        let line = costs("it", &[(old, new)]).unwrap();
        assert!(line.starts_with("| it | 10 / 12 | - / - |"), "{line}");
        assert!(line.contains("| 7 / 5 |"), "{line}");
        assert_eq!(costs("an audit", &[(stages(b"{}"), stages(b"not JSON"))]), None);
    }

    #[test]
    fn ratios_have_an_interval_that_holds_their_mean() {
        assert_eq!(ratio([2.0; 7].into_iter()), "2.000 (2.000 to 2.000)");
        let said = ratio([0.5, 1.0, 2.0, 1.0, 1.0, 0.5, 2.0].into_iter());
        // By hand: a standard error of 0.2139 of the logarithm, times 2.447.
        assert_eq!(said, "1.000 (0.592 to 1.688)");
    }
}
