//! `cargo xtask test`: everything that must pass before a change lands.

use crate::suites::{self, Suite};
use crate::{
    Outcome, cargo, contributing, coverage, docs, files, memory, mutants, python, random_jobs, sh,
    sh_with, tidy, web,
};

/// The seed of random tests, so that the same change passes or fails every time. `cargo xtask soak`
/// tries other seeds.
const SEED: &str = "1";

/// The environment variable from which proptest reads the seed.
const SEED_VARIABLE: &str = "PROPTEST_RNG_SEED";

/// Check format, layout, lints, tests and generated pages.
pub fn run() -> Outcome {
    format()?;
    tidy::run()?;
    let cargo = cargo();
    sh(&cargo, &["clippy", "--quiet", "--workspace", "--all-targets", "--", "--deny", "warnings"])?;
    tests(&std::env::var(SEED_VARIABLE).unwrap_or_else(|_| SEED.into()))?;
    docs::check()?;
    web::check()?;
    web::check_in_browser()
}

/// How many random jobs a round of a soak runs.
const JOBS: u64 = 2000;

/// `cargo xtask soak [ROUNDS | MINUTESm]`: the page for contributors is followed, damaged files of
/// every format are read, an auditor is asked sequences of queries, every step on the disk is made
/// to fail, the memory of runs over tables of many shapes is measured, what judges releases is
/// covered and mutated, and the tests and random jobs are run again and again, with other random
/// inputs each time: so many rounds, or as many as begin within so many minutes. Ten rounds if
/// nothing is said: every property then sees ten times the cases of one test run, so that a number
/// of cases that was cut to save time there (the laws of models had 300 and have 60) is made up for
/// here.
pub fn soak(arguments: &[String]) -> Outcome {
    let length = arguments.first().map_or(Ok(Length::Rounds(10)), |text| Length::parse(text))?;
    let begun = std::time::Instant::now();
    let now = std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH);
    let first = now.map_err(|error| error.to_string())?.as_secs();
    contributing::run()?;
    damaged(&first.to_string())?;
    sequences()?;
    faults()?;
    kills()?;
    memory::check()?;
    coverage::run(&[])?;
    mutants::run(&[])?;
    let mut rounds = 0;
    while length.goes_on(rounds, begun.elapsed()) {
        let seed = (first + rounds).to_string();
        tests(&seed).map_err(|error| format!("{error}; {SEED_VARIABLE}={seed} repeats it"))?;
        random_jobs::check(JOBS, (first + rounds) * JOBS)?;
        rounds += 1;
        let minutes = begun.elapsed().as_secs() / 60;
        eprintln!("soak: {rounds} rounds passed in {minutes} minutes, the last with seed {seed}");
    }
    Ok(())
}

/// How many damaged files of each format a soak reads.
const DAMAGED: &str = "100000";

/// Read damaged files of every format, and feed every other parser with broken input: nothing may
/// panic, and what is wrong with a file must be said in a sentence.
fn damaged(seed: &str) -> Outcome {
    let variables = [(SEED_VARIABLE, seed), ("SFUMATO_DAMAGED", DAMAGED)];
    let tests = ["test", "--release", "--package", "sfumato-io", "--test", "io", "damaged"];
    sh_with(&cargo(), &tests, &variables)?;
    crate::fuzz::run(&[])
}

/// How many sequences of queries a soak asks an auditor.
const SEQUENCES: &str = "100000";

/// Ask the auditor of answers many random sequences of queries: none may tell a value.
fn sequences() -> Outcome {
    let tests = ["test", "--release", "--package", "sfumato-table", "--lib", "no_sequence_of_sums"];
    sh_with(&cargo(), &tests, &[("SFUMATO_SEQUENCES", SEQUENCES)])
}

/// Make every step on the disk fail, of every sample of every form and of the command line.
fn faults() -> Outcome {
    let variables = [("SFUMATO_FAULTS", "all")];
    for (package, test) in [("sfumato", "frame"), ("sfumato-cli", "cli")] {
        let tests = ["test", "--package", package, "--test", test, "faults", "--", "--nocapture"];
        sh_with(&cargo(), &tests, &variables)?;
    }
    Ok(())
}

/// Kill runs with a ledger at 50 random moments, and at 50 steps on the disk.
fn kills() -> Outcome {
    let tests = ["test", "--package", "sfumato-cli", "--test", "cli", "ledger_killed"];
    sh_with(&cargo(), &tests, &[("SFUMATO_KILLS", "50")])
}

/// How long a soak goes on.
#[derive(Debug, PartialEq)]
enum Length {
    Rounds(u64),
    Minutes(u64),
}

impl Length {
    fn parse(text: &str) -> Result<Self, String> {
        let number = |digits: &str| digits.parse().ok();
        match text.strip_suffix('m') {
            Some(minutes) => number(minutes).map(Length::Minutes),
            None => number(text).map(Length::Rounds),
        }
        .ok_or_else(|| format!("{text:?} is neither a number of rounds nor minutes, such as 60m"))
    }

    fn goes_on(&self, rounds: u64, elapsed: std::time::Duration) -> bool {
        match self {
            Length::Rounds(n) => rounds < *n,
            Length::Minutes(minutes) => elapsed.as_secs() < minutes * 60,
        }
    }
}

fn tests(seed: &str) -> Outcome {
    // Nothing is built twice from the same sources here, so what a second build could use again
    // isn't kept: it costs time and twenty gigabytes.
    let mut variables = vec![(SEED_VARIABLE, seed), ("CARGO_INCREMENTAL", "0")];
    let memory = files_in_memory();
    if let Some(folder) = &memory {
        variables.push(("TMPDIR", folder));
    }
    let mut suites = suites::build(&variables)?;
    suites.extend(python::suite(&variables)?);
    // Cargo holds its lock only while it looks what is to be built, which by now is nothing.
    let doc_tests = ["test", "--workspace", "--doc", "--quiet"];
    suites.push(Suite::first("the examples of the documentation", &cargo(), &doc_tests));
    suites::run(suites, &variables)
}

/// A folder whose files lie in memory, if there is one with room enough. Tests write thousands of
/// releases, and each waits until its disk says that it has them: on a busy disk that is most of
/// the time.
fn files_in_memory() -> Option<String> {
    const FOLDER: &str = "/dev/shm";
    const ENOUGH: u64 = 4 << 30;
    let free = crate::output_of("df", &["--output=avail", "--block-size=1", FOLDER]).ok()?;
    let free: u64 = free.lines().nth(1)?.trim().parse().ok()?;
    (free >= ENOUGH).then(|| FOLDER.to_owned())
}

/// Run rustfmt on every file: it doesn't follow the modules that `registry!` declares, so `cargo
/// fmt` would miss them.
fn format() -> Outcome {
    let sources = files(".rs")?;
    let mut arguments = vec!["--check", "--edition", "2024"];
    arguments.extend(sources.iter().map(String::as_str));
    eprintln!("$ rustfmt --check ({} files)", sources.len());
    let status = std::process::Command::new("rustfmt")
        .args(&arguments)
        .current_dir(crate::root())
        .status()
        .map_err(|error| format!("can't run rustfmt: {error}"))?;
    if status.success() {
        Ok(())
    } else {
        Err("some files aren't formatted: run rustfmt on them".into())
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::Length;

    #[test]
    fn a_soak_ends_after_its_rounds_or_minutes() {
        assert_eq!(Length::parse("60m"), Ok(Length::Minutes(60)));
        assert_eq!(Length::parse("3"), Ok(Length::Rounds(3)));
        assert!(Length::parse("m").is_err() && Length::parse("-1").is_err());
        assert!(Length::Rounds(2).goes_on(1, Duration::from_secs(9999)));
        assert!(!Length::Rounds(2).goes_on(2, Duration::ZERO));
        assert!(Length::Minutes(1).goes_on(9, Duration::from_secs(59)));
        assert!(!Length::Minutes(1).goes_on(0, Duration::from_secs(60)));
    }
}
