//! What stands above a run: what k costs, and what a recipient can do.

use pyo3::prelude::*;
use sfumato::{Evaluate, Explore};

use crate::data::data_of;
use crate::job::Job;
use crate::watch::watched;

/// What k costs, by several algorithms: as JSON, in words, as CSV, and as a picture.
#[pyfunction]
#[pyo3(signature = (data, job, ks, algorithms, progress=None))]
pub fn explore(
    py: Python<'_>,
    data: &Bound<'_, PyAny>,
    job: &Job,
    ks: Vec<u64>,
    algorithms: Vec<String>,
    progress: Option<&Bound<'_, PyAny>>,
) -> PyResult<(String, String, String, String)> {
    let (data, job) = (data_of(data)?, &job.inner);
    watched(py, progress, |watcher| {
        let explore = Explore::new(job).ks(ks).algorithms(algorithms).cancel(watcher.cancel);
        let found = explore.progress(|told| watcher.note(told)).data(data)?;
        Ok((found.to_json(), found.to_string(), found.to_csv(), found.to_svg()))
    })
}

/// How well the recipient's tasks can be done with a release: as JSON, in words, and as a picture.
#[pyfunction]
#[pyo3(signature = (data, job, algorithms, learners, folds, learn_rows, queries, progress=None))]
#[expect(clippy::too_many_arguments, reason = "the Python side names each of them")]
pub fn evaluate(
    py: Python<'_>,
    data: &Bound<'_, PyAny>,
    job: &Job,
    algorithms: Vec<String>,
    learners: Vec<String>,
    folds: usize,
    learn_rows: usize,
    queries: usize,
    progress: Option<&Bound<'_, PyAny>>,
) -> PyResult<(String, String, String)> {
    let (data, job) = (data_of(data)?, &job.inner);
    watched(py, progress, |watcher| {
        let evaluate = Evaluate::new(job)
            .algorithms(algorithms)
            .learners(learners)
            .folds(folds)
            .learn_rows(learn_rows)
            .queries(queries)
            .cancel(watcher.cancel);
        let found = evaluate.progress(|told| watcher.note(told)).data(data)?;
        Ok((found.to_json(), found.to_string(), found.to_svg()))
    })
}
