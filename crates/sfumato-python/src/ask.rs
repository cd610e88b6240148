//! Audits, attacks, questions and plans.

use pyo3::prelude::*;
use sfumato::{Answer, Figure, Run};

use crate::data::data_of;
use crate::job::Job;
use crate::watch::watched;

/// What a release really promises: as JSON, and in words.
#[pyfunction]
#[pyo3(signature = (release, job, original=None, progress=None))]
pub fn audit(
    py: Python<'_>,
    release: &Bound<'_, PyAny>,
    job: &Job,
    original: Option<&Bound<'_, PyAny>>,
    progress: Option<&Bound<'_, PyAny>>,
) -> PyResult<(String, String)> {
    let (release, original, job) =
        (data_of(release)?, original.map(data_of).transpose()?, &job.inner);
    watched(py, progress, |watcher| {
        let run = Run::new(job).progress(|told| watcher.note(told)).cancel(watcher.cancel);
        let run = match original {
            Some(original) => run.original(original),
            None => run,
        };
        let audit = run.audit(release)?;
        Ok((audit.to_json()?, audit.words().to_string()))
    })
}

/// What attackers learn from a release: as JSON, and in words.
#[pyfunction]
#[pyo3(signature = (release, original, job, attacks, control=None, progress=None))]
pub fn attack(
    py: Python<'_>,
    release: &Bound<'_, PyAny>,
    original: &Bound<'_, PyAny>,
    job: &Job,
    attacks: Vec<String>,
    control: Option<&Bound<'_, PyAny>>,
    progress: Option<&Bound<'_, PyAny>>,
) -> PyResult<(String, String)> {
    let (release, original, job) = (data_of(release)?, data_of(original)?, &job.inner);
    let control = control.map(data_of).transpose()?;
    watched(py, progress, |watcher| {
        let run = Run::new(job).progress(|told| watcher.note(told)).cancel(watcher.cancel);
        let run = match control {
            Some(control) => run.original(original).control(control),
            None => run.original(original),
        };
        let names: Vec<&str> = attacks.iter().map(String::as_str).collect();
        let learnt = run.attack(release, &names)?;
        Ok((learnt.to_json()?, learnt.words()))
    })
}

/// A figure of an answer, as Python has it.
#[derive(IntoPyObject)]
pub enum Told {
    Number(f64),
    Text(String),
}

impl Told {
    fn of(figure: Option<Figure>) -> Option<Self> {
        match figure? {
            Figure::Number(number) => Some(Told::Number(number)),
            Figure::Text(text) => Some(Told::Text(text)),
            _ => None,
        }
    }
}

/// An answer: the question, the estimate, its bounds and the truth.
type Answered = (String, Option<Told>, Option<Told>, Option<Told>, Option<Told>);

fn answered(answer: Answer) -> Answered {
    let Answer { query, estimate, lower, upper, truth, .. } = answer;
    (query, Told::of(estimate), Told::of(lower), Told::of(upper), Told::of(truth))
}

/// Ask a release.
#[pyfunction]
#[pyo3(signature = (release, job, queries, original=None, progress=None))]
pub fn query(
    py: Python<'_>,
    release: &Bound<'_, PyAny>,
    job: &Job,
    queries: Vec<String>,
    original: Option<&Bound<'_, PyAny>>,
    progress: Option<&Bound<'_, PyAny>>,
) -> PyResult<Vec<Answered>> {
    let (release, original, job) =
        (data_of(release)?, original.map(data_of).transpose()?, &job.inner);
    let answers = watched(py, progress, |watcher| {
        let run = Run::new(job).progress(|told| watcher.note(told)).cancel(watcher.cancel);
        let run = match original {
            Some(original) => run.original(original),
            None => run,
        };
        let queries: Vec<&str> = queries.iter().map(String::as_str).collect();
        run.query(release, &queries)
    })?;
    Ok(answers.into_iter().map(answered).collect())
}

/// What a job would run: as JSON, and in words. The data may be a frame, in place of the input that
/// the job names.
#[pyfunction]
#[pyo3(signature = (job, data=None, progress=None))]
pub fn explain(
    py: Python<'_>,
    job: &Job,
    data: Option<&Bound<'_, PyAny>>,
    progress: Option<&Bound<'_, PyAny>>,
) -> PyResult<(String, String)> {
    let (data, job) = (data.map(data_of).transpose()?, &job.inner);
    watched(py, progress, |watcher| {
        let run = Run::new(job).progress(|told| watcher.note(told)).cancel(watcher.cancel);
        let plan = match data {
            Some(data) => run.explain_data(data)?,
            None => run.explain()?,
        };
        Ok((plan.to_json()?, plan.to_string()))
    })
}
