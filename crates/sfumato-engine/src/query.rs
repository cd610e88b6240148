//! Questions and answers of `query`, whatever kind of data the release is about.

use serde::Serialize;

use crate::manifest::Manifest;

/// The queries, and the release that they are about.
#[derive(Debug, Clone)]
pub struct QueryRequest<J> {
    /// The job that has the release as its input.
    pub job: J,
    /// The job that made the release, if it is known: it says what labels mean.
    pub own_job: Option<J>,
    /// The manifest of the release, if it has one.
    pub manifest: Option<Manifest>,
    /// The queries, in the syntax of the kind.
    pub queries: Vec<String>,
    /// The job that has the original data as its input, to compare the answers with the truth.
    pub original: Option<J>,
}

/// The answer to one query.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Answer {
    /// The text of the query.
    pub query: String,
    /// The estimate. `None` if there is nothing to estimate from.
    pub estimate: Option<serde_json::Value>,
    /// A lower bound of the truth. `None` if nothing bounds it.
    pub lower: Option<serde_json::Value>,
    /// An upper bound of the truth. `None` if nothing bounds it.
    pub upper: Option<serde_json::Value>,
    /// The true answer, counted in the original.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub truth: Option<serde_json::Value>,
    /// How far the estimate is from the true answer, in days for dates and in seconds for times.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub error: Option<f64>,
    /// The error as a share of the true answer.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub relative_error: Option<f64>,
    /// For counts: how many more records the overlapping regions have than the true answer.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub imprecision: Option<f64>,
}

/// The answers of one release.
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
pub struct Answers {
    /// The path of the release.
    pub path: String,
    /// The number of records in the release.
    pub rows: u64,
    /// How many records of the original aren't in the release, if the original was given. Bounds
    /// are about the other records.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub not_released: Option<u64>,
    /// The answers, one per query.
    pub answers: Vec<Answer>,
    /// What whoever asked should look at again, such as a value that the release doesn't have.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub warnings: Vec<String>,
}
