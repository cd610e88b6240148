//! `cargo xtask coverage [PART ...]`: which regions of what judges releases the tests reach: the
//! groups and facts of core, the verifier and the audit, the models of tables.
//!
//! The compiler instruments our crates, not their dependencies; the profile and the map of the
//! program are read here, so that no tool is needed that belongs to one version of the compiler.
//! A region is a stretch of code with one way in and one way out, so that each arm of a `match` and
//! each side of an `if` is one of its own.

mod bytes;
mod mapping;
mod profile;

use std::path::Path;
use std::process::Command;

use crate::bench::target_folder;
use crate::mutants::{PARTS, Part};
use crate::{Outcome, cargo, root};

/// The argument with which the compiler counts.
const COUNT: &str = "-Cinstrument-coverage";

/// If this program was called in place of the compiler, be the compiler with one more argument.
pub fn wrap() -> Option<i32> {
    let mut arguments = std::env::args_os().skip(1);
    let compiler = arguments.next()?;
    if Path::new(&compiler).file_stem()? != "rustc" {
        return None;
    }
    let status = Command::new(compiler).args(arguments).arg(COUNT).status().ok()?;
    Some(status.code().unwrap_or(1))
}

/// Measure all parts, or those that are named.
pub fn run(arguments: &[String]) -> Outcome {
    if let Some(unknown) = arguments.iter().find(|name| PARTS.iter().all(|p| p.name != **name)) {
        return Err(format!("there is no part {unknown}"));
    }
    println!("| file | regions | reached | |\n|---|---|---|---|");
    for part in
        PARTS.iter().filter(|p| arguments.is_empty() || arguments.iter().any(|n| n == p.name))
    {
        measure(part)?;
    }
    Ok(())
}

fn measure(part: &Part) -> Outcome {
    let folder = target_folder().join("coverage").join(part.name);
    if folder.exists() {
        std::fs::remove_dir_all(&folder).map_err(|error| error.to_string())?;
    }
    let mut counts = profile::Counts::new();
    let mut reached = mapping::Reached::new();
    for program in programs(part)? {
        // A profile for each process: some tests start others.
        let profiles = folder.join("%p.profraw");
        let tests = part.tests.iter().skip_while(|word| **word != "--").skip(1);
        let status = Command::new(&program)
            .args(tests)
            .current_dir(root().join("crates").join(part.package))
            .env("LLVM_PROFILE_FILE", profiles)
            .status()
            .map_err(|error| format!("can't run {program}: {error}"))?;
        if !status.success() {
            return Err(format!("tests of {} fail", part.package));
        }
        for entry in std::fs::read_dir(&folder).map_err(|error| error.to_string())? {
            let path = entry.map_err(|error| error.to_string())?.path();
            profile::add(&read(&path)?, &mut counts)?;
            std::fs::remove_file(path).map_err(|error| error.to_string())?;
        }
        mapping::add(&read(Path::new(&program))?, &counts, &mut reached)?;
        counts.clear();
    }
    show(part, &reached)
}

fn read(path: &Path) -> Result<Vec<u8>, String> {
    std::fs::read(path).map_err(|error| format!("{}: {error}", path.display()))
}

/// Build the tests of a part, and say where they are.
fn programs(part: &Part) -> Result<Vec<String>, String> {
    let myself = std::env::current_exe().map_err(|error| error.to_string())?;
    let built = part.tests.iter().take_while(|word| **word != "--");
    let output = Command::new(cargo())
        .args(["test", "--package", part.package, "--package", "dependencies", "--no-run"])
        .arg("--message-format=json-render-diagnostics")
        .args(built)
        .current_dir(root())
        .env("RUSTC_WORKSPACE_WRAPPER", myself)
        .stderr(std::process::Stdio::inherit())
        .output()
        .map_err(|error| format!("can't run cargo: {error}"))?;
    let text = String::from_utf8_lossy(&output.stdout);
    let programs = text.lines().filter_map(|line| {
        let said: serde_json::Value = serde_json::from_str(line).ok()?;
        let is_ours = said["package_id"].as_str()?.contains(part.package);
        is_ours.then(|| said["executable"].as_str().map(String::from)).flatten()
    });
    let programs: Vec<String> = programs.collect();
    match output.status.success() && !programs.is_empty() {
        true => Ok(programs),
        false => Err(format!("the tests of {} don't build", part.package)),
    }
}

/// A line for each file, and where what isn't reached begins.
fn show(part: &Part, reached: &mapping::Reached) -> Outcome {
    let (mut all, mut hit) = (0, 0);
    for (file, regions) in reached {
        let Some(file) = named(part, file) else { continue };
        let text = String::from_utf8_lossy(&read(&root().join(&file))?).into_owned();
        let tests = text.lines().position(|line| line.trim() == "#[cfg(test)]");
        let is_code = |line: u32| tests.is_none_or(|tests| (line as usize) <= tests);
        let code = regions.iter().filter(|((line, ..), _)| is_code(*line));
        let code: Vec<(u32, bool)> = code.map(|((line, ..), n)| (*line, *n > 0)).collect();
        let met = code.iter().filter(|(_, is_met)| *is_met).count();
        let mut missed: Vec<u32> = code.iter().filter(|(_, met)| !met).map(|(l, _)| *l).collect();
        missed.dedup();
        let missed: Vec<String> = missed.iter().map(u32::to_string).collect();
        println!("| {file} | {} | {met} | not line {} |", code.len(), missed.join(", "));
        all += code.len();
        hit += met;
    }
    if all == 0 {
        return Err(format!("nothing was measured of {}", part.name));
    }
    println!("| **{}** | {all} | {hit} | {:.1} % |", part.name, 100.0 * hit as f64 / all as f64);
    Ok(())
}

/// The name of a file of the part below the root.
fn named(part: &Part, file: &str) -> Option<String> {
    let at = file.find("crates/")?;
    let file = &file[at..];
    let fits = |pattern: &&&str| match pattern.split_once('*') {
        Some((folder, _)) => file.strip_prefix(folder).is_some_and(|name| !name.contains('/')),
        None => file == **pattern,
    };
    let is_test = file.ends_with("tests.rs") || file.ends_with("properties.rs");
    (part.files.iter().find(fits).is_some() && !is_test).then(|| file.to_string())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_files_of_a_part_are_known_wherever_they_were_compiled() {
        let [groups, ..] = &PARTS;
        let name = "crates/sfumato-core/src/group/worst.rs";
        assert_eq!(named(groups, name).as_deref(), Some(name));
        assert_eq!(named(groups, &format!("/somewhere/{name}")).as_deref(), Some(name));
        assert_eq!(named(groups, "crates/sfumato-core/src/group/a/worst.rs"), None);
        assert_eq!(named(groups, "crates/sfumato-core/src/lib.rs"), None);
    }
}
