//! What a job about baskets says: the sections of every job, and what items are.

mod baskets;

pub use baskets::BasketSpec;
pub use sfumato_engine::job::{
    BucketForm, Engine, GROUP, InputSpec, MaxSuppression, PrivacySpec, RecodeSpec, RunSpec,
};

use std::path::Path;

use serde::{Deserialize, Serialize};
use sfumato_core::Result;
use sfumato_engine::kind::{Common, KindJob};

/// A whole job.
#[derive(Debug, Clone, Default, PartialEq, Deserialize, Serialize)]
#[serde(deny_unknown_fields, default)]
pub struct Job {
    /// What to read.
    pub input: InputSpec,
    /// How baskets lie in the file, and what their items are.
    pub baskets: BasketSpec,
    /// What must hold.
    pub privacy: PrivacySpec,
    /// How to get there.
    pub recode: RecodeSpec,
    /// What to write.
    pub output: OutputSpec,
    /// How to run.
    pub run: RunSpec,
    /// Where paths in the job start from: the folder of the release.toml.
    #[serde(skip)]
    pub base: std::path::PathBuf,
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
    /// Leave rows in the order of the input. The report says so: order can give people away.
    #[serde(skip_serializing_if = "is_default")]
    pub keep_order: bool,
    /// Publish classes as buckets: quasi values as they are, sensitive values as those of a group.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub buckets: Option<BucketForm>,
    /// The column of a bucket release that says which group a row belongs to; `group` without it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub group: Option<String>,
}

fn is_default<T: Default + PartialEq>(value: &T) -> bool {
    *value == T::default()
}

impl Job {
    /// Read a release.toml about baskets. Paths in it start from `base`.
    pub fn parse(text: &str, file: &str, base: &Path) -> Result<Job> {
        sfumato_engine::Job::parse(text, file, base)?.of_kind()
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
}
