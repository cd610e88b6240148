//! A kind of data: what a record is. Each kind is a crate above this one.

use std::path::Path;

use serde::Serialize;
use serde::de::DeserializeOwned;
use sfumato_core::Result;
use sfumato_core::registry::Info;

use crate::context::Context;
use crate::exec::Records;
use crate::flags::KindFlags;
use crate::job::{InputSpec, PrivacySpec, RecodeSpec, RunSpec};

/// A kind of data.
pub trait Kind: Sync {
    /// Its whole job: the sections that all kinds have and its own. Unknown keys are errors, so
    /// that what doesn't belong is refused where it is read.
    type Job: KindJob;
    /// Its records: all of them, as they were read, or one partition of them. What is larger than
    /// memory is a first look, until it is divided into partitions.
    type Data;
    /// Its name: `table`, `sets`.
    fn name(&self) -> &'static str;
    /// The section of a job that makes it one about this kind.
    fn section(&self) -> &'static str;
    /// What its records are called, for messages: `tables`, `baskets`.
    fn plural(&self) -> &'static str;
    /// The family's word in the catalogue for its models: `models`, `set-models`.
    fn models_family(&self) -> &'static str;
    /// Every model, whatever the form.
    fn models(&self) -> Vec<&'static Info>;
    /// The flags that describe its data on a command line. A kind without any is described by a
    /// release.toml.
    fn flags(&self) -> KindFlags {
        KindFlags::default()
    }
    /// Read the records of a job, for a form that needs them at once or by partitions.
    fn read(&self, job: &Self::Job, needs: Records, context: &Context<'_>) -> Result<Self::Data>;
}

/// What every job says, whatever its kind.
pub struct Common<'a> {
    /// Where its paths start from.
    pub base: &'a Path,
    /// What to read.
    pub input: &'a InputSpec,
    /// What must hold.
    pub privacy: &'a PrivacySpec,
    /// How to get there.
    pub recode: &'a RecodeSpec,
    /// How to run.
    pub run: &'a RunSpec,
    /// Where the release goes.
    pub output: &'a str,
    /// Where the private report goes.
    pub report: Option<&'a str>,
    /// Where the public report goes.
    pub public_report: Option<&'a str>,
}

/// The job of a kind.
pub trait KindJob: Serialize + DeserializeOwned + Clone {
    /// What every job says.
    fn common(&self) -> Common<'_>;
    /// Where paths start from, and whether a killed run is gone on with: neither is in the text of
    /// a job.
    fn place(&mut self, base: &Path, resume: bool);
    /// What is wrong with it, whatever the data.
    fn check(&self) -> Result<()> {
        Ok(())
    }
}
