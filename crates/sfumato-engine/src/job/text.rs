//! Between a job and the text of its release.toml.

use std::fmt::Write as _;
use std::path::Path;

use sfumato_core::{Error, Result};

use super::Job;

impl Job {
    /// Read a release.toml. Paths in it start from `base`.
    pub fn parse(text: &str, file: &str, base: &Path) -> Result<Job> {
        let mut job: Job = toml::from_str(text).map_err(|error| {
            let place = error.span().map(|span| line_and_column(text, span.start));
            let (line, column) = place.unwrap_or((1, 1));
            Error::input(error.message().trim().replace('\n', " "))
                .in_file(file)
                .at_line(line)
                .at_column(column)
        })?;
        job.base = base.to_path_buf();
        job.check().map_err(|error| error.in_file(file))?;
        Ok(job)
    }

    /// What doesn't depend on the data.
    fn check(&self) -> Result<()> {
        if self.input.path.is_empty() {
            return Err(
                Error::params("the job names no input").hint("write path = \"data.csv\" under [input]")
            );
        }
        if self.output.path.is_empty() {
            return Err(
                Error::params("the job names no output").hint("write path = \"release.csv\" under [output]")
            );
        }
        if let Some((name, _)) =
            self.columns.0.iter().find(|(_, c)| !(c.weight.is_finite() && c.weight > 0.0))
        {
            return Err(Error::params(format!("the weight of column '{name}' must be above 0")));
        }
        // TOML has no larger whole numbers: a job that can't be written down can't be repeated.
        let largest = i64::MAX as u64;
        if self.run.seed.is_some_and(|seed| seed > largest)
            || self.run.threads.is_some_and(|n| n as u64 > largest)
        {
            return Err(Error::params(format!("seed and threads must be at most {largest}")));
        }
        Ok(())
    }

    /// The text of the release.toml that stands for this job.
    pub fn to_toml(&self) -> String {
        let mut text = String::new();
        let section = |text: &mut String, name: &str, value: toml::Value| {
            let toml::Value::Table(table) = value else { return };
            if table.is_empty() {
                return;
            }
            let _ = writeln!(text, "{}[{name}]", if text.is_empty() { "" } else { "\n" });
            for (key, value) in table {
                let _ = writeln!(text, "{} = {}", quote_key(&key), inline(&value));
            }
        };
        let value = toml::Value::try_from(self).expect("a job has only strings, numbers, lists and tables");
        for name in ["input", "baskets", "columns", "privacy", "workload", "recode", "output", "run"] {
            if let Some(part) = value.get(name) {
                section(&mut text, name, part.clone());
            }
        }
        text
    }
}

/// One value on one line: a job reads best as one line per column.
fn inline(value: &toml::Value) -> String {
    match value {
        toml::Value::Table(table) => {
            let entries: Vec<String> =
                table.iter().map(|(key, value)| format!("{} = {}", quote_key(key), inline(value))).collect();
            format!("{{ {} }}", entries.join(", "))
        }
        toml::Value::Array(items) => format!("[{}]", items.iter().map(inline).collect::<Vec<_>>().join(", ")),
        other => other.to_string(),
    }
}

/// A key as TOML wants it.
pub(crate) fn quote_key(key: &str) -> String {
    let bare = !key.is_empty() && key.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'_' || b == b'-');
    if bare { key.to_string() } else { toml::Value::String(key.to_string()).to_string() }
}

fn line_and_column(text: &str, at: usize) -> (u64, u64) {
    let before = &text.as_bytes()[..at.min(text.len())];
    let line = before.iter().filter(|b| **b == b'\n').count() + 1;
    let column = before.len() - before.iter().rposition(|b| *b == b'\n').map_or(0, |i| i + 1) + 1;
    (line as u64, column as u64)
}

#[cfg(test)]
mod tests {
    use super::*;

    const SAMPLE: &str = r#"
[input]
path = "patients.csv"
[columns]
name     = { role = "identifier" }
age      = { role = "quasi", hierarchy = { interval = { width = 5, levels = 4 } }, publish = ["interval", "mean"], snap = 0.5 }
zip      = { role = "quasi", hierarchy = { mask = { from = "right" } }, weight = 2.0 }
job      = { role = "quasi", hierarchy = { file = "job.csv" }, missing = "suppressed" }
"odd name" = { role = "keep" }
disease  = { role = "sensitive" }
[privacy]
models = ["k-anonymity(k=10)", "l-diversity-entropy(l=3, on=disease)"]
max_suppression = "2%"
[workload]
tasks = ["aggregation(column=age)"]
[output]
path = "release.csv"
"#;

    fn parse(text: &str) -> Result<Job> {
        Job::parse(text, "release.toml", Path::new(""))
    }

    #[test]
    fn a_job_survives_being_written_and_read() {
        let job = parse(SAMPLE).unwrap();
        let names: Vec<_> = job.columns.0.iter().map(|(name, _)| name.as_str()).collect();
        assert_eq!(names, ["name", "age", "zip", "job", "odd name", "disease"]);
        assert_eq!(
            job.columns.get("age").unwrap().hierarchy.as_ref().unwrap().to_string(),
            "interval(levels=4, width=5)"
        );
        let again = parse(&job.to_toml()).unwrap();
        assert_eq!(again, job, "{}", job.to_toml());
    }

    #[test]
    fn errors_name_line_and_column() {
        let message = |text: &str| parse(text).unwrap_err().to_string();
        assert_eq!(
            message("[input]\npath = \"a\"\nfromat = 1\n"),
            "release.toml:3:1: unknown field `fromat`, expected one of `path`, `format`, `delimiter`, `header`, `missing`"
        );
        assert!(message("[input]\npath = \n").starts_with("release.toml:2:"));
        assert_eq!(message("[input]\npath = \"a\"\n"), "release.toml: the job names no output");
        assert_eq!(
            message("[input]\npath = \"a\"\n[output]\npath = \"b\"\n[run]\nseed = 9223372036854775808\n"),
            "release.toml: seed and threads must be at most 9223372036854775807"
        );
        assert!(message("[columns]\na = { role = \"quazi\" }\n").contains("unknown variant `quazi`"));
        assert!(
            message("[columns]\na = { role = \"quasi\", hierarchy = { mask = {}, date = {} } }")
                .contains("exactly one builder")
        );
    }
}
