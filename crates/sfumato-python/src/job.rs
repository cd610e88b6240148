//! A job, as Python holds it.

use std::path::PathBuf;

use pyo3::prelude::*;

use crate::error::exception;
use crate::value::value_of;

/// A job that never changes: saying something gives another one.
#[pyclass(frozen, module = "sfumato._sfumato")]
pub struct Job {
    pub inner: sfumato::Job,
}

#[pymethods]
impl Job {
    /// A job that says nothing yet.
    #[new]
    fn new() -> Self {
        Job { inner: sfumato::Job::table() }
    }

    /// The job that the text of a release.toml says; relative paths start from `base`.
    #[staticmethod]
    fn from_toml(py: Python<'_>, text: &str, base: PathBuf) -> PyResult<Self> {
        let inner = sfumato::Job::from_toml(text).map_err(|error| exception(py, &error))?;
        let is_moved = !base.as_os_str().is_empty();
        Ok(Job { inner: if is_moved { inner.base(base) } else { inner } })
    }

    /// The job of a release.toml; relative paths start from its folder.
    #[staticmethod]
    fn from_file(py: Python<'_>, path: PathBuf) -> PyResult<Self> {
        let inner = sfumato::Job::from_file(path).map_err(|error| exception(py, &error))?;
        Ok(Job { inner })
    }

    /// The job with a key of a section said, or said otherwise.
    fn with_key(&self, section: &str, key: &str, value: &Bound<'_, PyAny>) -> PyResult<Self> {
        Ok(Job { inner: self.inner.clone().set(section, key, value_of(value)?) })
    }

    /// The release.toml that stands for the job.
    fn to_toml(&self) -> String {
        self.inner.to_toml()
    }

    /// The kind and form of release that the job asks for, such as table and generalized.
    fn form(&self, py: Python<'_>) -> PyResult<(String, String)> {
        let found = self.inner.kind_and_form().map_err(|error| exception(py, &error))?;
        Ok((found.0.to_string(), found.1.to_string()))
    }
}
