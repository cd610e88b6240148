//! The sections that every job has, as release.toml spells them. Unknown keys are errors: a
//! mistyped key must not weaken a release.

use serde::{Deserialize, Serialize};
use sfumato_core::traits::Effort;

use super::{Engine, MaxSuppression, OnInterrupt, TimeLimit};

/// What to read.
#[derive(Debug, Clone, Default, PartialEq, Deserialize, Serialize)]
#[serde(deny_unknown_fields, default)]
pub struct InputSpec {
    /// The file, `-` for standard input.
    pub path: String,
    /// The format, if the name and the first bytes don't tell.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub format: Option<String>,
    /// The delimiter of a CSV file, if it shouldn't be guessed.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub delimiter: Option<char>,
    /// Whether the first line of a CSV file names the columns, if it shouldn't be guessed.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub header: Option<bool>,
    /// Texts that mean missing, beside the empty one.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub missing: Vec<String>,
}

/// What must hold.
#[derive(Debug, Clone, Default, PartialEq, Deserialize, Serialize)]
#[serde(deny_unknown_fields, default)]
pub struct PrivacySpec {
    /// The models, as `name(param=value, ...)`.
    pub models: Vec<String>,
    /// How many records may be suppressed.
    #[serde(skip_serializing_if = "MaxSuppression::is_unsaid")]
    pub max_suppression: MaxSuppression,
}

/// How to get there.
#[derive(Debug, Clone, PartialEq, Deserialize, Serialize)]
#[serde(deny_unknown_fields, default)]
pub struct RecodeSpec {
    /// The algorithm with its parameters, or `auto`.
    pub algorithm: String,
    /// The metric to keep low, and to name first in the report.
    pub metric: String,
    /// How long to look for something better: low, normal or high.
    #[serde(skip_serializing_if = "is_default")]
    pub effort: Effort,
}

impl Default for RecodeSpec {
    fn default() -> Self {
        RecodeSpec { algorithm: "auto".into(), metric: "ncp".into(), effort: Effort::Normal }
    }
}

/// How to run.
#[derive(Debug, Clone, Default, PartialEq, Deserialize, Serialize)]
#[serde(deny_unknown_fields, default)]
pub struct RunSpec {
    /// Makes the run repeatable to the byte, and its shuffle replayable: not for release.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub seed: Option<u64>,
    /// How many threads; all cores without it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub threads: Option<usize>,
    /// How much memory the run may take, such as `512MiB`; what the machine has free without it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub memory: Option<String>,
    /// In memory, or out of core.
    #[serde(skip_serializing_if = "is_default")]
    pub engine: Engine,
    /// Where spilled data goes; beside the release without it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub spill: Option<String>,
    /// When to stop looking for something better, such as `30s`: what there is then is published.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub time_limit: Option<TimeLimit>,
    /// What an interrupt does: end the run, or publish what there is.
    #[serde(skip_serializing_if = "is_default")]
    pub on_interrupt: OnInterrupt,
    /// Go on where a killed run of the same job stopped.
    #[serde(skip)]
    pub resume: bool,
}

fn is_default<T: Default + PartialEq>(value: &T) -> bool {
    *value == T::default()
}
