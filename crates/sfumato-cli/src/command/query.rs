//! `sfumato query RELEASE 'QUERY'`: aggregates over a release, with an estimate and bounds.

use std::fmt::Write as _;

use clap::Args;
use sfumato::job::{BasketSpec, ColumnSpec};
use sfumato::query::{Answer, Answers, QueryRequest, query};
use sfumato::report::numbers::{count, quantity};
use sfumato::sets::forms::bitmaps;
use sfumato::sets::forms::buckets::{self, ItemQueryRequest};
use sfumato::{Error, Job, Result};

use super::basket_flags::BasketFlags;
use super::data_flags::hierarchy;
use super::input_flags::InputFlags;
use super::run::load;
use super::{Context, names, pair, print, set_threads};

#[derive(Args)]
pub struct Query {
    /// The release: a file, or the folder of a bucket release.
    #[arg(value_name = "RELEASE")]
    file: String,
    /// count, sum(COLUMN), avg(COLUMN), min(COLUMN) or max(COLUMN), and 'where age >= 40 and sex = m'; of baskets 'count where cream and not meat'. May
    /// be given again.
    #[arg(value_name = "QUERY", required = true)]
    queries: Vec<String>,
    /// The job that the release was made by: says what labels mean and which grid was used.
    #[arg(long, value_name = "release.toml", conflicts_with_all = ["qi", "sensitive", "hierarchy", "kind", "snap"])]
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
    /// How the original's baskets lie in their file, where that is another form than the release's.
    #[arg(long, value_name = "FORM", requires = "original")]
    original_baskets: Option<String>,
    /// The data that the release was made from: shows the true answers.
    #[arg(long, value_name = "DATA")]
    original: Option<String>,
    #[command(flatten)]
    reading: InputFlags,
    /// As one JSON object.
    #[arg(long)]
    json: bool,
}

impl Query {
    pub fn run(self, context: &Context) -> Result<u8> {
        set_threads(context, None)?;
        let answers = match self.item_request()? {
            Some(request) if bitmaps::is_release(&self.file) => bitmaps::query(&request, &context.progress)?,
            Some(request) => buckets::query(&request, &context.progress)?,
            None => query(&self.request()?, &context.progress)?,
        };
        if self.json {
            print(&(serde_json::to_string_pretty(&answers).unwrap_or_default() + "\n"))?;
        } else {
            print(&words(&answers))?;
        }
        Ok(0)
    }

    /// What is asked of baskets, if that is what the release holds.
    fn item_request(&self) -> Result<Option<ItemQueryRequest>> {
        let spec = self.baskets.spec();
        let is_folder = buckets::is_release(&self.file) || bitmaps::is_release(&self.file);
        if !is_folder && spec.is_none() {
            return Ok(None);
        }
        let of_original = |path: &String| {
            let form = self.original_baskets.clone().or_else(|| spec.clone().map(|spec| spec.form));
            let form = form.ok_or_else(|| {
                Error::params("how the original's baskets lie in their file isn't said")
                    .hint("say it with --baskets FORM")
            })?;
            Ok((self.reading.spec(path)?, BasketSpec { form, ..BasketSpec::default() }))
        };
        Ok(Some(ItemQueryRequest {
            input: self.reading.spec(&self.file)?,
            queries: self.queries.iter().map(|text| text.parse()).collect::<Result<_>>()?,
            original: self.original.as_ref().map(of_original).transpose()?,
            baskets: spec.clone(),
        }))
    }

    fn request(&self) -> Result<QueryRequest> {
        let queries = self.queries.iter().map(|text| text.parse()).collect::<Result<_>>()?;
        let job = match &self.job {
            Some(path) => load(path)?,
            None => self.columns()?,
        };
        let input = |path: &String| self.reading.spec(path);
        Ok(QueryRequest {
            release: input(&self.file)?,
            queries,
            group: self.group.clone(),
            is_job: self.job.is_some(),
            job,
            original: self.original.as_ref().map(input).transpose()?,
        })
    }

    /// What the flags say of columns.
    fn columns(&self) -> Result<Job> {
        use sfumato::dataset::Role;
        let mut job = Job::default();
        job.input.missing = self.reading.missing.clone();
        let quasi = |job: &mut Job, name: &str| {
            if job.columns.get(name).is_none() {
                job.columns.0.push((name.to_string(), ColumnSpec::of_role(Role::Quasi)));
            }
        };
        names(&self.qi).iter().for_each(|name| quasi(&mut job, name));
        for name in names(&self.sensitive) {
            job.columns.0.push((name, ColumnSpec::of_role(Role::Sensitive)));
        }
        let mut each = |flag: &str, given: &[String], set: &dyn Fn(&mut ColumnSpec, &str) -> Result<()>| {
            for given in given {
                let (name, value) = pair(flag, given)?;
                quasi(&mut job, name);
                job.columns.get_mut(name).map_or(Ok(()), |spec| set(spec, value))?;
            }
            Ok::<(), Error>(())
        };
        each("hierarchy", &self.hierarchy, &|spec, how| {
            spec.hierarchy = Some(hierarchy(how)?);
            Ok(())
        })?;
        each("type", &self.kind, &|spec, kind| {
            spec.kind = Some(kind.into());
            Ok(())
        })?;
        each("snap", &self.snap, &|spec, step| {
            let step = step.parse().ok().filter(|step: &f64| step.is_finite() && *step > 0.0);
            spec.snap = Some(step.ok_or_else(|| Error::params("--snap: the step must be a number above 0"))?);
            Ok(())
        })?;
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
            format!("about {}, from {} to {}", shown(estimate), shown(&answer.lower), shown(&answer.upper))
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

/// A figure for people: whole, a few digits, or a date.
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
