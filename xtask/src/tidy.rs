//! `cargo xtask tidy`: the invariants of ARCHITECTURE.md that no compiler checks.

use crate::{Outcome, cargo, contributing, files, output_of, root};

/// Which crates of ours a crate may depend on, layer by layer: each may use those of the layers
/// below it, and none of its own layer but what is said here.
const LAYERS: [&[&str]; 9] = [
    &["sfumato-core"],
    &["sfumato-hierarchy", "sfumato-io", "sfumato-kernels", "sfumato-report", "sfumato-risk"],
    &["sfumato-engine"],
    // Kinds don't see each other.
    &[
        "sfumato-graph",
        "sfumato-paths",
        "sfumato-queries",
        "sfumato-sets",
        "sfumato-table",
        "sfumato-text",
        "sfumato-toy",
    ],
    // Kinds that are made of two others.
    &["sfumato-mixed", "sfumato-notes"],
    // What stands above one kind, and the list of all kinds.
    &["sfumato-collab", "sfumato-evaluate", "sfumato-generate", "sfumato-kinds", "sfumato-learn"],
    &["sfumato"],
    // A way in that the command line starts.
    &["sfumato-web"],
    &["sfumato-cli", "sfumato-fuzz", "sfumato-python", "sfumato-reproduce"],
];

/// The exceptions within a layer: a study that uses another, and the command line that uses the
/// reproductions.
const BESIDE: [(&str, &str); 2] =
    [("sfumato-evaluate", "sfumato-learn"), ("sfumato-cli", "sfumato-reproduce")];

/// The widest allowed line of code or comment, in columns.
const WIDEST: usize = 100;

/// The largest file that may be committed, in bytes.
const LARGEST: u64 = 1 << 20;

/// Run all checks.
pub fn run() -> Outcome {
    eprintln!("$ tidy");
    let mut wrong = Vec::new();
    dependencies(&mut wrong)?;
    sources(&mut wrong)?;
    one_door(&mut wrong)?;
    steps(&mut wrong)?;
    sizes(&mut wrong)?;
    links(&mut wrong)?;
    wrong.extend(contributing::wrong()?);
    if wrong.is_empty() { Ok(()) } else { Err(format!("not tidy:\n  {}", wrong.join("\n  "))) }
}

fn is_allowed(from: &str, to: &str) -> bool {
    let layer = |name: &str| LAYERS.iter().position(|layer| layer.contains(&name));
    match (layer(from), layer(to)) {
        (Some(from), Some(to)) if to < from => true,
        _ => BESIDE.contains(&(from, to)),
    }
}

fn dependencies(wrong: &mut Vec<String>) -> Outcome {
    let text = output_of(&cargo(), &["metadata", "--format-version", "1", "--no-deps"])?;
    let json: serde_json::Value = serde_json::from_str(&text).map_err(|error| error.to_string())?;
    for package in json["packages"].as_array().into_iter().flatten() {
        let from = package["name"].as_str().unwrap_or_default();
        for dependency in package["dependencies"].as_array().into_iter().flatten() {
            let to = dependency["name"].as_str().unwrap_or_default();
            let is_ours = to == "sfumato" || to.starts_with("sfumato-");
            // Tests may reach sideways: an algorithm is tested with the real models.
            let is_for_tests = dependency["kind"].as_str() == Some("dev");
            if is_ours && !is_for_tests && !is_allowed(from, to) {
                wrong.push(format!("{from} must not depend on {to}"));
            }
        }
    }
    Ok(())
}

/// Whether a line is too long. A long word of data (a line of CSS, a heading of CSV) can't be
/// broken.
fn is_too_long(line: &str) -> bool {
    let is_one_word = |line: &str| line.split(' ').any(|word| word.chars().count() > 60);
    line.chars().count() > WIDEST && !is_one_word(line)
}

/// Check for words that mean unfinished work, for files that don't say what they are, for libraries
/// that print and for long lines. The words are concatenated here so that this file doesn't contain
/// them.
fn sources(wrong: &mut Vec<String>) -> Outcome {
    let unfinished = [
        ["todo", "!("].concat(),
        ["unimpl", "emented!("].concat(),
        ["#[ig", "nore"].concat(),
        ["db", "g!("].concat(),
    ];
    for path in files(".rs")? {
        let text = std::fs::read_to_string(root().join(&path))
            .map_err(|error| format!("{path}: {error}"))?;
        if !text.starts_with("//!") && !text.starts_with("#!") {
            wrong.push(format!("{path}: the file doesn't say what it is (//! at its head)"));
        }
        // Libraries don't print: a forgotten line could show rows of the data. A skipped test may
        // say so.
        let library = (path.starts_with("crates/") || path.starts_with("studies/"))
            && path.contains("/src/")
            && !path.starts_with("crates/sfumato-cli/");
        let prints = |line: &&str| line.contains("print!(") || line.contains("println!(");
        for line in
            text.lines().filter(|_| library).filter(prints).filter(|line| !line.contains("skipped"))
        {
            wrong.push(format!("{path}: a library prints: {}", line.trim()));
        }
        for (number, line) in text.lines().enumerate().filter(|(_, line)| is_too_long(line)) {
            let columns = line.chars().count();
            wrong.push(format!("{path}:{}: {columns} columns, more than {WIDEST}", number + 1));
        }
        for word in &unfinished {
            if text.contains(word.as_str()) {
                wrong.push(format!("{path}: {word}"));
            }
        }
    }
    Ok(())
}

/// Who may give a temporary file its name. A release gets one only by `Draft::commit`, which asks
/// for what the verifier made; the others write what is no release: pages, made-up data, spilled
/// rules, samples for the fuzzer.
const NAMERS: [&str; 8] = [
    "crates/sfumato-engine/src/draft.rs",
    "crates/sfumato-engine/src/pipeline.rs",
    "crates/sfumato-io/src/atomic.rs",
    "crates/sfumato-io/src/atomic_folder.rs",
    "crates/sfumato-io/src/output.rs",
    "crates/sfumato-cli/src/command/demo.rs",
    "crates/sfumato-cli/src/command/generate.rs",
    "fuzz/src/binary.rs",
];

/// Check that kinds and studies have no way of their own to make a file visible.
fn one_door(wrong: &mut Vec<String>) -> Outcome {
    let door = [".com", "mit("].concat();
    for path in files(".rs")? {
        let is_source = path.contains("/src/") && !path.starts_with("xtask/");
        if !is_source || path.ends_with("tests.rs") || NAMERS.contains(&path.as_str()) {
            continue;
        }
        let text = std::fs::read_to_string(root().join(&path))
            .map_err(|error| format!("{path}: {error}"))?;
        let code = text.split("#[cfg(test)]").next().unwrap_or_default();
        let is_own = |line: &&str| !line.trim_start().starts_with("//") && !line.contains("draft");
        if code.lines().filter(is_own).any(|line| line.contains(&door)) {
            wrong.push(format!("{path}: a file gets its name elsewhere than in a draft"));
        }
    }
    Ok(())
}

/// Calls that are steps on the way to a release, and so stand in `sfumato-io/src/steps.rs` alone:
/// tests make each fail there. Looking at a file without reading it is none.
const STEPS: [&str; 12] = [
    "fs::rename(",
    "fs::write(",
    "fs::copy(",
    "fs::read(",
    "fs::read_to_string(",
    "fs::read_dir(",
    "fs::remove_file(",
    "fs::remove_dir_all(",
    "fs::hard_link(",
    "File::open(",
    "File::create(",
    "OpenOptions::new()",
];

/// Files that may do such things themselves: the steps, what copies tables out of other programs'
/// files into a temporary file before anything is read, secrets and passwords, what the system says
/// of itself, and the journals, which are appended to under a lock and torn by tests of their own.
const STEPPERS: [&str; 11] = [
    "crates/sfumato-engine/src/ledger/file.rs",
    "crates/sfumato-engine/src/stopwatch.rs",
    "crates/sfumato-io/src/converted.rs",
    "crates/sfumato-io/src/converted/postgres/address.rs",
    "crates/sfumato-io/src/spill/folder.rs",
    "crates/sfumato-io/src/steps.rs",
    "crates/sfumato-io/src/steps/faults.rs",
    "crates/sfumato-sets/src/serve/secret.rs",
    "crates/sfumato-table/src/answers/log.rs",
    "crates/sfumato-table/src/pseudonyms/secrets.rs",
    "crates/sfumato-table/src/spill/room.rs",
];

/// The crates through which data come and go.
const ON_THE_WAY: [&str; 11] = [
    "sfumato-engine",
    "sfumato-graph",
    "sfumato-io",
    "sfumato-mixed",
    "sfumato-notes",
    "sfumato-paths",
    "sfumato-queries",
    "sfumato-sets",
    "sfumato-table",
    "sfumato-text",
    "sfumato-toy",
];

/// Check that no step is taken where tests can't make it fail.
fn steps(wrong: &mut Vec<String>) -> Outcome {
    for path in files(".rs")? {
        let is_on_the_way = ON_THE_WAY.iter().any(|name| {
            path.strip_prefix("crates/")
                .is_some_and(|rest| rest.starts_with(&format!("{name}/src/")))
        });
        let is_test = path.ends_with("tests.rs") || path.contains("/tests/");
        if !is_on_the_way || is_test || STEPPERS.contains(&path.as_str()) {
            continue;
        }
        let text = std::fs::read_to_string(root().join(&path))
            .map_err(|error| format!("{path}: {error}"))?;
        for line in code_of(&text).filter(|line| is_step(line)) {
            wrong.push(format!("{path}: this belongs to sfumato_io::steps: {}", line.trim()));
        }
    }
    Ok(())
}

/// The lines of a file that aren't comments or tests.
fn code_of(text: &str) -> impl Iterator<Item = &str> {
    let code = text.split("#[cfg(test)]\nmod tests").next().unwrap_or_default();
    code.lines().filter(|line| !line.trim_start().starts_with("//"))
}

fn is_step(line: &str) -> bool {
    let is_ours = line.contains("steps::") || line.contains("StepFile");
    // Other types have names that end like these.
    let is_whole = |at: usize| !line[..at].ends_with(|c: char| c.is_alphanumeric());
    !is_ours && STEPS.iter().any(|step| line.find(step).is_some_and(is_whole))
}

fn sizes(wrong: &mut Vec<String>) -> Outcome {
    for path in files("")? {
        let size = std::fs::metadata(root().join(&path)).map(|meta| meta.len()).unwrap_or(0);
        if size > LARGEST {
            wrong.push(format!("{path}: {size} bytes; data doesn't belong into the project"));
        }
    }
    Ok(())
}

/// Check that relative links of Markdown pages lead to a file.
fn links(wrong: &mut Vec<String>) -> Outcome {
    for path in files(".md")? {
        let text = std::fs::read_to_string(root().join(&path))
            .map_err(|error| format!("{path}: {error}"))?;
        let folder = root().join(&path).parent().map(|p| p.to_path_buf()).unwrap_or_default();
        for part in text.split("](").skip(1) {
            let Some((target, _)) = part.split_once(')') else { continue };
            let target = target.split('#').next().unwrap_or("");
            let is_outside =
                target.is_empty() || target.contains("://") || target.starts_with("mailto:");
            if !is_outside && !folder.join(target).exists() {
                wrong.push(format!("{path}: the link to {target} leads nowhere"));
            }
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_step_beside_the_others_is_seen() {
        assert!(is_step("    std::fs::rename(from, to)?;"));
        assert!(is_step("    let file = File::open(path)?;"));
        assert!(!is_step("    let file = AtomicFile::create(path)?;"));
        assert!(!is_step("    steps::rename(from, to)?;"));
        assert!(!is_step("    if path.exists() {"));
        let text = "fn a() {}\n// fs::rename(\n#[cfg(test)]\nmod tests {\nfs::write(x)";
        assert!(!code_of(text).any(is_step));
        assert!(code_of("fs::write(x)").any(is_step));
    }
}
