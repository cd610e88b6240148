//! The sections that every job has, as release.toml spells them. Unknown keys are errors: a
//! mistyped key must not weaken a release.

use serde::{Deserialize, Serialize};
use sfumato_core::traits::Effort;

use super::{Engine, MaxSuppression, OnInterrupt, Population, TimeLimit};

/// The section `[input]`: what to read.
#[derive(Debug, Clone, Default, PartialEq, Deserialize, Serialize)]
#[serde(deny_unknown_fields, default)]
pub struct InputSpec {
    /// The path of the file; `-` for standard input.
    pub path: String,
    /// The format, if it can't be guessed from the name and the first bytes.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub format: Option<String>,
    /// The delimiter of a CSV file, if it shouldn't be guessed.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub delimiter: Option<char>,
    /// Whether the first line of a CSV file names the columns, if it shouldn't be guessed.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub header: Option<bool>,
    /// The character encoding of a text file, if it isn't UTF-8.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub encoding: Option<String>,
    /// Texts that mean a missing value, besides the empty text.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub missing: Vec<String>,
}

/// The section `[privacy]`: what must hold.
#[derive(Debug, Clone, Default, PartialEq, Deserialize, Serialize)]
#[serde(deny_unknown_fields, default)]
pub struct PrivacySpec {
    /// The models, as `name(param=value, ...)`.
    pub models: Vec<String>,
    /// How many records may be suppressed: left out, or published with `*` in every quasi column.
    #[serde(skip_serializing_if = "MaxSuppression::is_unsaid")]
    pub max_suppression: MaxSuppression,
    /// How many records may say nothing in all, where that is another number than may be left out.
    #[serde(skip_serializing_if = "MaxSuppression::is_unsaid")]
    pub max_blank: MaxSuppression,
    /// The population that the data were drawn from, for risks in it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub population: Option<Population>,
}

impl PrivacySpec {
    /// The limit of records that say nothing: left out, or published with `*` in every quasi
    /// column. To a recipient both are the same, so the limit of suppression is one of both, unless
    /// the job has another for them together. Where the job has none, nothing is left out.
    pub fn limit_of_silent(&self) -> MaxSuppression {
        match self.max_blank.is_unsaid() {
            true => self.max_suppression,
            false => self.max_blank,
        }
    }
}

/// The section `[recode]`: how to decide what is published.
#[derive(Debug, Clone, PartialEq, Deserialize, Serialize)]
#[serde(deny_unknown_fields, default)]
pub struct RecodeSpec {
    /// The algorithm with its parameters, or `auto`.
    pub algorithm: String,
    /// The metric to minimize, which the report names first.
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

/// The section `[run]`: how to run.
#[derive(Debug, Clone, Default, PartialEq, Deserialize, Serialize)]
#[serde(deny_unknown_fields, default)]
pub struct RunSpec {
    /// The seed. It makes the run repeatable to the byte, and so its shuffle can be replayed: not
    /// for data that are really released.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub seed: Option<u64>,
    /// How many threads to use. All cores by default.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub threads: Option<usize>,
    /// How much memory the run may use, such as `512MiB`. By default what the machine has free.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub memory: Option<String>,
    /// Whether to run in memory or out of core.
    #[serde(skip_serializing_if = "is_default")]
    pub engine: Engine,
    /// The folder for spilled data. By default beside the release.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub spill: Option<String>,
    /// When to stop looking for something better, such as `30s`: what there is then is published.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub time_limit: Option<TimeLimit>,
    /// What an interrupt does: end the run, or publish what there is.
    #[serde(skip_serializing_if = "is_default")]
    pub on_interrupt: OnInterrupt,
    /// Keys whose guess, marked CHECK by `sfumato init`, is used although no person confirmed it.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub accept_guesses: Vec<String>,
    /// Go on where a killed run of the same job stopped.
    #[serde(skip)]
    pub resume: bool,
}

fn is_default<T: Default + PartialEq>(value: &T) -> bool {
    *value == T::default()
}
