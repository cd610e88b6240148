//! What a run that was killed left behind, so that the next one can go on: which partitions there are, in which order they leave, and which are decided.
//!
//! Everything that a manifest names is on disk before the manifest is. The input is looked at again: it must be the same to the byte.

use serde::{Deserialize, Serialize};
use sfumato_core::{Error, Result};
use sfumato_io::spill::{SpillFolder, read_manifest, write_manifest};
use sfumato_recode::rothko::{Above, Words};

use super::seed::Secret;
use crate::job::Job;

/// The name of the manifest of partitions.
pub const PARTITIONS: &str = "partitions.json";
/// The name of the manifest of what is decided.
const DECIDED: &str = "decided.json";

/// What is known when all partitions fit.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Divided {
    /// The version of the program.
    pub version: String,
    /// The job, as it stands in release.toml.
    pub job: String,
    /// SHA-256 of the input.
    pub input: String,
    /// Bytes of memory that were allowed: other partitions come of others.
    pub memory: u64,
    /// Where random numbers come from.
    pub secret: Secret,
    /// The algorithm that divided the input.
    pub engine: String,
    /// The partitions in the order in which they leave.
    pub partitions: Vec<Spilled>,
    /// Rows read and written to get here.
    pub work: serde_json::Value,
}

/// A partition on disk.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Spilled {
    /// Its files, one after the other.
    pub files: Vec<String>,
    /// Which of their records, if not all.
    pub slice: Option<std::ops::Range<u64>>,
    /// Its records.
    pub n_rows: u64,
    /// What it knows from above.
    pub above: Above,
    /// Whether its records are published.
    pub published: bool,
    /// The interval of the words of each quasi column, where it is one class.
    pub whole_class: Option<Vec<Words>>,
}

/// What a killed run has decided: for each partition, in their order, the file with its rules.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct Decided {
    /// The files.
    pub rules: Vec<String>,
}

impl Divided {
    /// Refuse what another job, another input or another program left.
    pub fn check(&self, job: &Job, input: &str, memory: u64) -> Result<()> {
        let differs = match self {
            _ if self.version != env!("CARGO_PKG_VERSION") => "another version of the program",
            _ if self.job != job_text(job) => "another job",
            _ if self.input != input => "another input",
            _ if self.memory != memory => "another --memory",
            _ => return Ok(()),
        };
        Err(Error::params(format!("what the killed run left can't be resumed: it was {differs}"))
            .hint("run again without --resume"))
    }
}

/// The job without what may change between a run and its resumption.
pub fn job_text(job: &Job) -> String {
    let mut job = job.clone();
    job.run.threads = None;
    job.run.resume = false;
    job.to_toml()
}

/// Write down how the input was divided.
pub fn save(folder: &SpillFolder, divided: &Divided) -> Result<()> {
    write_manifest(folder, PARTITIONS, divided)
}

/// Write down what is decided.
pub fn save_decided(folder: &SpillFolder, decided: &Decided) -> Result<()> {
    write_manifest(folder, DECIDED, decided)
}

/// What a folder that was left says.
pub fn load(folder: &SpillFolder) -> Result<Option<(Divided, Decided)>> {
    let Some(divided) = read_manifest::<Divided>(folder, PARTITIONS)? else { return Ok(None) };
    Ok(Some((divided, read_manifest(folder, DECIDED)?.unwrap_or_default())))
}
