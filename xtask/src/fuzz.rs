//! `cargo xtask fuzz [seconds]`: every parser is fed with broken input for a while.

use crate::{Outcome, cargo, sh};

/// The targets of the `fuzz` crate.
const TARGETS: [&str; 6] = ["baskets", "csv", "hierarchy", "job", "recoding", "spill"];

/// Run each target; 60 seconds each unless told otherwise.
pub fn run(arguments: &[String]) -> Outcome {
    let seconds = arguments.first().map_or("60", String::as_str);
    TARGETS.iter().try_for_each(|target| {
        sh(
            &cargo(),
            &["run", "--release", "--quiet", "--package", "sfumato-fuzz", "--", target, seconds],
        )
    })
}
