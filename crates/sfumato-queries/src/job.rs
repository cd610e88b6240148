//! The job of a release of a log of queries: the sections of its `release.toml`.

use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};
use sfumato_core::{Error, Result};
use sfumato_engine::job::{AttackSpec, InputSpec, PrivacySpec, RecodeSpec, RunSpec};
use sfumato_engine::kind::{Common, KindJob};

use crate::data::layout::{self, Layout};

/// A whole job about a log of queries.
#[derive(Debug, Clone, Default, Deserialize, Serialize)]
#[serde(deny_unknown_fields, default)]
pub struct Job {
    /// The section `[input]`: what to read.
    pub input: InputSpec,
    /// The section `[queries]`: which column is which.
    pub queries: QueriesSpec,
    /// The section `[privacy]`: what must hold.
    pub privacy: PrivacySpec,
    /// The section `[attack]`: attacks that a release must withstand.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub attack: Option<AttackSpec>,
    /// The section `[recode]`: how to decide what is published.
    pub recode: RecodeSpec,
    /// The section `[output]`: what to write.
    pub output: OutputSpec,
    /// The section `[run]`: how to run.
    pub run: RunSpec,
    /// The folder of the release.toml, from which relative paths start.
    #[serde(skip)]
    pub base: PathBuf,
}

/// The section `[queries]`: its presence makes the job one about a log of queries.
#[derive(Debug, Clone, Default, Deserialize, Serialize)]
#[serde(deny_unknown_fields, default)]
pub struct QueriesSpec {
    /// Which column is which, such as `log(user=AnonID, query=Query)`.
    pub layout: String,
}

impl QueriesSpec {
    /// The layout of the log. An error if the job doesn't say it.
    pub fn layout(&self) -> Result<Layout> {
        match self.layout.is_empty() {
            false => layout::parse(&self.layout),
            true => Err(Error::params("nothing says which column of the log is which")
                .hint("say it with --queries 'log(user=A, query=B)'")),
        }
    }
}

/// The section `[output]`: what to write.
#[derive(Debug, Clone, Default, Deserialize, Serialize)]
#[serde(deny_unknown_fields, default)]
pub struct OutputSpec {
    /// The path of the release.
    pub path: String,
    /// The private report: `.html` or `.json`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub report: Option<String>,
    /// The public report, to hand out with the release: `.html` or `.json`.
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
    fn check(&self) -> Result<()> {
        let PrivacySpec { max_suppression, max_blank, .. } = &self.privacy;
        match max_suppression.is_unsaid() && max_blank.is_unsaid() {
            true => Ok(()),
            false => Err(Error::params(
                "max_suppression and max_blank are for tables, and this is a log of queries",
            )),
        }
    }
    fn place(&mut self, base: &Path, resume: bool) {
        self.base = base.to_path_buf();
        self.run.resume = resume;
    }
}
