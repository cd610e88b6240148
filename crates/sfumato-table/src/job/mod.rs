//! What a job about a table says: the sections of every job, and what columns are.

mod columns;
mod hierarchy_as_table;
mod shown_as;
#[cfg(test)]
mod tests;

pub use columns::{ColumnSpec, Columns};
pub use sfumato_core::traits::Effort;
pub use sfumato_engine::job::{
    BucketForm, Engine, GROUP, InputSpec, MaxSuppression, PrivacySpec, RecodeSpec, RunSpec,
};
pub use shown_as::ShownAs;

use std::path::Path;

use serde::{Deserialize, Serialize};
use sfumato_core::{Error, Result};
use sfumato_engine::kind::{Common, KindJob};

/// A whole job.
#[derive(Debug, Clone, Default, PartialEq, Deserialize, Serialize)]
#[serde(deny_unknown_fields, default)]
pub struct Job {
    /// What to read.
    pub input: InputSpec,
    /// What each column is, in the order written.
    pub columns: Columns,
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
    /// Whether identifier columns may be absent from the data: new rows of a saved recoding needn't
    /// bring what is dropped.
    #[serde(skip)]
    pub may_lack_identifiers: bool,
}

/// What the recipient will do with the release.
#[derive(Debug, Clone, Default, PartialEq, Deserialize, Serialize)]
#[serde(deny_unknown_fields, default)]
pub struct WorkloadSpec {
    /// The tasks, as `name(param=value, ...)`.
    pub tasks: Vec<String>,
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

fn is_default<T: Default + PartialEq>(value: &T) -> bool {
    *value == T::default()
}

impl Job {
    /// Read a release.toml about a table. Paths in it start from `base`.
    pub fn parse(text: &str, file: &str, base: &Path) -> Result<Job> {
        sfumato_engine::Job::parse(text, file, base)?.of_kind()
    }
    /// The text of the release.toml that stands for this job.
    pub fn to_toml(&self) -> String {
        sfumato_engine::job::to_toml(self)
    }
    /// The name of the column that says which group a row of a bucket release belongs to.
    pub fn group_column(&self) -> &str {
        self.output.group.as_deref().unwrap_or(GROUP)
    }
}

impl KindJob for Job {
    fn common(&self) -> Common<'_> {
        Common {
            base: &self.base,
            input: &self.input,
            privacy: &self.privacy,
            recode: &self.recode,
            run: &self.run,
            output: &self.output.path,
            report: self.output.report.as_deref(),
            public_report: self.output.public_report.as_deref(),
        }
    }
    fn place(&mut self, base: &Path, resume: bool) {
        self.base = base.to_path_buf();
        self.run.resume = resume;
    }
    fn check(&self) -> Result<()> {
        let is_wrong = |spec: &ColumnSpec| !(spec.weight.is_finite() && spec.weight > 0.0);
        match self.columns.0.iter().find(|(_, spec)| is_wrong(spec)) {
            None => Ok(()),
            Some((name, _)) => {
                Err(Error::params(format!("the weight of column '{name}' must be above 0")))
            }
        }
    }
}
