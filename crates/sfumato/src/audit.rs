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

    /// What the release achieves whether it was required or not: for each model that can be
    /// measured, and each sensitive column that it is about, the strongest parameter with which it
    /// holds. Kinds that measure nothing of themselves have none.
    pub fn achieved(&self) -> Vec<Achieved> {
        let found = self.inner.figures.get("achieved").and_then(|found| found.as_array());
        found.into_iter().flatten().filter_map(Achieved::of).collect()
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

/// The strongest parameter with which a model holds.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct Achieved {
    /// The model, such as `k-anonymity` or `t-closeness (equal)`.
    pub model: String,
    /// The sensitive column that it is about, if it is about one.
    pub column: Option<String>,
    /// The parameter, such as `k`.
    pub measure: String,
    /// Its value; none if no value suffices.
    pub value: Option<f64>,
}

impl Achieved {
    fn of(found: &serde_json::Value) -> Option<Self> {
        let text = |key: &str| found.get(key).and_then(|text| text.as_str()).map(String::from);
        Some(Achieved {
            model: text("model")?,
            column: text("column"),
            measure: text("measure")?,
            value: found.get("value").and_then(|value| value.as_f64()),
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
/// let k = &audit.achieved()[0];
/// assert_eq!((k.model.as_str(), k.value), ("k-anonymity", Some(1.0)));
/// # Ok(())
/// # }
/// ```
pub fn audit(release: impl Into<Data>, job: &Job) -> Result<Audit> {
    Run::new(job).audit(release)
}
