//! Gives the verified file its name. The only stage that makes a release visible.

use std::path::{Path, PathBuf};

use sfumato_core::{Error, ErrorKind, Result};
use sfumato_io::format_of_destination;

use crate::job::Job;
use crate::paths::resolve;
use crate::stage::report::is_json;
use crate::stage::verify::Verified;

/// Rename the file into place, or copy it to standard output.
pub fn write(verified: Verified) -> Result<()> {
    let candidate = verified.into_candidate();
    if candidate.to_stdout { candidate.file.copy_to_stdout() } else { candidate.file.commit() }
}

/// Refuse what can't be written before anything is read: unknown formats, folders that aren't there.
pub fn check_destinations(job: &Job) -> Result<()> {
    if job.output.path != "-" {
        format_of_destination(&job.output.path)?;
    }
    check_set_destinations(job)
}

/// The same where any name will do: lines of items have no extension of their own.
pub fn check_set_destinations(job: &Job) -> Result<()> {
    let output = &job.output;
    output.report.iter().chain(&output.public_report).try_for_each(|path| is_json(path).map(|_| ()))?;
    let all =
        [Some(&output.path), output.report.as_ref(), output.public_report.as_ref(), output.recoding.as_ref()];
    let outputs: Vec<String> = all.into_iter().flatten().map(|path| resolve(&job.base, path)).collect();
    check_paths(&resolve(&job.base, &job.input.path), &outputs)
}

/// Refuse outputs without a folder, two with the same path, and one with that of the input.
pub fn check_paths(input: &str, outputs: &[String]) -> Result<()> {
    let mut seen: Vec<PathBuf> = Vec::new();
    for path in outputs.iter().filter(|path| *path != "-") {
        let folder = Path::new(path).parent().filter(|folder| !folder.as_os_str().is_empty());
        if let Some(folder) = folder.filter(|folder| !folder.is_dir()) {
            let message = format!("the folder '{}' isn't there", folder.display());
            return Err(Error::new(ErrorKind::Io, message).in_file(path).hint("make it first"));
        }
        if Path::new(path).is_dir() {
            return Err(Error::new(ErrorKind::Io, "can't write: it is a folder").in_file(path));
        }
        let identity = identity(path);
        if seen.contains(&identity) {
            return Err(Error::params("two outputs have the same path").in_file(path));
        }
        seen.push(identity);
    }
    if input != "-" && seen.contains(&identity(input)) {
        return Err(Error::params("an output has the path of the input")
            .in_file(input)
            .hint("the input is never overwritten"));
    }
    Ok(())
}

/// The file behind a path, whatever way the path takes: two names of one file must not overwrite each other.
fn identity(path: &str) -> PathBuf {
    let path = Path::new(path);
    std::fs::canonicalize(path).unwrap_or_else(|_| {
        let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
        let folder = std::fs::canonicalize(folder).unwrap_or_else(|_| folder.to_path_buf());
        folder.join(path.file_name().unwrap_or_default())
    })
}
