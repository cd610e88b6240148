//! `cargo xtask test`: everything that must pass before a change lands.

use crate::{Outcome, cargo, docs, files, sh, sh_with, tidy};

/// What random tests of a landing start from: the same change passes or fails every time. `cargo
/// xtask soak` looks further.
const SEED: &str = "1";

/// The variable that proptest reads it from.
const SEED_VARIABLE: &str = "PROPTEST_RNG_SEED";

/// Format, layout, lints, tests, generated pages.
pub fn run() -> Outcome {
    format()?;
    tidy::run()?;
    let cargo = cargo();
    sh(&cargo, &["clippy", "--quiet", "--workspace", "--all-targets", "--", "--deny", "warnings"])?;
    tests(&std::env::var(SEED_VARIABLE).unwrap_or_else(|_| SEED.into()))?;
    docs::check()
}

/// `cargo xtask soak [rounds]`: the tests again and again, with other random inputs each time.
pub fn soak(arguments: &[String]) -> Outcome {
    let rounds: u64 = match arguments.first() {
        None => 10,
        Some(text) => text.parse().map_err(|_| format!("{text:?} isn't a number of rounds"))?,
    };
    let now = std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH);
    let first = now.map_err(|error| error.to_string())?.as_secs();
    (0..rounds).try_for_each(|round| {
        let seed = (first + round).to_string();
        tests(&seed).map_err(|error| format!("{error}; {SEED_VARIABLE}={seed} repeats it"))
    })
}

fn tests(seed: &str) -> Outcome {
    sh_with(&cargo(), &["test", "--workspace", "--quiet"], &[(SEED_VARIABLE, seed)])
}

/// rustfmt on every file: it doesn't follow the modules that `registry!` declares, so `cargo fmt`
/// would miss them.
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
