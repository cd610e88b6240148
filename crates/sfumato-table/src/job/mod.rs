//! A job about a table: the sections of every job, and what its columns are.

mod call_as_text;
mod columns;
mod hierarchy_as_table;
mod ledger;
mod others;
mod population;
mod shown_as;
#[cfg(test)]
mod tests;

pub use columns::{Case, ColumnSpec, Columns};
pub use ledger::LedgerSpec;
pub use others::{OTHERS, expand};
pub use population::PopulationSpec;
pub use sfumato_core::traits::Effort;
pub use sfumato_engine::job::{
    AttackSpec, BucketLayout, Engine, GROUP, InputSpec, MaxSuppression, PrivacySpec, RecodeSpec,
    RunSpec,
};
pub use shown_as::ShownAs;

use std::path::Path;

use serde::{Deserialize, Serialize};
use sfumato_core::{Error, Result};
use sfumato_engine::kind::{Common, KindJob};

/// A whole job about a table.
#[derive(Debug, Clone, Default, PartialEq, Deserialize, Serialize)]
#[serde(deny_unknown_fields, default)]
pub struct Job {
    /// The section `[input]`: what to read.
    pub input: InputSpec,
    /// The section `[columns]`: what each column is, in the order written.
    pub columns: Columns,
    /// The section `[privacy]`: what must hold.
    pub privacy: PrivacySpec,
    /// The section `[workload]`: what the recipient will do with the release.
    #[serde(skip_serializing_if = "is_default")]
    pub workload: WorkloadSpec,
    /// The section `[recode]`: how to decide what is published.
    pub recode: RecodeSpec,
    /// The section `[output]`: what to write.
    pub output: OutputSpec,
    /// The section `[attack]`: which attacks to play on the release before it is written.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub attack: Option<AttackSpec>,
    /// The section `[ledger]`: what was published of the same people before.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub ledger: Option<LedgerSpec>,
    /// The section `[population]`: among whom the people of the data are.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub population: Option<PopulationSpec>,
    /// The section `[run]`: how to run.
    pub run: RunSpec,
    /// The folder of the release.toml, from which relative paths start.
    #[serde(skip)]
    pub base: std::path::PathBuf,
    /// Whether identifier columns may be absent from the data: new rows for a saved recoding
    /// needn't have columns that are dropped.
    #[serde(skip)]
    pub may_lack_identifiers: bool,
}

/// The section `[workload]`: what the recipient will do with the release.
#[derive(Debug, Clone, Default, PartialEq, Deserialize, Serialize)]
#[serde(deny_unknown_fields, default)]
pub struct WorkloadSpec {
    /// The tasks, as `name(param=value, ...)`.
    pub tasks: Vec<String>,
}

/// The section `[output]`: what to write.
#[derive(Debug, Clone, Default, PartialEq, Deserialize, Serialize)]
#[serde(deny_unknown_fields, default)]
pub struct OutputSpec {
    /// The path of the release; `-` for standard output.
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
    /// Where to save how many records are made up in which class, to hand out with the release.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub made_up: Option<String>,
    /// Whether rows stay in the order of the input. The report says so, because an order can reveal
    /// people.
    #[serde(skip_serializing_if = "is_default")]
    pub keep_order: bool,
    /// Whether texts that a spreadsheet would take for a formula get an apostrophe in front.
    #[serde(skip_serializing_if = "is_default")]
    pub guard_formulas: bool,
    /// The layout of a bucket release, if classes are published as buckets: quasi values as they
    /// are, sensitive values only by group.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub buckets: Option<BucketLayout>,
    /// The name of the column with the group of a row in a bucket release. By default `group`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub group: Option<String>,
    /// Where the key and the mapping of pseudonyms are kept, for their owner only. By default
    /// `pseudonyms.json`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub pseudonyms: Option<String>,
    /// The format of the tables of a release that is a folder. By default that of the input.
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
    /// The text of a release.toml for this job.
    pub fn to_toml(&self) -> String {
        sfumato_engine::job::to_toml(self)
    }
    /// The name of the column with the group of a row in a bucket release.
    pub fn group_column(&self) -> &str {
        self.output.group.as_deref().unwrap_or(GROUP)
    }
}

impl KindJob for Job {
    sfumato_engine::job_as_toml!();
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
    fn attack(&self) -> Option<&AttackSpec> {
        self.attack.as_ref()
    }
    fn ledger(&self) -> Option<&str> {
        self.ledger.as_ref()?.path.as_deref()
    }
    fn place(&mut self, base: &Path, resume: bool) {
        self.base = base.to_path_buf();
        self.run.resume = resume;
    }
    fn check(&self) -> Result<()> {
        let is_wrong = |spec: &ColumnSpec| !(spec.weight.is_finite() && spec.weight > 0.0);
        match self.columns.0.iter().find(|(_, spec)| is_wrong(spec)) {
            None => crate::pseudonyms::check(self),
            Some((name, _)) => {
                Err(Error::params(format!("the weight of column '{name}' must be above 0")))
            }
        }
    }
}
