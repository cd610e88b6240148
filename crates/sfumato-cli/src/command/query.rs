//! `sfumato query RELEASE 'QUERY'`: aggregates over a release, with an estimate and bounds.

use std::fmt::Write as _;

use clap::Args;
use sfumato_core::{Error, Result};
use sfumato_engine::Job;
use sfumato_engine::entry::Request;
use sfumato_engine::flags::About;
use sfumato_engine::query::{Answer, Answers};
use sfumato_report::numbers::{count, quantity};

use super::flags::{self, Flags};
use super::run::load;
use super::{Context, print, print_words, set_threads, to_json};

#[derive(Args)]
pub struct Query {
    /// The release: a file, or the folder of a bucket release.
    #[arg(value_name = "RELEASE")]
    file: String,
    /// count, sum(COLUMN), avg(COLUMN), min(COLUMN) or max(COLUMN), and 'where age >= 40 and sex =
    /// m'; of baskets 'count where cream and not meat'. May be given again.
    // Its own name is that of a flag: '--queries' says that the data are a log.
    #[arg(id = "query", value_name = "QUERY", required = true)]
    asked: Vec<String>,
    /// The job that the release was made by: says what labels mean and which grid was used.
    #[arg(long, value_name = "release.toml")]
    job: Option<String>,
    #[command(flatten)]
    flags: Flags<flags::Query>,
    /// The data that the release was made from: shows the true answers.
    #[arg(long, value_name = "DATA")]
    original: Option<String>,
    /// Say a key of a section otherwise, as a job would: section.key=value. May be given again.
    #[arg(long, value_name = "KEY=VALUE")]
    set: Vec<String>,
    /// Print the answers to standard output as one JSON object.
    #[arg(long)]
    json: bool,
}

impl Query {
    pub fn run(self, context: &Context) -> Result<u8> {
        set_threads(context, None)?;
        let answers = sfumato_kinds::RELEASES.query(&self.request()?, &context.progress)?;
        if self.json {
            print(&(to_json(&answers)? + "\n"))?;
        } else {
            print_words(&words(&answers))?;
        }
        answers.warnings.iter().for_each(|warning| context.say(&format!("warning: {warning}")));
        Ok(0)
    }

    fn request(&self) -> Result<Request> {
        let described = self.flags.described(&self.file, self.original.as_deref(), &self.set)?;
        let own_job = self.job.as_ref().map(|path| load(path)).transpose()?;
        let job = match (&own_job, &self.job) {
            (Some(own), Some(path)) => {
                let mut job = reading(own, path, &self.file)?;
                let kind = sfumato_kinds::RELEASES.kind_of_job(&job)?;
                self.flags.add(&mut job, kind, &[About::Data], &self.set)?;
                job
            }
            _ => described.release,
        };
        Ok(Request {
            job,
            original: described.original,
            queries: self.asked.clone(),
            own_job,
            ..Request::default()
        })
    }
}

/// The job that made a release, at a path, changed so that it reads the release.
pub(super) fn reading(own: &Job, path: &str, file: &str) -> Result<Job> {
    let mut job = own.clone();
    let release = match std::path::Path::new(path).parent() {
        // Paths of a job start from its folder, and that of the release from where the user is.
        Some(folder) if !folder.as_os_str().is_empty() => std::path::absolute(file)
            .map_err(|error| Error::io(std::path::Path::new(file), "find", &error))?
            .display()
            .to_string(),
        _ => file.into(),
    };
    job.set("input", "path", release);
    // How the original is written says nothing of the release.
    ["format", "delimiter", "header"].iter().for_each(|key| job.unset("input", key));
    Ok(job)
}

fn words(answers: &Answers) -> String {
    let mut text = String::new();
    let _ = writeln!(text, "file       {} ({} records)", answers.path, count(answers.rows));
    if let Some(gone) = answers.not_released.filter(|gone| *gone > 0) {
        let _ = writeln!(
            text,
            "           {} records of the original aren't in it; bounds are about the others",
            count(gone)
        );
    }
    for answer in &answers.answers {
        let _ = writeln!(text, "{}", answer.query);
        let _ = writeln!(text, "  {}", one(answer));
    }
    text
}

fn one(answer: &Answer) -> String {
    let shown = |value: &Option<serde_json::Value>| value.as_ref().map_or("unknown".into(), figure);
    let mut text = match &answer.estimate {
        None if answer.lower.is_none() && answer.upper.is_none() => {
            "no answer: the release doesn't say".to_string()
        }
        estimate => {
            format!(
                "about {}, from {} to {}",
                shown(estimate),
                shown(&answer.lower),
                shown(&answer.upper)
            )
        }
    };
    if let Some(truth) = &answer.truth {
        let _ = write!(text, "; in truth {}", figure(truth));
    }
    if let Some(share) = answer.relative_error {
        let _ = write!(text, ", {:+.1} %", 100.0 * share);
    }
    if let Some(imprecision) = answer.imprecision {
        let _ = write!(text, ", imprecision {}", quantity(imprecision));
    }
    text
}

/// A figure for people: a whole number, a few digits, or a date.
fn figure(value: &serde_json::Value) -> String {
    match value {
        serde_json::Value::Number(number) => match number.as_f64() {
            Some(x) if x.fract() == 0.0 && x.abs() < 1e15 => format!("{x}"),
            Some(x) => quantity(x),
            None => number.to_string(),
        },
        serde_json::Value::String(text) => text.clone(),
        other => other.to_string(),
    }
}
