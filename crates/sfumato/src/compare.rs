//! What releases of the same data keep of it, side by side.

use sfumato_report::compare as shown;

use crate::{Data, Error, Job, Result, Run};

/// Releases of the same data, compared.
#[derive(Debug, Clone)]
pub struct Comparison {
    inner: shown::Comparison,
}

impl Comparison {
    pub(crate) fn of(inner: shown::Comparison) -> Self {
        Comparison { inner }
    }

    /// The whole in words.
    pub fn words(&self) -> String {
        self.inner.words()
    }

    /// The whole as one JSON object.
    pub fn to_json(&self) -> Result<String> {
        serde_json::to_string_pretty(&self.inner).map_err(|error| {
            let message = format!("a comparison can't be written: {error}");
            Error::of(sfumato_core::Error::internal(message))
        })
    }

    /// The whole as a page.
    pub fn to_html(&self) -> String {
        sfumato_report::render_comparison(&self.inner)
    }
}

/// Compare releases of the same data: what each keeps, and how well it answers questions. The job
/// says what columns or items are; a job that made one of the releases will do.
///
/// ```
/// use std::sync::Arc;
/// use arrow_array::{ArrayRef, Int64Array, RecordBatch};
/// use sfumato::Job;
///
/// # fn main() -> sfumato::Result<()> {
/// let ages: ArrayRef = Arc::new(Int64Array::from_iter_values((0..40).map(|i| 20 + i)));
/// let people = RecordBatch::try_from_iter([("age", ages)]).unwrap();
/// let job = Job::table().quasi("age");
/// let fine = sfumato::anonymize(people.clone(), &job.clone().k(2))?;
/// let coarse = sfumato::anonymize(people.clone(), &job.clone().k(20))?;
/// let releases = vec![fine.batches().into(), coarse.batches().into()];
/// let compared = sfumato::compare(releases, people, &job)?;
/// assert!(compared.words().contains("classes"));
/// # Ok(())
/// # }
/// ```
pub fn compare(releases: Vec<Data>, original: impl Into<Data>, job: &Job) -> Result<Comparison> {
    Run::new(job).original(original).compare(releases)
}
