//! What a job reads is never overwritten by what it writes.
//!
//! Every text of a job outside `[output]` that is the name of a file is taken for an input: its
//! data, hierarchies, utilities, and whatever a new key names. Nobody can forget to list one.

use std::path::Path;

use sfumato_core::registry::{Argument, Call};
use sfumato_core::{Error, Result};
use sfumato_io::Sink;

use crate::destinations::is_same_file;
use crate::job::Job;
use crate::manifest::beside;
use crate::paths::resolve;

/// Refuse a job of which an output is a file that it reads. `more` are files that were read
/// already: the job itself, a recoding.
pub fn refuse_overwriting(job: &Job, more: &[&str]) -> Result<()> {
    let mut outputs = Vec::new();
    texts(&toml::Value::Table(job.section("output").cloned().unwrap_or_default()), &mut outputs);
    let mut outputs: Vec<String> = outputs.iter().map(|path| resolve(job.base(), path)).collect();
    let release = job.get("output", "path").and_then(|path| path.as_str());
    let release = release.map(|path| resolve(job.base(), path));
    if let Some(path) = release.as_deref().and_then(|path| Sink::of(path).path().map(beside)) {
        outputs.push(path.display().to_string());
    }
    let mut inputs = Vec::new();
    for section in job.sections().filter(|section| *section != "output") {
        let section = job.section(section).cloned().unwrap_or_default();
        texts(&toml::Value::Table(section), &mut inputs);
    }
    let named = inputs.iter().map(|path| resolve(job.base(), path));
    let read = more.iter().map(|path| path.to_string()).chain(job.file().map(String::from));
    for input in named.chain(read).filter(|path| Path::new(path).is_file()) {
        if outputs.iter().any(|output| is_same_file(&input, output)) {
            let (what, hint) = match is_same_file(&input, &job.input_path()) {
                true => ("an output has the path of the input", "the input is never overwritten"),
                false => (
                    "an output is a file that the job reads",
                    "what is read is never overwritten: name another output",
                ),
            };
            return Err(Error::params(what).in_file(input).hint(hint));
        }
    }
    Ok(())
}

/// All texts in a value, and the arguments of those that are calls, such as `file(path=a.csv)`.
fn texts(value: &toml::Value, found: &mut Vec<String>) {
    match value {
        toml::Value::String(text) => {
            found.push(text.clone());
            if let Ok(call) = text.parse::<Call>() {
                for (_, argument) in call.args {
                    match argument {
                        Argument::Word(word) => found.push(word),
                        Argument::List(words) => found.extend(words),
                    }
                }
            }
        }
        toml::Value::Array(values) => values.iter().for_each(|value| texts(value, found)),
        toml::Value::Table(table) => table.values().for_each(|value| texts(value, found)),
        _ => {}
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_file_that_a_job_names_is_safe() {
        let folder = tempfile::tempdir().unwrap();
        let path = |name: &str| folder.path().join(name);
        for name in ["data.csv", "age.csv", "zip.csv", "worth.csv", "release.toml"] {
            std::fs::write(path(name), "x").unwrap();
        }
        let refused = |output: &str| {
            let text = format!(
                "[input]\npath = \"data.csv\"\n[columns]\n\
                 age = {{ role = \"quasi\", hierarchy = {{ file = {{ path = \"age.csv\" }} }} }}\n\
                 zip = {{ role = \"quasi\", hierarchy = \"file(path=zip.csv)\" }}\n\
                 [baskets]\nutilities = \"worth.csv\"\n[output]\n{output}\n"
            );
            let file = path("release.toml").display().to_string();
            let job = Job::parse(&text, &file, folder.path()).unwrap();
            refuse_overwriting(&job, &[&path("saved.json").display().to_string()]).is_err()
        };
        for name in ["data.csv", "./age.csv", "zip.csv", "worth.csv", "release.toml"] {
            assert!(refused(&format!("path = \"{name}\"")), "{name}");
            assert!(refused(&format!("path = \"o.csv\"\nreport = \"{name}\"")), "{name}");
        }
        assert!(!refused("path = \"o.csv\"\nreport = \"r.json\""));
        // A file that was read already, a link to a file, and the place of the manifest.
        std::fs::write(path("saved.json"), "x").unwrap();
        assert!(refused("path = \"saved.json\""));
        std::fs::hard_link(path("data.csv"), path("same.csv")).unwrap();
        assert!(refused("path = \"same.csv\""));
        std::fs::hard_link(path("data.csv"), path("o.csv.release.json")).unwrap();
        assert!(refused("path = \"o.csv\""));
    }
}
