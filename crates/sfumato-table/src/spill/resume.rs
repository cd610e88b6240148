//! What a killed run left, so that the next one can continue: which partitions there are, in which
//! order they are published, and which are decided.
//!
//! Everything that a manifest names is on disk before the manifest is. The input is read again: it
//! must be the same to the byte.

use crate::algorithms::rothko::{Above, Words};
use serde::{Deserialize, Serialize};
use sfumato_core::{Error, Result};
use sfumato_io::spill::{SpillFolder, read_manifest, write_manifest};

use super::seed::Secret;
use crate::job::Job;

/// The name of the manifest of partitions.
pub const PARTITIONS: &str = "partitions.json";
/// The name of the manifest of decided partitions.
const DECIDED: &str = "decided.json";

/// The manifest of partitions, written when all of them fit into memory.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Divided {
    /// The version of the program.
    pub version: String,
    /// The job, as it stands in release.toml.
    pub job: String,
    /// The SHA-256 hash of the input.
    pub input: String,
    /// The allowed memory in bytes, on which the partitions depend.
    pub memory: u64,
    /// The source of random numbers.
    pub secret: Secret,
    /// The algorithm that divided the input.
    pub engine: String,
    /// The partitions in the order in which they are published.
    pub partitions: Vec<Spilled>,
    /// The numbers of rows read and written so far.
    pub work: serde_json::Value,
}

/// A partition on disk.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Spilled {
    /// The files of the partition, one after the other.
    pub files: Vec<String>,
    /// The number of the slice and of all slices, if it doesn't have all of their records.
    pub slice: Option<(u64, u64)>,
    /// The number of its records.
    pub n_rows: u64,
    /// What it inherits from above.
    pub above: Above,
    /// Whether its records are published.
    pub published: bool,
    /// The interval of the words of each quasi column, if it is one class.
    pub whole_class: Option<Vec<Words>>,
}

/// The decisions of a killed run: for each partition, in their order, the file with its rules.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct Decided {
    /// The files.
    pub rules: Vec<String>,
}

impl Divided {
    /// Refuse partitions of another job, another input or another version of the program.
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

/// Save how the input was divided.
pub fn save(folder: &SpillFolder, divided: &Divided) -> Result<()> {
    write_manifest(folder, PARTITIONS, divided)
}

/// Save what is decided.
pub fn save_decided(folder: &SpillFolder, decided: &Decided) -> Result<()> {
    write_manifest(folder, DECIDED, decided)
}

/// Finish after the release was made: nothing in the folder is needed any more, and what is left of
/// it must never be resumed.
pub fn finish(folder: &SpillFolder) {
    for name in [PARTITIONS, DECIDED] {
        // It goes with the folder if not now.
        let _ = std::fs::remove_file(folder.path().join(name));
    }
}

/// Load what a killed run left in a folder. `None` if some of it is missing, so that everything
/// must be done again.
pub fn load(folder: &SpillFolder) -> Result<Option<(Divided, Decided)>> {
    let Some(divided) = read_manifest::<Divided>(folder, PARTITIONS)? else { return Ok(None) };
    let is_there = |name: &String| folder.path().join(name).exists();
    if !divided.partitions.iter().flat_map(|partition| &partition.files).all(is_there) {
        return Ok(None);
    }
    let mut decided: Decided = read_manifest(folder, DECIDED)?.unwrap_or_default();
    let kept = decided.rules.iter().take_while(|name| is_there(name)).count();
    decided.rules.truncate(kept);
    Ok(Some((divided, decided)))
}
