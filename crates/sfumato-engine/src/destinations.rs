//! Refuses outputs that can't be written, before anything is read.

use std::path::{Path, PathBuf};

use sfumato_core::{Error, ErrorKind, Result};
use sfumato_io::{AtomicFolder, Format, Sink, files_of, format_of_destination};

use crate::job::BucketLayout;
use crate::kind::Common;
use crate::manifest::beside;
use crate::paths::resolve;
use crate::reports::is_json;

/// Refuse outputs of a job that can't be written, whatever file formats their names ask for. `more`
/// are files that are written besides the release and its reports.
pub fn check_places(job: &Common<'_>, more: &[&str]) -> Result<()> {
    let reports = || job.report.into_iter().chain(job.public_report);
    reports().try_for_each(|path| is_json(path).map(|_| ()))?;
    let all = std::iter::once(job.output).chain(reports()).chain(more.iter().copied());
    let mut outputs: Vec<String> = all.map(|path| resolve(job.base, path)).collect();
    // The manifest has a place of its own, which nothing else may take.
    if let Some(release) = Sink::of(&resolve(job.base, job.output)).path() {
        outputs.push(beside(release).display().to_string());
    }
    check_paths(&resolve(job.base, &job.input.path), &outputs)
}

/// Refuse an output whose folder doesn't exist, two outputs with the same path, and an output with
/// the path of the input.
pub fn check_paths(input: &str, outputs: &[String]) -> Result<()> {
    let mut seen: Vec<PathBuf> = Vec::new();
    for path in outputs.iter().filter(|path| Sink::of(path).path().is_some()) {
        let folder = Path::new(path).parent().filter(|folder| !folder.as_os_str().is_empty());
        if let Some(folder) = folder.filter(|folder| !folder.is_dir()) {
            let message = format!("the folder '{}' isn't there", folder.display());
            return Err(Error::new(ErrorKind::Io, message)
                .in_file(path)
                .hint("create the folder first"));
        }
        if Path::new(path).is_dir() {
            return Err(Error::new(ErrorKind::Io, "can't write: it is a folder").in_file(path));
        }
        // A file is put in place of what is there, and a device can't be replaced.
        if std::fs::metadata(path).is_ok_and(|found| !found.is_file()) {
            return Err(Error::new(ErrorKind::Io, "can't write: it isn't a regular file")
                .in_file(path)
                .hint("name a file; - is standard output"));
        }
        let identity = identity(path);
        if seen.contains(&identity) {
            return Err(Error::params("two outputs have the same path").in_file(path));
        }
        seen.push(identity);
    }
    // What is written among the files of an input would be a part of it in the next run.
    let is_folder = Path::new(input).is_dir();
    if let Some(path) = seen
        .iter()
        .find(|path| is_folder && path.parent().is_some_and(|folder| folder == identity(input)))
    {
        return Err(Error::params("an output would lie among the files of the input")
            .in_file(path.display().to_string())
            .hint("write it into another folder"));
    }
    if let Ok(Some(files)) = files_of(input)
        && let Some(file) = files.iter().find(|file| seen.contains(&identity(file)))
    {
        return Err(Error::params("an output has the path of a file of the input")
            .in_file(file.as_str())
            .hint("the input is never overwritten"));
    }
    if input != "-" && seen.contains(&identity(input)) {
        return Err(Error::params("an output has the path of the input")
            .in_file(input)
            .hint("the input is never overwritten"));
    }
    Ok(())
}

/// The file that a path leads to, links followed: two names of one file must not overwrite each
/// other.
fn identity(path: &str) -> PathBuf {
    let path = Path::new(path);
    std::fs::canonicalize(path).unwrap_or_else(|_| {
        let folder =
            path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
        let folder = std::fs::canonicalize(folder).unwrap_or_else(|_| folder.to_path_buf());
        folder.join(path.file_name().unwrap_or_default())
    })
}

/// Whether two paths lead to one file, by links of any kind.
pub fn is_same_file(one: &str, other: &str) -> bool {
    #[cfg(unix)]
    {
        use std::os::unix::fs::MetadataExt as _;
        if let (Ok(one), Ok(other)) = (std::fs::metadata(one), std::fs::metadata(other)) {
            return (one.dev(), one.ino()) == (other.dev(), other.ino());
        }
    }
    identity(one) == identity(other)
}

/// Refuse outputs of a bucket release that can't be written. `is_named_by_format`: whether the name
/// of a single file must say its format.
pub fn check_bucket_places(
    job: &Common<'_>,
    form: BucketLayout,
    format: Option<&str>,
    is_named_by_format: bool,
) -> Result<()> {
    let reports = || job.report.into_iter().chain(job.public_report);
    reports().try_for_each(|path| is_json(path).map(|_| ()))?;
    let mut outputs: Vec<String> = reports().map(|path| resolve(job.base, path)).collect();
    let destination = resolve(job.base, job.output);
    let sink = Sink::of(&destination);
    match form {
        BucketLayout::Permuted => {
            if sink.path().is_some() && is_named_by_format {
                format_of_destination(&destination)?;
            }
            if format.is_some() {
                return Err(Error::params(
                    "the format of a release that is one file is told by its name",
                )
                .hint("leave format out, or publish it as linked tables"));
            }
            outputs.push(destination);
        }
        BucketLayout::Linked => {
            sink.folder()?;
            let looks_like_file = Path::new(&destination)
                .extension()
                .and_then(|extension| extension.to_str())
                .is_some_and(|extension| Format::from_extension(extension).is_some());
            if looks_like_file {
                return Err(Error::params(
                    "linked tables are a folder, and this is the name of a file",
                )
                .in_file(destination)
                .hint("name a folder, or say --buckets permuted for one file"));
            }
            if let Some(format) = format {
                format.parse::<Format>()?;
            }
            AtomicFolder::check(Path::new(&destination))?;
            // Nothing else goes where the folder will be.
            if outputs.iter().any(|path| Path::new(path).starts_with(&destination)) {
                return Err(Error::params("a report can't be in the folder of the release")
                    .in_file(destination));
            }
            let folder =
                Path::new(&destination).parent().filter(|folder| !folder.as_os_str().is_empty());
            if let Some(folder) = folder.filter(|folder| !folder.is_dir()) {
                let message = format!("the folder '{}' isn't there", folder.display());
                return Err(Error::new(ErrorKind::Io, message)
                    .in_file(destination)
                    .hint("create the folder first"));
            }
        }
    }
    check_paths(&resolve(job.base, &job.input.path), &outputs)
}
