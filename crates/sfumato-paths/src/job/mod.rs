//! A job about paths: the sections of every job, and what the paths are.

mod spec;

pub use sfumato_engine::job::{
    AttackSpec, InputSpec, MaxSuppression, PrivacySpec, RecodeSpec, RunSpec,
};
pub use spec::PathSpec;

use std::path::Path;

use serde::{Deserialize, Serialize};
use sfumato_core::{Error, Result};
use sfumato_engine::kind::{Common, KindJob};

/// A whole job about paths.
#[derive(Debug, Clone, Default, PartialEq, Deserialize, Serialize)]
#[serde(deny_unknown_fields, default)]
pub struct Job {
    /// The section `[input]`: what to read.
    pub input: InputSpec,
    /// The section `[paths]`: the layout of the file, and which columns are sensitive.
    pub paths: PathSpec,
    /// The section `[privacy]`: what must hold.
    pub privacy: PrivacySpec,
    /// The section `[recode]`: how to decide what is published.
    pub recode: RecodeSpec,
    /// The section `[output]`: what to write.
    pub output: OutputSpec,
    /// The section `[attack]`: which attacks to play on the release before it is written.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub attack: Option<AttackSpec>,
    /// The section `[run]`: how to run.
    pub run: RunSpec,
    /// The folder of the release.toml, from which relative paths start.
    #[serde(skip)]
    pub base: std::path::PathBuf,
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
    /// Whether paths stay in the order of the input. The report says so, because an order can
    /// reveal people.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub keep_order: bool,
}

impl Job {
    /// Read a release.toml about paths. Paths of files in it start from `base`.
    pub fn parse(text: &str, file: &str, base: &Path) -> Result<Job> {
        sfumato_engine::Job::parse(text, file, base)?.of_kind()
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
    fn attack(&self) -> Option<&AttackSpec> {
        self.attack.as_ref()
    }
    fn check(&self) -> Result<()> {
        match self.privacy.max_blank.is_unsaid() {
            true => Ok(()),
            false => Err(Error::params("max_blank is for tables, and these are paths")
                .hint("max_suppression limits how many paths are left out")),
        }
    }
    fn place(&mut self, base: &Path, resume: bool) {
        self.base = base.to_path_buf();
        self.run.resume = resume;
    }
}
