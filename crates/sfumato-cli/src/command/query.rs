//! `sfumato query RELEASE 'QUERY'`: aggregates over a release, with an estimate and bounds.

use std::fmt::Write as _;

use clap::Args;
use sfumato::{Answer, Answers, Job, Request};
use sfumato_core::{Error, Result};
use sfumato_report::numbers::{count, quantity};

use super::basket_flags::BasketFlags;
use super::data_flags::hierarchy;
use super::input_flags::{InputFlags, set_column, set_hierarchy, set_role};
use super::run::{load, set_keys};
use super::{Context, names, pair, print, set_threads, to_json};

#[derive(Args)]
pub struct Query {
    /// The release: a file, or the folder of a bucket release.
    #[arg(value_name = "RELEASE")]
    file: String,
    /// count, sum(COLUMN), avg(COLUMN), min(COLUMN) or max(COLUMN), and 'where age >= 40 and sex =
    /// m'; of baskets 'count where cream and not meat'. May be given again.
    #[arg(value_name = "QUERY", required = true)]
    queries: Vec<String>,
    /// The job that made the release: it says what labels mean and which grid was used.
    #[arg(long, value_name = "release.toml", conflicts_with_all =
        ["qi", "sensitive", "hierarchy", "kind", "snap"])]
    job: Option<String>,
    /// The columns that are generalized; without it any column may be.
    #[arg(long, value_name = "A,B")]
    qi: Vec<String>,
    /// The column of a permuted bucket release that says the group of a record.
    #[arg(long, value_name = "COLUMN")]
    group: Option<String>,
    /// The columns that are permuted within groups.
    #[arg(long, value_name = "A,B", requires = "group")]
    sensitive: Vec<String>,
    /// A column's hierarchy, for its labels: column=FILE. May be given again.
    #[arg(long, value_name = "COLUMN=HOW")]
    hierarchy: Vec<String>,
    /// A column's type, if it shouldn't be guessed: column=text.
    #[arg(long = "type", value_name = "COLUMN=TYPE")]
    kind: Vec<String>,
    /// The grid that a column's statistics were snapped to: column=5.
    #[arg(long, value_name = "COLUMN=STEP")]
    snap: Vec<String>,
    #[command(flatten)]
    baskets: BasketFlags,
    /// The layout of the original's file of baskets, if it isn't the layout of the release.
    #[arg(long, value_name = "FORM", requires = "original")]
    original_baskets: Option<String>,
    /// The data that the release was made from: shows the true answers.
    #[arg(long, value_name = "DATA")]
    original: Option<String>,
    #[command(flatten)]
    reading: InputFlags,
    /// Set a key of a section, as in a job: section.key=value. May be given again.
    #[arg(long, value_name = "KEY=VALUE")]
    set: Vec<String>,
    /// Print the answers to standard output as one JSON object.
    #[arg(long)]
    json: bool,
}

impl Query {
    pub fn run(self, context: &Context) -> Result<u8> {
        set_threads(context, None)?;
        let answers = sfumato::query(&self.request()?, &context.progress)?;
        if self.json {
            print(&(to_json(&answers)? + "\n"))?;
        } else {
            print(&words(&answers))?;
        }
        Ok(0)
    }

    fn request(&self) -> Result<Request> {
        let own_job = self.job.as_ref().map(|path| load(path)).transpose()?;
        let mut job = match (&own_job, &self.job) {
            (Some(own), Some(path)) => self.reading_release(own, path)?,
            _ => self.described(&self.file)?,
        };
        set_keys(&mut job, &self.set)?;
        let original = self.original.as_ref().map(|path| {
            let mut original = self.described(path)?;
            if let Some(form) = &self.original_baskets {
                original.set("baskets", "form", form.clone());
            }
            Ok::<_, Error>(original)
        });
        Ok(Request {
            job,
            original: original.transpose()?,
            queries: self.queries.clone(),
            own_job,
            ..Request::default()
        })
    }

    /// The job that made the release, changed so that it reads the release.
    fn reading_release(&self, own: &Job, path: &str) -> Result<Job> {
        let mut job = own.clone();
        let release = match std::path::Path::new(path).parent() {
            // Paths of a job start from its folder, and that of the release from where the user is.
            Some(folder) if !folder.as_os_str().is_empty() => std::path::absolute(&self.file)
                .map_err(|error| Error::io(std::path::Path::new(&self.file), "find", &error))?
                .display()
                .to_string(),
            _ => self.file.clone(),
        };
        job.set("input", "path", release);
        // How the original is written says nothing of the release.
        ["format", "delimiter", "header"].iter().for_each(|key| job.unset("input", key));
        self.reading.add_to(&mut job)?;
        if let Some(group) = &self.group {
            job.set("output", "group", group.clone());
        }
        Ok(job)
    }

    /// The job that reads a file as the flags describe it.
    fn described(&self, path: &str) -> Result<Job> {
        let mut job = self.reading.job(path)?;
        self.baskets.add_to(&mut job);
        for (role, given) in [("quasi", &self.qi), ("sensitive", &self.sensitive)] {
            names(given).iter().try_for_each(|name| set_role(&mut job, name, role))?;
        }
        for given in &self.hierarchy {
            let (name, how) = pair("hierarchy", given)?;
            set_hierarchy(&mut job, name, &hierarchy(how)?);
        }
        for given in &self.kind {
            let (name, kind) = pair("type", given)?;
            set_column(&mut job, name, "type", kind.into());
        }
        for given in &self.snap {
            let (name, step) = pair("snap", given)?;
            let step = step.parse().ok().filter(|step: &f64| step.is_finite() && *step > 0.0);
            let step =
                step.ok_or_else(|| Error::params("--snap: the step must be a number above 0"))?;
            set_column(&mut job, name, "snap", step.into());
        }
        if let Some(group) = &self.group {
            job.set("output", "group", group.clone());
            job.set("output", "buckets", "permuted");
        }
        Ok(job)
    }
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
