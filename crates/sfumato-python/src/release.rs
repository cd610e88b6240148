//! Anonymizing, and the release that comes of it.

use std::path::PathBuf;

use arrow_array::RecordBatch;
use arrow_schema::{Schema, SchemaRef};
use pyo3::prelude::*;
use pyo3::types::PyCapsule;

use crate::capsule::{export, export_schema};
use crate::data::data_of;
use crate::job::Job;
use crate::watch::watched;

/// A release in memory. It exports its records by the Arrow PyCapsule interface.
#[pyclass(frozen, module = "sfumato._sfumato")]
pub struct Release {
    pub inner: sfumato::Release,
}

impl Release {
    fn schema(&self) -> SchemaRef {
        let first = self.inner.batches().first();
        first.map_or_else(|| SchemaRef::new(Schema::empty()), RecordBatch::schema)
    }
}

#[pymethods]
impl Release {
    /// The records as a stream of Arrow batches.
    #[pyo3(signature = (requested_schema=None))]
    fn __arrow_c_stream__<'py>(
        &self,
        py: Python<'py>,
        requested_schema: Option<Bound<'py, PyAny>>,
    ) -> PyResult<Bound<'py, PyCapsule>> {
        // A request is a wish: whoever reads casts what isn't as it was wished.
        drop(requested_schema);
        export(py, self.schema(), self.inner.batches().to_vec())
    }

    /// The columns with their types.
    fn __arrow_c_schema__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyCapsule>> {
        export_schema(py, &self.schema())
    }

    fn __len__(&self) -> usize {
        self.inner.batches().iter().map(RecordBatch::num_rows).sum()
    }

    /// The names of the columns.
    fn columns(&self) -> Vec<String> {
        self.schema().fields().iter().map(|field| field.name().clone()).collect()
    }

    /// Write the records to a file; see the library.
    fn save(&self, py: Python<'_>, path: PathBuf) -> PyResult<()> {
        let release = &self.inner;
        watched(py, None, |_| release.save(path))
    }

    /// The private report as JSON.
    fn report_json(&self) -> String {
        self.inner.report().to_json()
    }

    /// The private report as a page.
    fn report_html(&self) -> String {
        self.inner.report().to_html()
    }

    /// What may be handed out with the release, as JSON.
    fn public_json(&self) -> String {
        self.inner.report().public_json()
    }

    /// What may be handed out with the release, as a page.
    fn public_html(&self) -> String {
        self.inner.report().public_html()
    }

    /// What the release says of itself, as JSON.
    fn manifest_json(&self) -> String {
        self.inner.manifest().to_json()
    }
}

/// Anonymize data in memory or in a file, and get the release.
#[pyfunction]
#[pyo3(signature = (data, job, progress=None))]
pub fn anonymize(
    py: Python<'_>,
    data: &Bound<'_, PyAny>,
    job: &Job,
    progress: Option<&Bound<'_, PyAny>>,
) -> PyResult<Release> {
    let (data, job) = (data_of(data)?, &job.inner);
    let inner = watched(py, progress, |watcher| {
        let run = sfumato::Run::new(job).progress(|told| watcher.note(told));
        run.cancel(watcher.cancel).anonymize(data)
    })?;
    Ok(Release { inner })
}

/// Run a job from its input to its output, and get the private report as JSON.
#[pyfunction]
#[pyo3(signature = (job, progress=None))]
pub fn run(py: Python<'_>, job: &Job, progress: Option<&Bound<'_, PyAny>>) -> PyResult<String> {
    let job = &job.inner;
    watched(py, progress, |watcher| {
        let run = sfumato::Run::new(job).progress(|told| watcher.note(told));
        Ok(run.cancel(watcher.cancel).files()?.to_json())
    })
}
