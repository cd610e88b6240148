//! The chores of the project, one file each: `cargo xtask test | tidy | docs | contributing | bench
//! | bench-local | bench-global | browser | browser-large | browser-pictures | coverage | deb |
//! fuzz | golden | memory | mutants | python | random-jobs | schemathesis | soak | static | web |
//! web-check | wheel`.

mod bench;
mod bench_compare;
mod bench_global;
mod bench_local;
mod bench_recode;
mod contributing;
mod coverage;
mod docs;
mod fuzz;
mod golden;
mod memory;
mod mutants;
mod package;
mod python;
mod random_jobs;
mod soak;
mod suites;
mod test;
mod tidy;
mod web;

use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};

/// The result of a chore. An error is a sentence for the person at the terminal.
pub type Outcome = Result<(), String>;

const USAGE: &str = "usage: cargo xtask test | tidy | docs | contributing | bench [rows ...] | \
    bench --compare REV | bench-local [--high] [--all] [data set ...] | bench-global \
    [section ...] | browser [pictures] | browser-large [rows [seconds]] | browser-pictures | \
    coverage [part ...] | deb [--program FILE] \
    [--out FOLDER] | fuzz [seconds] | golden [check | record] | memory [--rows percent] \
    [--only shape] program | mutants [--only part] [--shard k/n] [--file name] | \
    python [pytest arguments] | random-jobs [count [seed]] | schemathesis | \
    soak [rounds | 60m] | static | web | web-check | wheel";

fn main() -> ExitCode {
    if let Some(code) = coverage::wrap() {
        return ExitCode::from(u8::from(code != 0));
    }
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let rest = arguments.get(1..).unwrap_or_default();
    let outcome = match arguments.first().map(String::as_str) {
        Some("test") => test::run(),
        Some("tidy") => tidy::run(),
        Some("docs") => docs::run(),
        Some("contributing") => contributing::run(),
        Some("coverage") => coverage::run(rest),
        Some("bench") => bench::run(rest),
        Some("bench-local") => bench_local::run(rest),
        Some("bench-global") => bench_global::run(rest),
        Some("fuzz") => fuzz::run(rest),
        Some("golden") => golden::run(rest),
        Some("memory") => memory::run(rest),
        Some("mutants") => mutants::run(rest),
        Some("static") => package::build_static(),
        Some("deb") => package::deb(rest),
        Some("python") => python::run(rest),
        Some("random-jobs") => random_jobs::run(rest),
        Some("soak") => soak::run(rest),
        Some("web") => web::build(),
        Some("web-check") => web::check(),
        Some("browser") => web::browser(rest),
        Some("browser-large") => web::browser_large(rest),
        Some("browser-pictures") => web::browser_pictures(),
        Some("schemathesis") => web::schemathesis(),
        Some("wheel") => python::wheel(),
        _ => Err(USAGE.into()),
    };
    match outcome {
        Ok(()) => ExitCode::SUCCESS,
        Err(message) => {
            eprintln!("xtask: {message}");
            ExitCode::FAILURE
        }
    }
}

/// The root of the workspace. Cargo says at run time where the package lies: a folder that was
/// compiled in would be another checkout's where several share their build results.
pub fn root() -> PathBuf {
    let package = std::env::var_os("CARGO_MANIFEST_DIR")
        .map_or_else(|| PathBuf::from(env!("CARGO_MANIFEST_DIR")), PathBuf::from);
    package.parent().expect("xtask lies below the root").to_path_buf()
}

/// Run a command in the root; its output goes to the terminal.
pub fn sh(program: &str, arguments: &[&str]) -> Outcome {
    sh_with(program, arguments, &[])
}

/// Run a command in the root with environment variables set.
pub fn sh_with(program: &str, arguments: &[&str], variables: &[(&str, &str)]) -> Outcome {
    sh_in(&root(), program, arguments, variables)
}

/// Run a command in another folder, with variables.
pub fn sh_in(
    folder: &Path,
    program: &str,
    arguments: &[&str],
    variables: &[(&str, &str)],
) -> Outcome {
    let said: String = variables.iter().map(|(name, value)| format!("{name}={value} ")).collect();
    eprintln!("$ {said}{program} {}", arguments.join(" "));
    let status = Command::new(program)
        .args(arguments)
        .envs(variables.iter().copied())
        .current_dir(folder)
        .status()
        .map_err(|error| format!("can't run {program}: {error}"))?;
    if status.success() { Ok(()) } else { Err(format!("{program} {} failed", arguments.join(" "))) }
}

/// Run a command in the root and return its standard output.
pub fn output_of(program: &str, arguments: &[&str]) -> Result<String, String> {
    let output = Command::new(program)
        .args(arguments)
        .current_dir(root())
        .output()
        .map_err(|error| format!("can't run {program}: {error}"))?;
    if !output.status.success() {
        return Err(format!(
            "{program} {}: {}",
            arguments.join(" "),
            String::from_utf8_lossy(&output.stderr)
        ));
    }
    Ok(String::from_utf8_lossy(&output.stdout).into_owned())
}

/// The files of the project with one of the given endings: those that git knows, and new ones that
/// it doesn't ignore.
pub fn files(ending: &str) -> Result<Vec<String>, String> {
    let listed = output_of("git", &["ls-files", "--cached", "--others", "--exclude-standard"])?;
    let exists = |path: &&str| root().join(path).exists();
    Ok(listed
        .lines()
        .filter(|path| path.ends_with(ending))
        .filter(exists)
        .map(String::from)
        .collect())
}

/// Copy the files of the project into another folder, in place of what was there.
pub fn copy_to(copy: &Path) -> Outcome {
    if copy.exists() {
        std::fs::remove_dir_all(copy).map_err(|error| error.to_string())?;
    }
    for file in files("")? {
        let to = copy.join(&file);
        let folder = to.parent().ok_or("a file is in a folder")?;
        std::fs::create_dir_all(folder).map_err(|error| error.to_string())?;
        std::fs::copy(root().join(&file), &to).map_err(|error| format!("{file}: {error}"))?;
    }
    Ok(())
}

/// The path of the cargo that runs this program.
pub fn cargo() -> String {
    std::env::var("CARGO").unwrap_or_else(|_| "cargo".into())
}
