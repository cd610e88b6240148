//! `cargo xtask soak [ROUNDS | MINUTESm]`: what takes too long for every change.
//!
//! First, once: the page for contributors is followed, damaged files of every format are read,
//! every other parser is fed with broken input, an auditor is asked sequences of queries, every
//! step on the disk is made to fail, runs with a ledger are killed, and what judges releases is
//! mutated. Then the tests and random jobs are run again and again, with other random inputs each
//! time: so many rounds, or as many as begin within so many minutes, and always one. Ten rounds if
//! nothing is said: every property then sees ten times the cases of one test run, so that a number
//! of cases that was cut to save time there (the laws of models had 300 and have 60) is made up for
//! here.
//!
//! All mutants take most of a day, and the coverage and the memory of runs over tables of many
//! shapes take an hour. A soak that is given minutes takes a shard of the mutants, another one each
//! time, and leaves those two to `cargo xtask coverage` and `cargo xtask memory`, and says so; one
//! that is given rounds does all of it.

use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

use crate::test::{SEED_VARIABLE, tests};
use crate::{Outcome, cargo, contributing, coverage, fuzz, memory, mutants, random_jobs, sh_with};

/// How many random jobs a round runs.
const JOBS: u64 = 2000;

/// How many damaged files of each format are read.
const DAMAGED: &str = "100000";

/// How many sequences of queries an auditor is asked.
const SEQUENCES: &str = "100000";

/// How many shards the mutants are dealt to, of which a soak of some minutes takes one.
const SHARDS: u64 = 100;

/// Do all of it; the first part that breaks ends the soak.
pub fn run(arguments: &[String]) -> Outcome {
    let length = arguments.first().map_or(Ok(Length::Rounds(10)), |text| Length::parse(text))?;
    let begun = Instant::now();
    let now = SystemTime::now().duration_since(UNIX_EPOCH);
    let first = now.map_err(|error| error.to_string())?.as_secs();
    contributing::run()?;
    damaged(&first.to_string())?;
    sequences()?;
    faults()?;
    kills()?;
    match length {
        Length::Rounds(_) => {
            memory::check()?;
            coverage::run(&[])?;
            mutants::run(&[])?;
        }
        Length::Minutes(_) => {
            let shard = format!("{}/{SHARDS}", first % SHARDS);
            mutants::run(&["--shard".to_owned(), shard.clone()])?;
            eprintln!(
                "soak: shard {shard} of the mutants; coverage and memory are left to \
                 `cargo xtask coverage` and `cargo xtask memory`"
            );
        }
    }
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

/// Read damaged files of every format, and feed every other parser with broken input: nothing may
/// panic, and what is wrong with a file must be said in a sentence.
fn damaged(seed: &str) -> Outcome {
    let variables = [(SEED_VARIABLE, seed), ("SFUMATO_DAMAGED", DAMAGED)];
    let tests = ["test", "--release", "--package", "sfumato-io", "--test", "io", "damaged"];
    sh_with(&cargo(), &tests, &variables)?;
    fuzz::run(&[])
}

/// Ask the auditor of answers many random sequences of queries: none may tell a value.
fn sequences() -> Outcome {
    let tests = ["test", "--package", "sfumato-table", "--package", "dependencies", "--lib"];
    let tests = [&tests[..], &["no_sequence_of_sums"]].concat();
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
        let number = |digits: &str| digits.parse().ok().filter(|number| *number > 0);
        match text.strip_suffix('m') {
            Some(minutes) => number(minutes).map(Length::Minutes),
            None => number(text).map(Length::Rounds),
        }
        .ok_or_else(|| format!("{text:?} is neither a number of rounds nor minutes, such as 60m"))
    }

    fn goes_on(&self, rounds: u64, elapsed: Duration) -> bool {
        match self {
            Length::Rounds(n) => rounds < *n,
            Length::Minutes(minutes) => rounds == 0 || elapsed.as_secs() < minutes * 60,
        }
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
        assert!(Length::parse("0").is_err() && Length::parse("0m").is_err());
        assert!(Length::Rounds(2).goes_on(1, Duration::from_secs(9999)));
        assert!(!Length::Rounds(2).goes_on(2, Duration::ZERO));
        assert!(Length::Minutes(1).goes_on(9, Duration::from_secs(59)));
        assert!(!Length::Minutes(1).goes_on(1, Duration::from_secs(60)));
        // A soak in which the first part took all the time still has a round.
        assert!(Length::Minutes(1).goes_on(0, Duration::from_secs(60)));
    }
}
