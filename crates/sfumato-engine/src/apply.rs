//! Publishing new records as an earlier release was published, whatever their kind: a recoding that
//! was saved beside a release says which job made it, and the job says which kind and form it is.

use serde::Deserialize;
use sfumato_core::{Error, Result};

use crate::job::Job;

/// What happens to records that a recoding has no place for.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Unseen {
    /// The run stops and says how many there are.
    #[default]
    Refuse,
    /// They go to the region that grows least by taking them in; in a column that is recoded by
    /// itself to the nearest range, or to `*`.
    Extend,
    /// They are suppressed, within the limit.
    Drop,
}

/// Which recoding is applied, to what. Roles and models are those of the job in the recoding.
#[derive(Debug, Clone, Default)]
pub struct ApplyRequest {
    /// The text of the recoding.
    pub recoding: String,
    /// Its file, for messages.
    pub file: String,
    /// The new records.
    pub input: String,
    /// Where their release goes.
    pub output: String,
    /// Where the private report goes.
    pub report: Option<String>,
    /// What happens to records that the recoding has no place for.
    pub unseen: Unseen,
    /// How many records may be suppressed; none without it.
    pub max_suppression: Option<String>,
    /// Makes the run repeatable.
    pub seed: Option<u64>,
    /// Whether records leave in the order in which they came, which the report notes.
    pub keep_order: bool,
}

/// What every recoding file has, whatever its kind: the job that it was made by.
#[derive(Deserialize)]
struct Saved {
    job: toml::Table,
}

impl ApplyRequest {
    /// The job that publishes the new records: the saved one with another input and output.
    pub fn job(&self) -> Result<Job> {
        let saved: Saved = serde_json::from_str(&self.recoding).map_err(|error| {
            let text = error.to_string();
            let what = text.split(" at line ").next().unwrap_or(&text);
            Error::input(format!("this isn't a recoding file: {what}"))
                .in_file(&self.file)
                .at_line(error.line() as u64)
                .at_column(error.column() as u64)
        })?;
        let mut job = Job::of_sections(saved.job);
        job.set("input", "path", self.input.as_str());
        job.remove("output");
        job.set("output", "path", self.output.as_str());
        if let Some(report) = &self.report {
            job.set("output", "report", report.as_str());
        }
        if self.keep_order {
            job.set("output", "keep_order", true);
        }
        match &self.max_suppression {
            Some(limit) => job.set("privacy", "max_suppression", limit.as_str()),
            None => job.unset("privacy", "max_suppression"),
        }
        match self.seed {
            Some(seed) => job.set(
                "run",
                "seed",
                i64::try_from(seed).map_err(|_| Error::params("the seed is too large"))?,
            ),
            None => job.unset("run", "seed"),
        }
        Ok(job)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_saved_job_gets_another_input_and_output() {
        let recoding = r#"{"format": "x", "job": {"input": {"path": "old.csv", "missing": ["?"]},
            "columns": {"b": {"role": "quasi"}, "a": {"role": "keep"}},
            "output": {"path": "old-release.csv", "recoding": "r.json"}, "run": {"seed": 3}}}"#;
        let mut request = ApplyRequest {
            recoding: recoding.into(),
            input: "new.csv".into(),
            output: "-".into(),
            ..ApplyRequest::default()
        };
        assert_eq!(
            request.job().unwrap().to_toml(),
            "[input]\npath = \"new.csv\"\nmissing = [\"?\"]\n\n[columns]\n\
             b = { role = \"quasi\" }\na = { role = \"keep\" }\n\n\
             [output]\npath = \"-\"\n"
        );
        request.keep_order = true;
        assert!(request.job().unwrap().to_toml().contains("keep_order = true"));
        request.recoding = "{".into();
        let error = request.job().unwrap_err();
        assert!(error.message.starts_with("this isn't a recoding file: "), "{error}");
        assert_eq!(error.place.line, Some(1));
    }
}
