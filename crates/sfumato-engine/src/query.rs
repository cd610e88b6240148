//! What a query over a release is answered with, whatever the release is of.

use serde::Serialize;

use crate::manifest::Manifest;

/// What is asked, of which release.
#[derive(Debug, Clone)]
pub struct QueryRequest<J> {
    /// The release, as a job would read it.
    pub job: J,
    /// The job that the release was made by, where it is known: it says what labels mean.
    pub own_job: Option<J>,
    /// What the release says of itself.
    pub manifest: Option<Manifest>,
    /// The queries, in the words of the kind.
    pub queries: Vec<String>,
    /// The data that the release was made from, to compare with.
    pub original: Option<J>,
}

/// The answer to one query.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Answer {
    /// The query.
    pub query: String,
    /// The estimate; none if there is nothing to estimate from.
    pub estimate: Option<serde_json::Value>,
    /// The truth isn't less; none if nothing bounds it.
    pub lower: Option<serde_json::Value>,
    /// The truth isn't more; none if nothing bounds it.
    pub upper: Option<serde_json::Value>,
    /// The answer of the original.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub truth: Option<serde_json::Value>,
    /// How far the estimate lies from it: days for dates, seconds for times.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub error: Option<f64>,
    /// That, as a share of the truth.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub relative_error: Option<f64>,
    /// For counts: how many records the overlapping regions have beyond the true ones.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub imprecision: Option<f64>,
}

/// The answers of a file.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Answers {
    /// The release.
    pub path: String,
    /// Its records.
    pub rows: u64,
    /// Records of the original that aren't in the release, if it was given: bounds are about the
    /// others.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub not_released: Option<u64>,
    /// One per query.
    pub answers: Vec<Answer>,
}
