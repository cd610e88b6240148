//! Data that is handed to a run: a file, or batches in memory.

use std::path::{Path, PathBuf};

use arrow_array::RecordBatch;
use sfumato_core as core;
use sfumato_io::Loan;

/// Records: a file or the folder of a release, standard input, or Arrow batches of one schema.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub enum Data {
    /// A path; `-` is standard input.
    Path(PathBuf),
    /// Batches in memory.
    Batches(Vec<RecordBatch>),
}

/// Data that a job can name, for as long as this lives.
pub(crate) struct Lent {
    pub(crate) name: String,
    _loan: Option<Loan>,
}

impl Data {
    /// Make the data readable by name. `base` is where relative paths of the job start from; those
    /// of data start from the current folder.
    pub(crate) fn lend(self, base: &Path) -> core::Result<Lent> {
        match self {
            Data::Path(path) => {
                let is_moved = !base.as_os_str().is_empty() && path != Path::new("-");
                let absolute = |path: &Path| {
                    std::path::absolute(path).map_err(|error| core::Error::io(path, "find", &error))
                };
                let path = if is_moved { absolute(&path)? } else { path };
                Ok(Lent { name: path.display().to_string(), _loan: None })
            }
            Data::Batches(batches) => {
                let loan = Loan::new(batches)?;
                Ok(Lent { name: loan.name().to_string(), _loan: Some(loan) })
            }
        }
    }

    /// Whether there is a column of this name, where that can be told without reading.
    pub(crate) fn has_column(&self, name: &str) -> Option<bool> {
        match self {
            Data::Path(_) => None,
            Data::Batches(batches) => {
                Some(batches.first()?.schema().column_with_name(name).is_some())
            }
        }
    }
}

impl From<Vec<RecordBatch>> for Data {
    fn from(batches: Vec<RecordBatch>) -> Self {
        Data::Batches(batches)
    }
}

impl From<&[RecordBatch]> for Data {
    fn from(batches: &[RecordBatch]) -> Self {
        // A batch is a few pointers: no cell is copied.
        Data::Batches(batches.to_vec())
    }
}

impl From<RecordBatch> for Data {
    fn from(batch: RecordBatch) -> Self {
        Data::Batches(vec![batch])
    }
}

impl From<&str> for Data {
    fn from(path: &str) -> Self {
        Data::Path(path.into())
    }
}

impl From<String> for Data {
    fn from(path: String) -> Self {
        Data::Path(path.into())
    }
}

impl From<&Path> for Data {
    fn from(path: &Path) -> Self {
        Data::Path(path.into())
    }
}

impl From<PathBuf> for Data {
    fn from(path: PathBuf) -> Self {
        Data::Path(path)
    }
}
