//! `cargo xtask fuzz [seconds]`: feeds every parser with broken input for a while.

use crate::{Outcome, cargo, sh};

/// The targets of the `fuzz` crate.
const TARGETS: [&str; 12] = [
    "arrow",
    "baskets",
    "call",
    "csv",
    "frame",
    "hierarchy",
    "job",
    "jsonl",
    "manifest",
    "parquet",
    "recoding",
    "spill",
];

/// Run each target, for 60 seconds unless another number is given.
pub fn run(arguments: &[String]) -> Outcome {
    let seconds = arguments.first().map_or("60", String::as_str);
    TARGETS.iter().try_for_each(|target| {
        sh(
            &cargo(),
            &["run", "--release", "--quiet", "--package", "sfumato-fuzz", "--", target, seconds],
        )
    })
}
