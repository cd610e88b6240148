//! Questions to a release.

use sfumato_engine::query as engine;

use crate::{Data, Job, Result, Run};

/// A figure of an answer.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub enum Figure {
    /// A number.
    Number(f64),
    /// A date or a time.
    Text(String),
}

impl Figure {
    /// The number, if it is one.
    pub fn as_f64(&self) -> Option<f64> {
        match self {
            Figure::Number(number) => Some(*number),
            Figure::Text(_) => None,
        }
    }

    fn of(value: &serde_json::Value) -> Self {
        match (value.as_f64(), value.as_str()) {
            (Some(number), _) => Figure::Number(number),
            (None, Some(text)) => Figure::Text(text.into()),
            (None, None) => Figure::Text(value.to_string()),
        }
    }
}

/// The answer to one question.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct Answer {
    /// The question.
    pub query: String,
    /// The estimate; none if there is nothing to estimate from.
    pub estimate: Option<Figure>,
    /// The truth isn't less; none if nothing bounds it.
    pub lower: Option<Figure>,
    /// The truth isn't more; none if nothing bounds it.
    pub upper: Option<Figure>,
    /// What the original says, where it was given.
    pub truth: Option<Figure>,
}

impl Answer {
    pub(crate) fn of(answer: &engine::Answer) -> Self {
        let figure = |value: &Option<serde_json::Value>| value.as_ref().map(Figure::of);
        Answer {
            query: answer.query.clone(),
            estimate: figure(&answer.estimate),
            lower: figure(&answer.lower),
            upper: figure(&answer.upper),
            truth: figure(&answer.truth),
        }
    }
}

/// Ask a release: each answer has an estimate, and bounds that hold. The job that the release was
/// made by says what its columns or items are. [`Run::original`] adds what the original says.
///
/// ```
/// use std::sync::Arc;
/// use arrow_array::{ArrayRef, RecordBatch, StringArray};
/// use sfumato::{Figure, Job};
///
/// # fn main() -> sfumato::Result<()> {
/// let ages: ArrayRef = Arc::new(StringArray::from(vec!["[30..39]", "[30..39]", "[40..49]"]));
/// let release = RecordBatch::try_from_iter([("age", ages)]).unwrap();
/// let answers = sfumato::query(release, &Job::table().quasi("age"), &["count where age >= 40"])?;
/// assert_eq!(answers[0].upper, Some(Figure::Number(1.0)));
/// # Ok(())
/// # }
/// ```
pub fn query(release: impl Into<Data>, job: &Job, queries: &[&str]) -> Result<Vec<Answer>> {
    Run::new(job).query(release, queries)
}
