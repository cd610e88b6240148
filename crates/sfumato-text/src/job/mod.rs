//! A job about documents: the sections of every job, and what is done with their text.

mod layout;

pub use layout::Layout;

use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};
use sfumato_core::{Error, Result};
use sfumato_engine::job::{AttackSpec, InputSpec, PrivacySpec, RecodeSpec, RunSpec};
use sfumato_engine::kind::{Common, KindJob};

/// What may take the place of a text that is replaced.
pub const REPLACEMENTS: &[&str] = &["tag", "redact", "remove", "generalize", "surrogate"];

/// A whole job about documents.
#[derive(Debug, Clone, Default, PartialEq, Deserialize, Serialize)]
#[serde(deny_unknown_fields, default)]
pub struct Job {
    /// The section `[input]`: what to read.
    pub input: InputSpec,
    /// The section `[text]`: where the text is, and what is done with it.
    pub text: TextSpec,
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
    pub base: PathBuf,
}

/// The section `[text]`: where the text is, and what is done with it.
#[derive(Debug, Clone, Default, PartialEq, Deserialize, Serialize)]
#[serde(deny_unknown_fields, default)]
pub struct TextSpec {
    /// Where the text is: `folder`, or `field=NAME`.
    pub layout: String,
    /// What to look for: `default`, `safe-harbor`, names of detectors, files of taggers.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub detect: Vec<String>,
    /// What takes the place of what was found. A tag where nothing is said.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub replace: Option<String>,
    /// The file of entities with their contexts.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub entities: Option<String>,
    /// The file of protected entities.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub protected: Option<String>,
}

/// The section `[output]`: what to write.
#[derive(Debug, Clone, Default, PartialEq, Deserialize, Serialize)]
#[serde(deny_unknown_fields, default)]
pub struct OutputSpec {
    /// The path of the release; a folder if the documents are files.
    pub path: String,
    /// The private report: `.html` or `.json`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub report: Option<String>,
    /// The public report, to hand out with the release: `.html` or `.json`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub public_report: Option<String>,
    /// Where it is written what was replaced. It is private.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub spans: Option<String>,
    /// Where it is written who covers each protected entity. It is private.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub certificate: Option<String>,
}

impl Job {
    /// Read a release.toml about documents. Paths in it start from `base`.
    pub fn parse(text: &str, file: &str, base: &Path) -> Result<Job> {
        sfumato_engine::Job::parse(text, file, base)?.of_kind()
    }
    /// Where the text is.
    pub fn layout(&self) -> Result<Layout> {
        self.text.layout.parse()
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
        let is_known = |name: &String| REPLACEMENTS.contains(&name.as_str());
        if let Some(name) = self.text.replace.as_ref().filter(|name| !is_known(name)) {
            let known = REPLACEMENTS.join(", ");
            return Err(Error::params(format!("replace is one of {known}, not '{name}'")));
        }
        match self.privacy.max_blank.is_unsaid() && self.privacy.max_suppression.is_unsaid() {
            true => Ok(()),
            false => Err(Error::params("no document is left out, so none can be allowed to be")
                .hint("leave out max_suppression and max_blank")),
        }
    }
    fn place(&mut self, base: &Path, resume: bool) {
        self.base = base.to_path_buf();
        self.run.resume = resume;
    }
}
