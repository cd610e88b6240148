//! Publishing new records by a recoding that was saved.

use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use sfumato::{Apply, Recoding, SqlDialect, Unseen};

use crate::data::data_of;
use crate::error::exception;
use crate::release::Release;
use crate::watch::watched;

/// Publish new records in the regions of an earlier release.
#[pyfunction]
#[pyo3(signature = (recoding, data, unseen, max_suppression=None, seed=None, keep_order=false,
    progress=None))]
#[expect(clippy::too_many_arguments, reason = "the Python side names each of them")]
pub fn apply(
    py: Python<'_>,
    recoding: &str,
    data: &Bound<'_, PyAny>,
    unseen: &str,
    max_suppression: Option<&str>,
    seed: Option<u64>,
    keep_order: bool,
    progress: Option<&Bound<'_, PyAny>>,
) -> PyResult<Release> {
    let unseen = match unseen {
        "refuse" => Unseen::Refuse,
        "extend" => Unseen::Extend,
        "suppress" | "drop" => Unseen::Suppress,
        other => {
            return Err(PyValueError::new_err(format!(
                "unseen must be 'refuse', 'extend' or 'suppress', not '{other}'"
            )));
        }
    };
    let data = data_of(data)?;
    let recoding = Recoding::from_json(recoding);
    let inner = watched(py, progress, |watcher| {
        let mut apply = Apply::new(&recoding).unseen(unseen).cancel(watcher.cancel);
        if let Some(limit) = max_suppression {
            apply = apply.max_suppression(limit);
        }
        if let Some(seed) = seed {
            apply = apply.seed(seed);
        }
        if keep_order {
            apply = apply.keep_order();
        }
        apply.progress(|told| watcher.note(told)).anonymize(data)
    })?;
    Ok(Release { inner })
}

/// A recoding as an SQL statement.
#[pyfunction]
pub fn recoding_to_sql(
    py: Python<'_>,
    recoding: &str,
    table: &str,
    dialect: &str,
) -> PyResult<String> {
    let dialect: SqlDialect = dialect.parse().map_err(|error| exception(py, &error))?;
    let sql = Recoding::from_json(recoding).to_sql(table, dialect);
    sql.map_err(|error| exception(py, &error))
}
