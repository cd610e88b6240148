//! `cargo xtask random-jobs [COUNT [SEED]]`: random jobs, whose releases are checked by
//! `soak/random_jobs.py`, which shares no code with the engine and isn't written in its language.

use crate::bench::target_folder;
use crate::{Outcome, cargo, output_of, sh};

/// Build the program and run `COUNT` jobs, a thousand if nothing is said.
pub fn run(arguments: &[String]) -> Outcome {
    let number = |at: usize, default: u64| match arguments.get(at) {
        Some(text) => text.parse().map_err(|_| format!("{text:?} isn't a whole number")),
        None => Ok(default),
    };
    check(number(0, 1000)?, number(1, 1)?)
}

/// Run so many jobs, from this seed on. Without Python this can't be judged, and that is an error.
pub fn check(jobs: u64, seed: u64) -> Outcome {
    output_of("python3", &["--version"])
        .map_err(|error| format!("random jobs are checked by a Python program: {error}"))?;
    sh(&cargo(), &["build", "--quiet", "--release", "-p", "sfumato-cli"])?;
    let binary = target_folder().join("release/sfumato");
    let (jobs, seed) = (jobs.to_string(), seed.to_string());
    let binary = binary.to_string_lossy();
    let script = ["soak/random_jobs.py", "--binary", &binary, "--jobs", &jobs, "--seed", &seed];
    sh("python3", &script)
}
