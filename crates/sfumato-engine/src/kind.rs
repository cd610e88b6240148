//! A kind of data: what a record is. Each kind is a crate above this one.

use std::path::Path;

use serde::Serialize;
use sfumato_core::Result;
use sfumato_core::registry::Info;

use crate::compare::Question;
use crate::context::Context;
use crate::exec::Records;
use crate::flags::KindFlags;
use crate::job::{AttackSpec, InputSpec, PrivacySpec, RecodeSpec, RunSpec};
use crate::manifest::Manifest;

/// A kind of data.
pub trait Kind: Sync {
    /// The whole job of the kind: the sections that all kinds have, and its own. Unknown keys are
    /// errors, so that keys of other kinds are refused when the job is read.
    type Job: KindJob;
    /// Its records: all of them, as they were read, or one partition of them. What is larger than
    /// memory is a first look, until it is divided into partitions.
    type Data;
    /// The name of the kind: `table`, `sets`.
    fn name(&self) -> &'static str;
    /// The section of a job that makes it one about this kind.
    fn section(&self) -> &'static str;
    /// The names of kinds whose sections and flags its jobs have, too: a job that speaks about all
    /// of them is one about this kind. A kind that builds on none is described by its own alone.
    fn builds_on(&self) -> &'static [&'static str] {
        &[]
    }
    /// What several records of the kind are called in messages: `tables`, `baskets`.
    fn plural(&self) -> &'static str;
    /// The name of the family in the catalogue that lists its models: `models`, `set-models`.
    fn models_family(&self) -> &'static str;
    /// Every model of the kind, whatever the form.
    fn models(&self) -> Vec<&'static Info>;
    /// The name of the family in the catalogue that lists its attacks.
    fn attacks_family(&self) -> String {
        format!("{}-attacks", self.name())
    }
    /// The flags that describe its data on a command line. A kind without any is described by a
    /// release.toml.
    fn flags(&self) -> KindFlags {
        KindFlags::default()
    }
    /// Say in a job what only its file can say, such as the names of columns that it speaks about
    /// without naming them.
    fn expand(&self, _: &mut crate::job::Job) -> Result<()> {
        Ok(())
    }
    /// Questions about the original of a job, which releases of it are asked to compare them. The
    /// manifest of one of the releases says what the job doesn't. The same data give the same
    /// questions.
    fn questions(
        &self,
        _original: &Self::Job,
        _manifest: Option<&Manifest>,
        _context: &Context<'_>,
    ) -> Result<Vec<Question>> {
        Ok(Vec::new())
    }
    /// Read the records of a job, for a form that needs them at once or by partitions.
    fn read(&self, job: &Self::Job, needs: Records, context: &Context<'_>) -> Result<Self::Data>;
}

/// What every job says, whatever its kind of data.
pub struct Common<'a> {
    /// The folder from which relative paths start.
    pub base: &'a Path,
    /// The section `[input]`: what to read.
    pub input: &'a InputSpec,
    /// The section `[privacy]`: what must hold.
    pub privacy: &'a PrivacySpec,
    /// The section `[recode]`: how to decide what is published.
    pub recode: &'a RecodeSpec,
    /// The section `[run]`: how to run.
    pub run: &'a RunSpec,
    /// The path of the release.
    pub output: &'a str,
    /// The path of the private report.
    pub report: Option<&'a str>,
    /// The path of the public report.
    pub public_report: Option<&'a str>,
}

/// The job of one kind of data.
pub trait KindJob: Serialize + Clone {
    /// Keys that once had another name: section, old name, new name. The old name is refused, and
    /// the error says the new one.
    const RENAMED: &'static [(&'static str, &'static str, &'static str)] = &[];
    /// Read a job from a text; [`job_as_toml`](crate::job_as_toml) writes this method.
    fn from_toml(text: &str) -> std::result::Result<Self, crate::job::TomlError>;
    /// The sections of the job; [`job_as_toml`](crate::job_as_toml) writes this method, too.
    fn to_sections(&self) -> crate::job::Sections;
    /// The sections that every job has.
    fn common(&self) -> Common<'_>;
    /// Set the folder from which paths start, and whether to continue a killed run: the text of a
    /// job says neither.
    fn place(&mut self, base: &Path, resume: bool);
    /// The section `[attack]`, if the job has one. A kind whose job has no such section refuses it
    /// as an unknown one.
    fn attack(&self) -> Option<&AttackSpec> {
        None
    }
    /// The ledger that records the release, if the job names one.
    fn ledger(&self) -> Option<&str> {
        None
    }
    /// Check the job without looking at the data.
    fn check(&self) -> Result<()> {
        Ok(())
    }
}
