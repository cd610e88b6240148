//! The job of a release of numbers: the sections of its `release.toml`.

use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};
use sfumato_engine::job::{AttackSpec, InputSpec, PrivacySpec, RecodeSpec, RunSpec};
use sfumato_engine::kind::{Common, KindJob};

/// A whole job about numbers.
#[derive(Debug, Clone, Default, Deserialize, Serialize)]
#[serde(deny_unknown_fields, default)]
pub struct Job {
    /// What to read: a file with a number on each line.
    pub input: InputSpec,
    /// The section of the kind: what the numbers are.
    pub toy: NumbersSpec,
    /// Which models must hold.
    pub privacy: PrivacySpec,
    /// Which algorithm and metric to use.
    pub recode: RecodeSpec,
    /// What to write.
    pub output: OutputSpec,
    /// Which attacks to play on the release before it is written.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub attack: Option<AttackSpec>,
    /// How to run: threads, seed, memory.
    pub run: RunSpec,
    #[serde(skip)]
    base: PathBuf,
}

/// The section `[toy]`.
#[derive(Debug, Clone, Default, Deserialize, Serialize)]
#[serde(deny_unknown_fields, default)]
pub struct NumbersSpec {
    /// What the numbers count, for the report.
    pub unit: String,
}

/// What to write.
#[derive(Debug, Clone, Default, Deserialize, Serialize)]
#[serde(deny_unknown_fields, default)]
pub struct OutputSpec {
    /// The path of the release.
    pub path: String,
    /// The path of the private report.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub report: Option<String>,
    /// The path of the public report.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub public_report: Option<String>,
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
    fn place(&mut self, base: &Path, resume: bool) {
        self.base = base.to_path_buf();
        self.run.resume = resume;
    }
}

impl Job {
    /// The folder from which relative paths start.
    pub fn common_base(&self) -> &Path {
        &self.base
    }
}
