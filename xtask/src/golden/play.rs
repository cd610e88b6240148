//! Runs a case and records what it did.

use std::path::Path;
use std::process::{Command, Stdio};

use serde_json::{Map, Value, json};
use sha2::{Digest as _, Sha256};

use super::case::{Case, words};
use super::cases::data;
use super::folder::{Folder, files_below};
use super::scrub;

/// Run the steps of a case in its folder, and return exit codes, output and files.
pub fn play(case: &Case, binary: &Path, folder: &Folder) -> Result<Value, String> {
    let name =
        if case.group == data::GROUP { data::FOLDER.into() } else { plain(&case.full_name()) };
    let place = folder.make(&name)?;
    let printed = folder.make("printed")?;
    let mut steps = Vec::new();
    for (i, step) in case.steps.iter().enumerate() {
        let said = |error: String| format!("{}: {step}: {error}", case.full_name());
        let played = play_step(step, binary, &place, folder.path()).map_err(said)?;
        // For whoever looks at a difference in what is kept as a hash only.
        write(&printed.join(format!("{name}.{i}")), &played.stdout)?;
        steps.extend(played.kept);
    }
    let mut files = Map::new();
    for file in files_below(&place)? {
        let bytes = read(&place.join(&file))?;
        let kept = scrub::file(&file, &bytes);
        files.insert(file.display().to_string(), sha256(kept.as_deref().unwrap_or(&bytes)).into());
    }
    Ok(json!({ "steps": steps, "files": files }))
}

/// A name that can be used for a folder.
fn plain(name: &str) -> String {
    let is_plain = |c: char| c.is_ascii_alphanumeric() || c == '-' || c == '.';
    name.chars().map(|c| if is_plain(c) { c } else { '_' }).collect()
}

fn write(path: &Path, bytes: &[u8]) -> Result<(), String> {
    std::fs::write(path, bytes).map_err(|error| format!("{}: {error}", path.display()))
}

fn read(path: &Path) -> Result<Vec<u8>, String> {
    std::fs::read(path).map_err(|error| format!("{}: {error}", path.display()))
}

/// The first half of a SHA-256 hash, which is enough to tell files apart that nobody forges.
fn sha256(bytes: &[u8]) -> String {
    Sha256::digest(bytes).iter().take(16).map(|byte| format!("{byte:02x}")).collect()
}

/// What a step did.
#[derive(Default)]
struct Played {
    /// The record of the step. `None` for a step that only writes a file.
    kept: Option<Value>,
    /// The unchanged standard output.
    stdout: Vec<u8>,
}

fn play_step(step: &str, binary: &Path, place: &Path, all: &Path) -> Result<Played, String> {
    let mut words = words(step);
    if let Some(change) = words.first().filter(|word| word.starts_with('!')) {
        // What can't be changed any more is a difference like any other.
        let said = |error: String| json!({ "run": step, "err": [error] });
        let kept = prepare(change, &words[1..], place).err().map(said);
        return Ok(Played { kept, ..Played::default() });
    }
    let mut to = None;
    let mut command = Command::new(binary);
    command.stdin(Stdio::null());
    if words.len() >= 2 && [">", "<"].contains(&words[words.len() - 2].as_str()) {
        let file = place.join(words.pop().unwrap_or_default());
        if words.pop().as_deref() == Some(">") {
            to = Some(file);
        } else {
            let file = std::fs::File::open(&file).map_err(|error| error.to_string())?;
            command.stdin(file);
        }
    }
    // The steps of a case write the same release again and again.
    let writes = matches!(words.first().map(String::as_str), Some("run" | "anonymize"));
    let output = command
        .args(&words)
        .args(writes.then_some("--force"))
        .current_dir(place)
        .output()
        .map_err(|error| format!("can't run {}: {error}", binary.display()))?;
    let mut kept = Map::new();
    kept.insert("run".into(), step.into());
    kept.insert("code".into(), output.status.code().into());
    match to {
        Some(file) => write(&file, &output.stdout)?,
        None => {
            kept.insert("out".into(), printed(&output.stdout, all));
        }
    }
    kept.insert("err".into(), lines(&output.stderr, all));
    kept.retain(|_, value| *value != json!([]));
    Ok(Played { kept: Some(kept.into()), stdout: output.stdout })
}

/// The output: as JSON if it is JSON, or else line by line.
fn printed(bytes: &[u8], all: &Path) -> Value {
    match serde_json::from_slice::<Value>(bytes) {
        Ok(value) if value.is_object() => scrub::json(value),
        _ => lines(bytes, all),
    }
}

fn lines(bytes: &[u8], all: &Path) -> Value {
    let text = String::from_utf8_lossy(bytes).replace(&all.display().to_string(), "$DIR");
    scrub::lines(text.lines().filter_map(scrub::line).map(Value::from).collect())
}

/// Run a step that writes a file itself.
fn prepare(change: &str, words: &[String], place: &Path) -> Result<(), String> {
    let (file, text) = match (change, words) {
        ("!write", [file, text]) => (file, text.replace('|', "\n")),
        ("!replace", [file, old, new]) => {
            let bytes = read(&place.join(file)).map_err(|_| format!("{file} can't be read"))?;
            let text = String::from_utf8_lossy(&bytes).into_owned();
            if !text.contains(old.as_str()) {
                return Err(format!("{file} has no {old:?}"));
            }
            (file, text.replacen(old.as_str(), new, 1))
        }
        _ => return Err("this change of a file isn't known".into()),
    };
    write(&place.join(file), text.as_bytes())
}
