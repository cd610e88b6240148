//! Reads a bucket release, whoever made it: a folder as its manifest describes it, a file as the
//! caller does.

use std::path::Path;

use sfumato_core::observer::{Observer, Renamed};
use sfumato_core::{Error, Result};
use sfumato_engine::manifest::{Manifest, ManifestFile};

use super::NAME;
use super::linked::{Linked, of_permuted, read_linked};
use crate::data::layout;
use crate::data::read::input_of;
use crate::forms::release_file::{ReleaseFile, manifest_of_folder};
use crate::job::Job;

/// Read the release that is the input of a job.
pub fn open(
    job: &Job,
    is_own_job: bool,
    manifest: Option<&Manifest>,
    observer: &dyn Observer,
) -> Result<Linked> {
    let path = input_of(job).path;
    if Path::new(&path).is_dir() {
        let manifest = manifest_of_folder(manifest, NAME, &path)?;
        return read_release(Path::new(&path), &manifest, observer);
    }
    let loaded = ReleaseFile::of(NAME, job, is_own_job, manifest)?.load(true, observer)?;
    of_permuted(loaded.baskets, loaded.keys, loaded.source)
}

/// Read a release as its manifest describes it, and refuse files with other hashes than in the
/// manifest.
fn read_release(folder: &Path, manifest: &Manifest, observer: &dyn Observer) -> Result<Linked> {
    let shown = folder.display().to_string();
    let named = |error: Error| error.in_file(shown.clone());
    let wrong = |what: String| named(Error::input(what));
    let layout = layout::parse(manifest.detail("layout").map_err(named)?)?.layout;
    let (quasi, sensitive) = (manifest.holding("quasi"), manifest.holding("sensitive"));
    let (quasi, sensitive) = (quasi.map_err(named)?, sensitive.map_err(named)?);
    let group = manifest.detail("group").map_err(named)?;
    let observer = Renamed { step: "read", inner: observer };
    let linked = read_linked(folder, (&quasi.path, &sensitive.path), &layout, group, &observer)?;
    let changed = |file: &ManifestFile, rows: u64, sha256: &str| match file.rows == rows
        && file.sha256 == sha256
    {
        true => Ok(()),
        false => Err(wrong(format!(
            "{} isn't the file that the release was made with: its SHA-256 or its {rows} rows \
                aren't \
             those of the manifest",
            file.path
        ))),
    };
    changed(quasi, linked.quasi.len() as u64, &linked.quasi_source.sha256)?;
    changed(sensitive, linked.sensitive_source.1, &linked.sensitive_source.0.sha256)?;
    let groups = manifest.details.get("groups").and_then(|groups| groups.as_integer());
    if manifest.rows != linked.quasi.len() as u64 || groups != Some(linked.groups.len() as i64) {
        return Err(wrong(
            "the manifest has other numbers of records or groups than the files".into(),
        ));
    }
    Ok(linked)
}
