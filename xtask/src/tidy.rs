//! `cargo xtask tidy`: the invariants of ARCHITECTURE.md that no compiler checks.

use std::collections::BTreeSet;

use crate::{Outcome, cargo, files, output_of, root};

/// Which crates of ours a crate may depend on. Everything points down; the crates in the middle don't see each other.
const MIDDLE: [&str; 10] = [
    "sfumato-generate",
    "sfumato-hierarchy",
    "sfumato-io",
    "sfumato-learn",
    "sfumato-metrics",
    "sfumato-workload",
    "sfumato-models",
    "sfumato-recode",
    "sfumato-report",
    "sfumato-risk",
];

/// Largest file that may be committed.
const LARGEST: u64 = 1 << 20;

/// Check all.
pub fn run() -> Outcome {
    eprintln!("$ tidy");
    let mut wrong = Vec::new();
    dependencies(&mut wrong)?;
    sources(&mut wrong)?;
    sizes(&mut wrong)?;
    links(&mut wrong)?;
    if wrong.is_empty() { Ok(()) } else { Err(format!("not tidy:\n  {}", wrong.join("\n  "))) }
}

fn allowed(from: &str) -> BTreeSet<&'static str> {
    let mut below: BTreeSet<&'static str> = BTreeSet::new();
    match from {
        "sfumato-core" | "xtask" => {}
        name if MIDDLE.contains(&name) => {
            below.insert("sfumato-core");
        }
        "sfumato-engine" => {
            below.extend(MIDDLE);
            below.insert("sfumato-core");
        }
        "sfumato" | "sfumato-reproduce" => {
            below.extend(MIDDLE);
            below.extend(["sfumato-core", "sfumato-engine"]);
        }
        "sfumato-cli" => {
            below.extend(["sfumato", "sfumato-reproduce", "sfumato-web"]);
        }
        _ => {
            below.insert("sfumato");
        }
    }
    below
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
            if is_ours && !is_for_tests && !allowed(from).contains(to) {
                wrong.push(format!("{from} must not depend on {to}"));
            }
        }
    }
    Ok(())
}

/// Words that mean unfinished work, and files without a word about what they are. The words are put together here so
/// that this file doesn't find itself.
fn sources(wrong: &mut Vec<String>) -> Outcome {
    let unfinished = [
        ["todo", "!("].concat(),
        ["unimpl", "emented!("].concat(),
        ["#[ig", "nore"].concat(),
        ["db", "g!("].concat(),
    ];
    for path in files(".rs")? {
        let text = std::fs::read_to_string(root().join(&path)).map_err(|error| format!("{path}: {error}"))?;
        if !text.starts_with("//!") && !text.starts_with("#!") {
            wrong.push(format!("{path}: the file doesn't say what it is (//! at its head)"));
        }
        // Libraries don't print: a forgotten line could show rows of the data. A skipped test may say so.
        let library =
            path.starts_with("crates/") && path.contains("/src/") && !path.starts_with("crates/sfumato-cli/");
        let prints = |line: &&str| line.contains("print!(") || line.contains("println!(");
        for line in text.lines().filter(|_| library).filter(prints).filter(|line| !line.contains("skipped")) {
            wrong.push(format!("{path}: a library prints: {}", line.trim()));
        }
        for word in &unfinished {
            if text.contains(word.as_str()) {
                wrong.push(format!("{path}: {word}"));
            }
        }
    }
    Ok(())
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

/// Relative links of Markdown pages lead somewhere.
fn links(wrong: &mut Vec<String>) -> Outcome {
    for path in files(".md")? {
        let text = std::fs::read_to_string(root().join(&path)).map_err(|error| format!("{path}: {error}"))?;
        let folder = root().join(&path).parent().map(|p| p.to_path_buf()).unwrap_or_default();
        for part in text.split("](").skip(1) {
            let Some((target, _)) = part.split_once(')') else { continue };
            let target = target.split('#').next().unwrap_or("");
            let is_outside = target.is_empty() || target.contains("://") || target.starts_with("mailto:");
            if !is_outside && !folder.join(target).exists() {
                wrong.push(format!("{path}: the link to {target} leads nowhere"));
            }
        }
    }
    Ok(())
}
