//! The folder of a run for data that don't fit into memory, what a killed run left there, and a
//! copy of standard input.

use std::path::{Path, PathBuf};

use sfumato_core::memory::Accountant;
use sfumato_core::{Error, ErrorKind, Result};
use sfumato_io::spill::{SpillFolder, find_resumable, remove_orphans};

use super::resume::{self, Decided, Divided, PARTITIONS};
use crate::job::Job;
use sfumato_engine::paths::resolve;

/// The folder for spilled data, with what a killed run left in it if that is wanted. Otherwise what
/// was left is removed.
pub fn spill_folder(
    job: &Job,
    accountant: &Accountant,
) -> Result<(SpillFolder, Option<(Divided, Decided)>)> {
    let destination = resolve(&job.base, &job.output.path);
    let within = job.run.spill.as_ref().map(|path| PathBuf::from(resolve(&job.base, path)));
    let (destination, within) = match destination == "-" {
        true => (PathBuf::from("standard-output"), within.or_else(|| Some(std::env::temp_dir()))),
        false => (PathBuf::from(destination), within),
    };
    let within: Option<&Path> = within.as_deref();
    if let Some(folder) = within.filter(|folder| !folder.is_dir()) {
        let message = "this isn't a folder for temporary data";
        return Err(Error::new(ErrorKind::Io, message)
            .in_file(folder.display().to_string())
            .hint("make it first"));
    }
    let left = job.run.resume.then(|| find_resumable(&destination, within, PARTITIONS)).flatten();
    if let Some(orphan) = left {
        let folder = SpillFolder::adopt(&orphan, &destination, within, accountant)?;
        if let Some(left) = resume::load(&folder)? {
            return Ok((folder, Some(left)));
        }
    }
    remove_orphans(&destination, within);
    Ok((SpillFolder::create(&destination, within, accountant)?, None))
}

/// Copy standard input to a file, since it can be read only once.
pub fn spool(job: &Job, folder: &SpillFolder) -> Result<String> {
    let path = resolve(&job.base, &job.input.path);
    if path != "-" {
        return Ok(path);
    }
    let (path, mut file) = folder.create_file("input")?;
    std::io::copy(&mut std::io::stdin().lock(), &mut file)
        .map_err(|source| Error::io(&path, "keep standard input here", &source))?;
    Ok(path.display().to_string())
}
