//! Jobs as requests say them: the sections of a release.toml as JSON, or its text. Both become the
//! same text, so that errors name lines of what the page shows.

use axum::extract::{Request, State};
use serde_json::{Value, json};
use std::sync::Arc;

use super::Site;
use super::answer::{self, Answer};
use super::body;
use super::errors::Failure;
use super::folder::Folder;

/// A job that names nothing outside the folder.
pub(crate) struct Asked {
    /// The job, whose paths start from the folder.
    pub(crate) job: sfumato::Job,
    /// Its sections.
    pub(crate) sections: toml::Table,
    /// The release.toml that stands for it.
    pub(crate) toml: String,
}

impl Asked {
    /// The job of a request: `job` has sections, `toml` a text.
    pub(crate) fn of(request: &Value, folder: &Folder) -> Result<Self, Failure> {
        if let Some(text) = request.get("toml").and_then(Value::as_str) {
            let parsed: Result<toml::Table, _> = toml::from_str(text);
            // What doesn't parse gets its error, with its line, from whoever reads jobs.
            return Self::checked(parsed.unwrap_or_default(), text.to_string(), folder);
        }
        let sections = match request.get("job") {
            None | Some(Value::Null) => toml::Table::new(),
            Some(job) => sections(job)?,
        };
        Self::of_sections(sections, folder)
    }

    /// The job of sections.
    pub(crate) fn of_sections(sections: toml::Table, folder: &Folder) -> Result<Self, Failure> {
        let text = sfumato_engine::Job::of_sections(sections.clone()).to_toml();
        Self::checked(sections, text, folder)
    }

    fn checked(sections: toml::Table, toml: String, folder: &Folder) -> Result<Self, Failure> {
        folder.check_job(&sections).map_err(|error| Failure::of_core(error, folder))?;
        let job = sfumato::Job::from_toml(&toml).map_err(|error| Failure::of(&error, folder))?;
        Ok(Asked { job: job.base(folder.root()), sections, toml })
    }

    /// A text under a key of a section.
    pub(crate) fn text(&self, section: &str, key: &str) -> Option<&str> {
        self.sections.get(section)?.get(key)?.as_str()
    }

    /// Whether the job is about a table.
    pub(crate) fn is_table(&self) -> bool {
        self.job.kind_and_form().is_ok_and(|(kind, _)| kind == "table")
    }
}

/// The sections that JSON says. What is null isn't said.
fn sections(job: &Value) -> Result<toml::Table, Failure> {
    let wrong = |why: String| {
        Failure::wrong(&why, "a job has the sections of a release.toml, each an object")
    };
    let value = without_null(job);
    match toml::Value::try_from(&value) {
        Ok(toml::Value::Table(table)) if table.values().all(toml::Value::is_table) => Ok(table),
        Ok(_) => Err(wrong("a job is an object of sections".into())),
        Err(_) => Err(wrong("this job has a value that no release.toml can have".into())),
    }
}

fn without_null(value: &Value) -> Value {
    match value {
        Value::Array(values) => {
            values.iter().filter(|value| !value.is_null()).map(without_null).collect()
        }
        Value::Object(keys) => keys
            .iter()
            .filter(|(_, value)| !value.is_null())
            .map(|(key, value)| (key.clone(), without_null(value)))
            .collect(),
        other => other.clone(),
    }
}

/// `POST /api/v1/job`: a job in both forms, and the command that runs it.
pub(crate) async fn convert(State(site): State<Arc<Site>>, request: Request) -> Answer {
    let asked = Asked::of(&body::json(request).await?, &site.folder)?;
    let sections = serde_json::to_value(&asked.sections)
        .map_err(|_| Failure::bug("sections can't be shown as JSON"))?;
    let kind = asked.job.kind_and_form().ok();
    answer::json(&json!({
        "job": sections,
        "toml": asked.toml,
        "command": "sfumato run release.toml",
        "kind": kind.map(|(kind, _)| kind),
        "form": kind.map(|(_, form)| form),
    }))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn json_and_text_are_the_same_job() {
        let place = tempfile::tempdir().unwrap();
        let folder = Folder::open(place.path()).unwrap();
        let of = |request: Value| Asked::of(&request, &folder);
        let said = json!({ "job": {
            "input": { "path": "a.csv", "delimiter": null },
            "columns": { "age": { "role": "quasi", "weight": 2.5 } },
            "privacy": { "models": ["k-anonymity(k=5)"] },
        }});
        let asked = of(said).ok().unwrap();
        let again = of(json!({ "toml": asked.toml })).ok().unwrap();
        assert_eq!(asked.sections, again.sections);
        assert!(asked.is_table() && !asked.toml.contains("delimiter"));
        assert_eq!(asked.text("input", "path"), Some("a.csv"));
    }

    #[test]
    fn what_is_no_job_is_refused() {
        let place = tempfile::tempdir().unwrap();
        let folder = Folder::open(place.path()).unwrap();
        for request in [
            json!({ "job": 7 }),
            json!({ "job": { "input": "a.csv" } }),
            json!({ "job": { "run": { "seed": 18446744073709551615u64 } } }),
            json!({ "toml": "[input" }),
            json!({ "job": { "input": { "path": "../a.csv" } } }),
        ] {
            let failure = Asked::of(&request, &folder).err();
            assert!(failure.is_some_and(|failure| failure.body["error"]["exit_code"] == 2));
        }
    }
}
