//! `cargo xtask mutants [--only PART] [--shard K/N] [--file NAME]`: mutation testing of what judges
//! releases: the groups and facts of core, the verifier and the audit, the models of tables and of
//! baskets.
//!
//! `cargo-mutants` changes one expression at a time in a copy of the workspace and runs the tests
//! of the part. A change that no test notices is a survivor. Each must be explained in the list
//! `soak/survivors.txt`; one that isn't makes the chore fail, and so does an explanation that is
//! about nothing. The score is printed for each part.

use std::path::Path;

use crate::bench::target_folder;
use crate::{Outcome, cargo, copy_to, output_of, root, sh_in};

/// What is mutated together, and the tests that must notice.
pub struct Part {
    /// Its name.
    pub name: &'static str,
    /// Its crate.
    pub package: &'static str,
    /// The crates whose tests are run.
    tested: &'static str,
    /// Its files; `*` stands for every name.
    pub files: &'static [&'static str],
    /// Arguments of `cargo test`, and behind `--` of the tests.
    pub tests: &'static [&'static str],
}

/// What judges releases.
pub const PARTS: [Part; 4] = [
    Part {
        name: "groups",
        package: "sfumato-core",
        tested: "sfumato-core",
        files: &["crates/sfumato-core/src/group/*.rs", "crates/sfumato-core/src/facts.rs"],
        tests: &["--lib", "--test", "groups"],
    },
    Part {
        name: "verifier",
        package: "sfumato-engine",
        tested: "sfumato-engine",
        files: &["crates/sfumato-engine/src/verify.rs", "crates/sfumato-engine/src/audit.rs"],
        tests: &["--lib"],
    },
    Part {
        name: "models",
        package: "sfumato-table",
        tested: "sfumato-table",
        files: &["crates/sfumato-table/src/models/*.rs"],
        tests: &["--lib", "--test", "table", "--", "models"],
    },
    Part {
        name: "set-models",
        package: "sfumato-sets",
        tested: "sfumato-sets",
        files: &["crates/sfumato-sets/src/models/*.rs"],
        tests: &["--lib", "--", "models"],
    },
];

/// Lists of modules that a macro declares, which `cargo-mutants` doesn't see.
const LISTS: [&str; 2] =
    ["crates/sfumato-table/src/models/mod.rs", "crates/sfumato-sets/src/models/mod.rs"];

/// A crate of which only some modules are compiled while they are mutated: a mutant then costs
/// seconds, and not the time that the whole crate takes to build.
struct Narrowed {
    /// The folder of the crate.
    folder: &'static str,
    /// The modules that stay.
    modules: &'static [&'static str],
    /// The folder of the tests that stay, if it isn't among the modules.
    tests: &'static str,
    /// The dependencies that those modules and tests have.
    dependencies: &'static [&'static str],
}

const NARROWED: [Narrowed; 1] = [Narrowed {
    folder: "crates/sfumato-table",
    modules: &["models"],
    tests: "tests/table",
    dependencies: &["sfumato-core", "sfumato-kernels", "rand_chacha", "statrs", "proptest"],
}];

/// Where survivors are explained.
const SURVIVORS: &str = "soak/survivors.txt";

/// The longest that the tests of a mutant may take, and its build, in seconds.
const TIMEOUT: &str = "300";
const BUILD_TIMEOUT: &str = "1800";

/// Mutate all parts, or what the arguments say.
pub fn run(arguments: &[String]) -> Outcome {
    let wanted = Wanted::parse(arguments)?;
    output_of(&cargo(), &["mutants", "--version"])
        .map_err(|error| format!("{error}; install it with: cargo install cargo-mutants"))?;
    let folder = target_folder().join("mutants");
    let tree = folder.join("tree");
    copy_narrowed(&tree)?;
    LISTS.iter().try_for_each(|list| declare(&tree.join(list)))?;
    let explained = explained(&read(&root().join(SURVIVORS))?)?;
    let (mut used, mut wrong) = (vec![false; explained.len()], Vec::new());
    for part in PARTS.iter().filter(|part| wanted.part.as_ref().is_none_or(|p| p == part.name)) {
        let out = folder.join(part.name);
        // A survivor isn't an error of the tool: what it found is read from its lists.
        let _ = sh_in(&tree, &cargo(), &arguments_for(part, &wanted, &out), &[]);
        let found = Found::read(&out.join("mutants.out"))?;
        println!("{}", found.score(part.name));
        for survivor in &found.missed {
            match explained.iter().position(|(mutant, _)| *mutant == without_place(survivor)) {
                Some(at) => used[at] = true,
                None => wrong.push(format!("nobody noticed, and nobody explains: {survivor}")),
            }
        }
    }
    if wanted.is_everything() {
        let idle = explained.iter().zip(used).filter(|(_, used)| !used);
        wrong.extend(idle.map(|((mutant, _), _)| format!("{SURVIVORS}: nothing is {mutant}")));
    }
    if wrong.is_empty() { Ok(()) } else { Err(wrong.join("\n  ")) }
}

/// What is to be mutated.
#[derive(Default)]
struct Wanted {
    part: Option<String>,
    shard: Option<String>,
    file: Option<String>,
}

impl Wanted {
    fn parse(arguments: &[String]) -> Result<Self, String> {
        let usage = "usage: cargo xtask mutants [--only PART] [--shard K/N] [--file NAME]";
        let mut wanted = Wanted::default();
        for pair in arguments.chunks(2) {
            let [flag, value] = pair else { return Err(usage.into()) };
            let place = match flag.as_str() {
                "--only" if PARTS.iter().any(|part| part.name == value) => &mut wanted.part,
                "--shard" => &mut wanted.shard,
                "--file" => &mut wanted.file,
                _ => return Err(usage.into()),
            };
            *place = Some(value.clone());
        }
        Ok(wanted)
    }

    fn is_everything(&self) -> bool {
        self.part.is_none() && self.shard.is_none() && self.file.is_none()
    }
}

fn arguments_for<'a>(part: &'a Part, wanted: &'a Wanted, out: &'a Path) -> Vec<&'a str> {
    let mut arguments = vec!["mutants", "--in-place", "--no-shuffle", "--package", part.package];
    arguments.extend(["--test-package", part.tested, "--timeout", TIMEOUT]);
    arguments.extend(["--build-timeout", BUILD_TIMEOUT, "--output"]);
    arguments.push(out.to_str().unwrap_or("mutants"));
    // With all dependencies selected they are the same for every crate, and aren't built again.
    arguments.push("--cargo-arg=--package=dependencies");
    // What is built once for each mutant must be built fast.
    arguments.push("--cargo-arg=--config=profile.dev.package.sfumato-core.opt-level=0");
    match &wanted.file {
        Some(file) => arguments.extend(["--file", file]),
        None => part.files.iter().for_each(|file| arguments.extend(["--file", file])),
    }
    if let Some(shard) = &wanted.shard {
        arguments.extend(["--shard", shard]);
    }
    arguments.push("--");
    arguments.extend(part.tests);
    arguments
}

/// What became of the mutants of a part.
struct Found {
    caught: usize,
    missed: Vec<String>,
    unviable: usize,
}

impl Found {
    fn read(out: &Path) -> Result<Self, String> {
        let lines = |name: &str| -> Result<Vec<String>, String> {
            Ok(read(&out.join(name))?.lines().map(String::from).collect())
        };
        // Tests that never end notice, too.
        let caught = lines("caught.txt")?.len() + lines("timeout.txt")?.len();
        let (missed, unviable) = (lines("missed.txt")?, lines("unviable.txt")?.len());
        match caught + missed.len() {
            0 => Err(format!("nothing was mutated: see {}", out.display())),
            _ => Ok(Found { caught, missed, unviable }),
        }
    }

    fn score(&self, name: &str) -> String {
        let viable = self.caught + self.missed.len();
        let share = 100.0 * self.caught as f64 / viable as f64;
        format!(
            "{name}: {} of {viable} mutants noticed ({share:.1} %), {} survived, {} don't compile",
            self.caught,
            self.missed.len(),
            self.unviable
        )
    }
}

/// A mutant without its line and column, which change with every edit.
fn without_place(mutant: &str) -> String {
    match mutant.splitn(4, ':').collect::<Vec<_>>()[..] {
        [file, _, _, what] => format!("{file}:{what}"),
        _ => mutant.to_string(),
    }
}

/// The explained survivors: a line for each, and below it, indented, why no test can notice it.
fn explained(text: &str) -> Result<Vec<(String, String)>, String> {
    let mut explained: Vec<(String, String)> = Vec::new();
    for line in text.lines().filter(|line| !line.is_empty() && !line.starts_with('#')) {
        match (line.starts_with(' '), explained.last_mut()) {
            (true, Some((_, why))) => *why += line,
            (true, None) => return Err(format!("{SURVIVORS}: a reason without a mutant: {line}")),
            (false, _) => explained.push((line.to_string(), String::new())),
        }
    }
    match explained.iter().find(|(_, why)| why.is_empty()) {
        Some((mutant, _)) => Err(format!("{SURVIVORS}: {mutant} isn't explained")),
        None => Ok(explained),
    }
}

/// Declare the modules of a list once more, where no compiler looks and the mutation tool does.
fn declare(list: &Path) -> Outcome {
    let text = read(list)?;
    let entries = text.split_once("registry! {").map_or("", |(_, rest)| rest);
    let entries = entries.split_once("\n}").map_or("", |(entries, _)| entries);
    let module = |line: &str| Some(line.trim().split_once("::")?.0.to_string());
    let is_entry = |line: &&str| !line.trim().starts_with("//") && !line.contains("dyn ");
    let declared: String = entries
        .lines()
        .filter(is_entry)
        .filter_map(module)
        .map(|module| format!("#[cfg(any())]\nmod {module};\n"))
        .collect();
    match declared.is_empty() {
        true => Err(format!("{} has no list", list.display())),
        false => std::fs::write(list, text + "\n" + &declared).map_err(|error| error.to_string()),
    }
}

/// Copy the workspace, with the narrowed crates as small as they can be.
fn copy_narrowed(tree: &Path) -> Outcome {
    copy_to(tree)?;
    NARROWED.iter().try_for_each(|narrowed| narrow(tree, narrowed))
}

/// Leave of a crate what is mutated and its tests.
fn narrow(tree: &Path, narrowed: &Narrowed) -> Outcome {
    let folder = tree.join(narrowed.folder);
    let write = |path: &Path, text: String| {
        std::fs::write(path, text).map_err(|error| format!("{}: {error}", path.display()))
    };
    let modules = |keyword: &str| {
        let line = |module: &&str| format!("{keyword} {module};\n");
        narrowed.modules.iter().map(line).collect::<String>()
    };
    let lib = format!("//! What is mutated.\n{}", modules("pub mod"));
    write(&folder.join("src/lib.rs"), lib)?;
    let main = format!("#![allow(clippy::unwrap_used)]\n{}", modules("mod"));
    write(&folder.join(narrowed.tests).join("main.rs"), main)?;
    let examples = folder.join("examples");
    if examples.exists() {
        std::fs::remove_dir_all(examples).map_err(|error| error.to_string())?;
    }
    // Test programs of one file are found by cargo itself, and need the rest of the crate.
    let entries = std::fs::read_dir(folder.join("tests")).map_err(|error| error.to_string())?;
    for entry in entries {
        let path = entry.map_err(|error| error.to_string())?.path();
        if path.extension().is_some_and(|ending| ending == "rs") {
            std::fs::remove_file(path).map_err(|error| error.to_string())?;
        }
    }
    let manifest = folder.join("Cargo.toml");
    let text = with_dependencies(&read(&manifest)?, narrowed.dependencies);
    write(&manifest, text)
}

/// A manifest with some of its dependencies.
fn with_dependencies(manifest: &str, kept: &[&str]) -> String {
    let mut is_list = false;
    let stays = |line: &&str| {
        if line.starts_with('[') {
            is_list = line.trim_end().ends_with("dependencies]");
        }
        let name = line.split(['.', ' ', '=']).next().unwrap_or_default();
        !is_list || line.starts_with('[') || line.is_empty() || kept.contains(&name)
    };
    manifest.lines().filter(stays).map(|line| format!("{line}\n")).collect()
}

fn read(path: &Path) -> Result<String, String> {
    std::fs::read_to_string(path).map_err(|error| format!("{}: {error}", path.display()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn survivors_are_explained_one_by_one() {
        let text = "# a comment\n\na.rs: replace x with y\n  it is\n  the same\n";
        let found = explained(text).unwrap();
        assert_eq!(
            found,
            [("a.rs: replace x with y".to_string(), "  it is  the same".to_string())]
        );
        assert_eq!(without_place("a.rs:3:14: replace x with y"), found[0].0);
        assert!(explained("a.rs: replace x with y\n").is_err());
        assert!(explained("  a reason\n").is_err());
    }

    #[test]
    fn a_narrowed_crate_has_only_the_dependencies_that_it_needs() {
        let manifest = "[package]\nname = \"a\"\n\n[dependencies]\nb.workspace = true\n\
            c = \"1\"\n\n[dev-dependencies]\nd = { path = \"d\" }\n\n[[test]]\nname = \"c\"\n";
        let narrowed = with_dependencies(manifest, &["b", "d"]);
        assert_eq!(narrowed, manifest.replace("c = \"1\"\n", ""));
        assert!(!with_dependencies(manifest, &[]).contains("workspace"));
    }

    #[test]
    fn a_part_is_asked_for_by_its_name() {
        let parse = |text: &str| {
            let words: Vec<String> = text.split_whitespace().map(String::from).collect();
            Wanted::parse(&words)
        };
        assert!(parse("").unwrap().is_everything());
        assert!(!parse("--only models --shard 0/8").unwrap().is_everything());
        assert!(parse("--only nothing").is_err() && parse("--shard").is_err());
    }
}
