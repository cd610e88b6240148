//! A run that may put its records on disk: its folder, and what a killed run of the same job left
//! there.
//!
//! Everything that a manifest names is on disk before the manifest is. The input is looked at
//! again: it must be the same to the byte.

use std::path::{Path, PathBuf};

use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use sfumato_core::memory::{Accountant, Reservation};
use sfumato_core::{Error, ErrorKind, Result};
use sfumato_io::Sink;
use sfumato_io::spill::{
    SpillFolder, find_resumable, read_manifest, remove_orphans, write_manifest,
};

use super::budget::RESIDENT;
use super::{Secret, Shelf, Spilled};
use crate::job;
use crate::kind::{Common, KindJob};
use crate::paths::resolve;

/// The name of the manifest of partitions.
pub(super) const PARTITIONS: &str = "partitions.json";
/// The name of the manifest of what is decided.
pub(super) const DECIDED: &str = "decided.json";

/// How a kind divided its records, as it is written down.
pub trait Division: Serialize + DeserializeOwned {
    /// The files that must be there.
    fn files(&self) -> impl Iterator<Item = &str>;
}

/// What is decided: for each partition, in their order and up to the first undecided one, the file
/// with the decision.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct Notes {
    /// The names of the files.
    pub files: Vec<String>,
    /// The remark that the search was cut short, if it was, when it divided the records or decided
    /// about one of the partitions.
    #[serde(default)]
    pub cut_short: Option<String>,
}

/// What is written down when all partitions are on disk.
#[derive(Debug, Serialize, Deserialize)]
struct Left<T> {
    /// The version of the program.
    version: String,
    /// The job, as it stands in release.toml.
    job: String,
    /// SHA-256 of the input.
    input: String,
    /// Bytes of memory that were allowed: other partitions come of others.
    memory: u64,
    /// Where random numbers come from.
    secret: Secret,
    /// The remark that the search was cut short, if it was, when it divided the records.
    #[serde(default)]
    cut_short: Option<String>,
    /// The partitions.
    #[serde(flatten)]
    division: T,
}

/// A run that may spill.
pub struct SpillRun<T> {
    /// Where it puts what doesn't fit.
    pub folder: SpillFolder,
    /// Bytes of memory that are allowed.
    pub limit: u64,
    /// Where its random numbers come from: those of the killed run, where there was one.
    pub secret: Secret,
    /// Whether a killed run left something to go on with.
    pub is_resumed: bool,
    left: Option<(Left<T>, Notes)>,
    _program: Reservation,
}

impl<T: Division> SpillRun<T> {
    /// Begin a run, or take over what a killed one left if the job wants that. What isn't wanted
    /// any more is removed.
    pub fn open<J: KindJob>(job: &J, limit: u64) -> Result<Self> {
        let common = job.common();
        let accountant = Accountant::new(Some(limit));
        let program = accountant.book("the program", RESIDENT);
        let (destination, within) = folder_of(&common);
        let within: Option<&Path> = within.as_deref();
        if let Some(folder) = within.filter(|folder| !folder.is_dir()) {
            let message = "this isn't a folder for temporary data";
            return Err(Error::new(ErrorKind::Io, message)
                .in_file(folder.display().to_string())
                .hint("create the folder first"));
        }
        let orphan = match common.run.resume {
            true => find_resumable(&destination, within, PARTITIONS),
            false => None,
        };
        if let Some(orphan) = orphan {
            let folder = SpillFolder::adopt(&orphan, &destination, within, &accountant)?;
            if let Some(left) = load::<T>(&folder)? {
                let secret = left.0.secret;
                let left = Some(left);
                let is_resumed = true;
                return Ok(SpillRun { folder, limit, secret, is_resumed, left, _program: program });
            }
        }
        remove_orphans(&destination, within);
        let folder = SpillFolder::create(&destination, within, &accountant)?;
        let secret = Secret::new(common.run.seed)?;
        let is_resumed = false;
        Ok(SpillRun { folder, limit, secret, is_resumed, left: None, _program: program })
    }

    /// Standard input can be read once only: it goes to a file first. Gives the path to read.
    pub fn spool(&self, path: String) -> Result<String> {
        if path != "-" {
            return Ok(path);
        }
        let (path, mut file) = self.folder.create_file("input")?;
        std::io::copy(&mut std::io::stdin().lock(), &mut file)
            .map_err(|source| Error::io(&path, "keep standard input here", &source))?;
        Ok(path.display().to_string())
    }

    /// How a killed run divided the records, and what it decided. What another job, another input
    /// or another program left is refused.
    pub fn take_left<J: KindJob>(&mut self, job: &J, input: &str) -> Result<Option<(T, Notes)>> {
        let differs = match &self.left {
            None => return Ok(None),
            Some((left, _)) => match left {
                _ if left.version != env!("CARGO_PKG_VERSION") => "another version of the program",
                _ if left.job != text_of(job) => "another job",
                _ if left.input != input => "another input",
                _ if left.memory != self.limit => "another --memory",
                _ => return Ok(self.left.take().map(|(left, notes)| (left.division, notes))),
            },
        };
        // The folder goes with the run: it holds originals, and nobody may come back for them.
        Err(Error::params(format!(
            "what the killed run left can't be resumed, and was removed: it was {differs}"
        ))
        .hint("run again without --resume"))
    }

    /// Write down how the records were divided: from now on a killed run can be gone on with.
    /// `cut_short` is the remark that the search was cut short, if it was.
    pub fn divided<J: KindJob>(
        &self,
        job: &J,
        input: &str,
        division: &T,
        cut_short: Option<String>,
    ) -> Result<()> {
        let left = Left {
            version: env!("CARGO_PKG_VERSION").into(),
            job: text_of(job),
            input: input.into(),
            memory: self.limit,
            secret: self.secret,
            cut_short,
            division,
        };
        write_manifest(&self.folder, PARTITIONS, &left)
    }

    /// The partitions as the pipeline loops over them.
    pub fn partitions<P, D, S: Shelf<P, D>>(&self, shelf: S, notes: Notes) -> Spilled<S> {
        let (folder, limit, secret) = (self.folder.clone(), self.limit, self.secret);
        Spilled { shelf, folder, limit, secret, notes }
    }
}

/// What a folder of a job is named after, and where it lies if not beside that.
fn folder_of(common: &Common<'_>) -> (PathBuf, Option<PathBuf>) {
    let destination = resolve(common.base, common.output);
    let within = common.run.spill.as_ref().map(|path| resolve(common.base, path));
    let within = within.map(PathBuf::from);
    let among_temporaries = |name: &str, within: Option<PathBuf>| {
        (PathBuf::from(name), within.or_else(|| Some(std::env::temp_dir())))
    };
    match Sink::of(&destination) {
        Sink::Path(path) => (path, within),
        Sink::StandardOutput => among_temporaries("standard-output", within),
        Sink::Memory(_) => among_temporaries("memory", within),
    }
}

/// Remove what killed runs of a job left. A run that was to go on with it and failed calls this,
/// wherever it failed: what was left holds originals.
pub fn forget_left(common: &Common<'_>) {
    let (destination, within) = folder_of(common);
    remove_orphans(&destination, within.as_deref());
}

/// The job without what may change between a run and its resumption.
fn text_of<J: KindJob>(job: &J) -> String {
    let mut job = job::Job::from_kind(job);
    job.unset("run", "threads");
    job.to_toml()
}

/// What a folder that was left says; `None` if some of it is gone already, so that all must be done
/// again.
fn load<T: Division>(folder: &SpillFolder) -> Result<Option<(Left<T>, Notes)>> {
    let Some(left) = read_manifest::<Left<T>>(folder, PARTITIONS)? else { return Ok(None) };
    if !left.division.files().all(|name| folder.path().join(name).exists()) {
        return Ok(None);
    }
    let mut notes: Notes = read_manifest(folder, DECIDED)?.unwrap_or_default();
    let kept = notes.files.iter().take_while(|name| folder.path().join(name).exists()).count();
    notes.files.truncate(kept);
    notes.cut_short = left.cut_short.clone().or(notes.cut_short);
    Ok(Some((left, notes)))
}
