//! What any release really promises, whoever made it.

use sfumato_engine::audit as engine;

use crate::{Data, Error, Guarantee, Job, Result, Run};

/// What a release promises, found in its records alone.
#[derive(Debug, Clone)]
pub struct Audit {
    inner: engine::Audit,
}

impl Audit {
    pub(crate) fn of(inner: engine::Audit) -> Self {
        Audit { inner }
    }

    /// Whether all models of the job hold, and the release is true where that was looked at.
    pub fn holds(&self) -> bool {
        self.inner.holds
    }

    /// The models of the job, and what the release achieves.
    pub fn guarantees(&self) -> Vec<Guarantee> {
        self.inner.guarantees.iter().map(Guarantee::of).collect()
    }

    /// How many records it has.
    pub fn records(&self) -> u64 {
        self.inner.rows
    }

    /// The kind of its records: `table`, `sets`.
    pub fn kind(&self) -> &str {
        self.inner.kind
    }

    /// What is published of them: `generalized`, `buckets`.
    pub fn form(&self) -> &str {
        self.inner.form
    }

    /// The whole in words.
    pub fn words(&self) -> &str {
        &self.inner.words
    }

    /// The whole as one JSON object.
    pub fn to_json(&self) -> Result<String> {
        serde_json::to_string_pretty(&self.inner).map_err(|error| {
            Error::of(sfumato_core::Error::internal(format!("an audit can't be written: {error}")))
        })
    }
}

/// What a release really promises, whoever made it. The job says what its columns or items are and
/// which models must hold; a model that can't be judged is an error, and never holds.
///
/// The job that made a release will do: columns that no release has are left out.
/// [`Run::original`] compares the release with the data that it was made from.
///
/// ```
/// use std::sync::Arc;
/// use arrow_array::{ArrayRef, RecordBatch, StringArray};
/// use sfumato::Job;
///
/// # fn main() -> sfumato::Result<()> {
/// let ages: ArrayRef = Arc::new(StringArray::from(vec!["[30..39]", "[30..39]", "[40..49]"]));
/// let somebodys = RecordBatch::try_from_iter([("age", ages)]).unwrap();
/// let audit = sfumato::audit(somebodys, &Job::table().quasi("age").k(2))?;
/// assert!(!audit.holds());
/// assert_eq!(audit.guarantees()[0].achieved, Some(1.0));
/// # Ok(())
/// # }
/// ```
pub fn audit(release: impl Into<Data>, job: &Job) -> Result<Audit> {
    Run::new(job).audit(release)
}
