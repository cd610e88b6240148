//! Several files as one table: a folder, or a pattern such as `2024-*.csv`. Files come in the order
//! of their names, and all have the same columns.

use std::path::Path;

use sfumato_core::{Error, ErrorKind, Result};

use crate::atomic_folder::MANIFEST;
use crate::converted::postgres::is_address;
use crate::converted::{file_of, is_table};
use crate::format::of_extensions;
use crate::in_memory;

/// The files that a path stands for, if it stands for several: those of a folder that have the
/// ending of a table, or those that a pattern matches.
pub fn files_of(path: &str) -> Result<Option<Vec<String>>> {
    if path == "-" || in_memory::is_named(path) {
        return Ok(None);
    }
    let place = Path::new(path);
    let mut files = if place.is_dir() {
        if place.join(MANIFEST).exists() {
            return Err(Error::input("this folder is a release, not a folder of tables")
                .in_file(path)
                .hint("name one of its files"));
        }
        in_folder(place)?
    } else if file_of(path).contains(['*', '?', '[']) && !place.exists() && !is_address(path) {
        // What stands inside files has the same name in each.
        let inside = &path[file_of(path).len()..];
        matching(file_of(path))?.into_iter().map(|file| file + inside).collect()
    } else {
        return Ok(None);
    };
    files.sort();
    let formats = |file: &String| of_extensions(file_of(file)).0;
    if let Some(other) = files.iter().find(|file| formats(file) != formats(&files[0])) {
        return Err(Error::input("these files aren't of one format, so they aren't one table")
            .in_file(other.as_str())
            .hint("name them by a pattern such as 'folder/*.csv'"));
    }
    Ok(Some(files))
}

fn in_folder(folder: &Path) -> Result<Vec<String>> {
    let failed = |source: std::io::Error| Error::io(folder, "read", &source);
    let mut files = Vec::new();
    for entry in folder.read_dir().map_err(failed)? {
        let entry = entry.map_err(failed)?;
        let name = entry.file_name().to_string_lossy().into_owned();
        // Other programs mark what isn't data so, and manifests stand beside releases.
        let is_hidden = name.starts_with(['.', '_']) || name.ends_with(".release.json");
        if !is_hidden && entry.path().is_file() && is_table(&name) {
            files.push(entry.path().display().to_string());
        }
    }
    match files.is_empty() {
        false => Ok(files),
        true => Err(Error::input("this is a folder, and it has no tables in it")
            .in_file(folder.display().to_string())
            .hint("tables end in .csv, .tsv, .parquet, .arrow or .jsonl")),
    }
}

fn matching(pattern: &str) -> Result<Vec<String>> {
    let wrong = |e: glob::PatternError| {
        Error::params(format!("this isn't a pattern of file names: {}", e.msg)).in_file(pattern)
    };
    let found = glob::glob(pattern).map_err(wrong)?;
    let files: Vec<String> = found
        .filter_map(|path| path.ok())
        .filter(|path| path.is_file())
        .map(|path| path.display().to_string())
        .collect();
    match files.is_empty() {
        false => Ok(files),
        true => Err(Error::new(ErrorKind::Io, "no file matches this pattern").in_file(pattern)),
    }
}
