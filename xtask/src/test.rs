//! `cargo xtask test`: everything that must pass before a change lands.

use crate::{Outcome, cargo, docs, files, sh, tidy};

/// Format, layout, lints, tests, generated pages.
pub fn run() -> Outcome {
    format()?;
    tidy::run()?;
    let cargo = cargo();
    sh(&cargo, &["clippy", "--quiet", "--workspace", "--all-targets", "--", "--deny", "warnings"])?;
    sh(&cargo, &["test", "--workspace", "--quiet"])?;
    docs::check()
}

/// rustfmt on every file: it doesn't follow the modules that `registry!` declares, so `cargo fmt` would miss them.
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
    if status.success() { Ok(()) } else { Err("some files aren't formatted: run rustfmt on them".into()) }
}
