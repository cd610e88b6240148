//! `cargo xtask test`: everything that must pass before a change lands.

use crate::suites::{self, Suite};
use crate::{Outcome, cargo, docs, files, python, sh, tidy, web};

/// The seed of random tests, so that the same change passes or fails every time. `cargo xtask soak`
/// tries other seeds.
const SEED: &str = "1";

/// The environment variable from which proptest reads the seed.
pub const SEED_VARIABLE: &str = "PROPTEST_RNG_SEED";

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

/// Run all test programs with a seed of random tests.
pub fn tests(seed: &str) -> Outcome {
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
