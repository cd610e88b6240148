//! The parts of a job, as release.toml spells them. Unknown keys are errors: a mistyped key must not weaken a release.

use serde::{Deserialize, Serialize};
use sfumato_core::dataset::{Missing, Role};
use sfumato_core::registry::Call;
use sfumato_core::traits::Effort;

use super::{BasketSpec, BucketForm, Engine, Form, MaxSuppression, hierarchy_as_table};

/// A whole job.
#[derive(Debug, Clone, Default, PartialEq, Deserialize, Serialize)]
#[serde(deny_unknown_fields, default)]
pub struct Job {
    /// What to read.
    pub input: InputSpec,
    /// What each column is, in the order written.
    pub columns: Columns,
    /// That the input holds baskets, and how.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub baskets: Option<BasketSpec>,
    /// What must hold.
    pub privacy: PrivacySpec,
    /// What the recipient will do with the release.
    #[serde(skip_serializing_if = "is_default")]
    pub workload: WorkloadSpec,
    /// How to get there.
    pub recode: RecodeSpec,
    /// What to write.
    pub output: OutputSpec,
    /// How to run.
    pub run: RunSpec,
    /// Where paths in the job start from: the folder of the release.toml.
    #[serde(skip)]
    pub base: std::path::PathBuf,
    /// Whether identifier columns may be absent from the data: new rows of a saved recoding needn't bring what is dropped.
    #[serde(skip)]
    pub may_lack_identifiers: bool,
}

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

/// What a column is.
#[derive(Debug, Clone, PartialEq, Deserialize, Serialize)]
#[serde(deny_unknown_fields, expecting = "a table such as { role = \"quasi\" }")]
pub struct ColumnSpec {
    /// Its role.
    pub role: Role,
    /// The type, if it shouldn't be guessed: integer, decimal, float, date, datetime, time or text.
    #[serde(default, rename = "type", skip_serializing_if = "Option::is_none")]
    pub kind: Option<String>,
    /// How it is generalized.
    #[serde(default, skip_serializing_if = "Option::is_none", with = "hierarchy_as_table")]
    pub hierarchy: Option<Call>,
    /// Where values go that the hierarchy doesn't have: the label of a node. Without it they stop the run.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub unknown: Option<String>,
    /// How much a loss in this column counts.
    #[serde(default = "one", skip_serializing_if = "is_one")]
    pub weight: f64,
    /// What a missing value means.
    #[serde(default, skip_serializing_if = "is_default")]
    pub missing: Missing,
    /// Publish it although it gives a quasi column away or is nearly unique.
    #[serde(default, skip_serializing_if = "is_default")]
    pub accept: bool,
    /// How a region shows in a quasi column: the generalized text, statistics of its records, or both.
    #[serde(default = "Form::only_interval", skip_serializing_if = "Form::is_only_interval")]
    pub publish: Vec<Form>,
    /// The grid that statistics are snapped to: minima down, maxima up, means to the nearest point.
    #[serde(default, skip_serializing_if = "Option::is_none", serialize_with = "whole_if_it_is")]
    pub snap: Option<f64>,
}

impl ColumnSpec {
    /// A column of a role, all else at its default.
    pub fn of_role(role: Role) -> Self {
        ColumnSpec {
            role,
            kind: None,
            hierarchy: None,
            unknown: None,
            weight: 1.0,
            missing: Missing::Value,
            accept: false,
            publish: Form::only_interval(),
            snap: None,
        }
    }
}

/// A grid of 5 reads better as 5 than as 5.0.
fn whole_if_it_is<S: serde::Serializer>(snap: &Option<f64>, serializer: S) -> Result<S::Ok, S::Error> {
    match snap {
        Some(x) if x.fract() == 0.0 && x.abs() < 1e15 => serializer.serialize_i64(*x as i64),
        Some(x) => serializer.serialize_f64(*x),
        None => serializer.serialize_none(),
    }
}

fn one() -> f64 {
    1.0
}
fn is_one(weight: &f64) -> bool {
    *weight == 1.0
}
fn is_default<T: Default + PartialEq>(value: &T) -> bool {
    *value == T::default()
}

/// Columns by name, in the order written.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Columns(pub Vec<(String, ColumnSpec)>);

impl Columns {
    /// The specification of a column.
    pub fn get(&self, name: &str) -> Option<&ColumnSpec> {
        self.0.iter().find(|(column, _)| column == name).map(|(_, spec)| spec)
    }
    /// The specification of a column, to change it.
    pub fn get_mut(&mut self, name: &str) -> Option<&mut ColumnSpec> {
        self.0.iter_mut().find(|(column, _)| column == name).map(|(_, spec)| spec)
    }
}

impl<'de> Deserialize<'de> for Columns {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Visitor;
        impl<'de> serde::de::Visitor<'de> for Visitor {
            type Value = Columns;
            fn expecting(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                write!(f, "a table of columns")
            }
            fn visit_map<A: serde::de::MapAccess<'de>>(self, mut map: A) -> Result<Columns, A::Error> {
                let mut columns = Vec::new();
                while let Some(entry) = map.next_entry::<String, ColumnSpec>()? {
                    columns.push(entry);
                }
                Ok(Columns(columns))
            }
        }
        deserializer.deserialize_map(Visitor)
    }
}

impl Serialize for Columns {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_map(self.0.iter().map(|(name, spec)| (name, spec)))
    }
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

/// What the recipient will do with the release.
#[derive(Debug, Clone, Default, PartialEq, Deserialize, Serialize)]
#[serde(deny_unknown_fields, default)]
pub struct WorkloadSpec {
    /// The tasks, as `name(param=value, ...)`.
    pub tasks: Vec<String>,
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

/// What to write.
#[derive(Debug, Clone, Default, PartialEq, Deserialize, Serialize)]
#[serde(deny_unknown_fields, default)]
pub struct OutputSpec {
    /// The release, `-` for standard output.
    pub path: String,
    /// The private report: `.html` or `.json`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub report: Option<String>,
    /// The public report, to hand out with the release: `.html` or `.json`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub public_report: Option<String>,
    /// Where to save the recoding, to apply it to new rows.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub recoding: Option<String>,
    /// Leave rows in the order of the input. The report says so: order can give people away.
    #[serde(skip_serializing_if = "is_default")]
    pub keep_order: bool,
    /// Publish classes as buckets: quasi values as they are, sensitive values as those of a group.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub buckets: Option<BucketForm>,
    /// The column of a bucket release that says which group a row belongs to; `group` without it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub group: Option<String>,
    /// The format of the tables of a release that is a folder; that of the input without it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub format: Option<String>,
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
    /// Go on where a killed run of the same job stopped.
    #[serde(skip)]
    pub resume: bool,
}
