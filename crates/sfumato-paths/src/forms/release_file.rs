//! How a release of paths is read: as the job says, or else as the manifest beside the file says.
//! Also how its original is read.

use std::path::Path;

use sfumato_core::observer::{Observer, Renamed};
use sfumato_core::{Error, Result};
use sfumato_engine::manifest::{Described, Manifest, ManifestFile};

use crate::data::PathData;
use crate::data::layout::{Layout, spell};
use crate::data::read::{Loaded, input_of, load, spec_of};
use crate::job::{InputSpec, Job, PathSpec};
use crate::kind;

/// The word in the manifest for the only file of a release.
const RECORDS: &str = "records";

/// A file that is a release of paths, and its layout.
pub(crate) struct ReleaseFile<'a> {
    input: InputSpec,
    paths: PathSpec,
    manifest: Option<&'a Manifest>,
}

impl<'a> ReleaseFile<'a> {
    /// The input of a job, as a release of a form. `is_own_job` says that the job is the one that
    /// made the release: it then describes the layout of the original, and the manifest that of the
    /// release.
    pub fn of(
        form: &str,
        job: &Job,
        is_own_job: bool,
        manifest: Option<&'a Manifest>,
    ) -> Result<Self> {
        let mut input = input_of(job);
        let mut paths = spec_of(job);
        if Path::new(&input.path).is_dir() {
            let what = format!("this is a folder, and a release of {form} paths is one file");
            return Err(Error::input(what).in_file(input.path).hint("name a file"));
        }
        let manifest = manifest.filter(|_| is_own_job || !job.paths.says_layout());
        if let Some(manifest) = manifest {
            if manifest.kind != kind::NAME || manifest.form != form {
                return Err(Error::input(format!(
                    "this is no release of {form} paths: its manifest says kind {}, form {}",
                    manifest.kind, manifest.form
                ))
                .in_file(input.path));
            }
            paths.layout =
                manifest.detail("layout").map_err(|error| error.in_file(&input.path))?.into();
            if paths.sensitive.is_empty() {
                paths.sensitive = manifest.details_of("sensitive");
            }
            if paths.quasi.is_empty() {
                paths.quasi = manifest.details_of("quasi");
            }
            // Files of ours name their columns; whether one does needn't be guessed.
            input.header = input.header.or(Some(true));
        }
        if !paths.says_layout() {
            return Err(Error::params("nothing says how paths lie in this file")
                .in_file(&input.path)
                .hint("say it with --paths, as in --paths 'points(id=A, place=B, time=C)'"));
        }
        Ok(ReleaseFile { input, paths, manifest })
    }

    /// Read the file. If its layout is taken from the manifest, it must be the file that the
    /// manifest describes.
    pub fn load(&self, observer: &dyn Observer) -> Result<Loaded> {
        let observer = Renamed { step: "read", inner: observer };
        let loaded = load(&self.input, &self.paths, &observer)?;
        let Some(manifest) = self.manifest else { return Ok(loaded) };
        let described =
            manifest.holding(RECORDS).map_err(|error| error.in_file(&self.input.path))?;
        match described.sha256 == loaded.source.sha256 {
            true => Ok(loaded),
            false => Err(Error::input("this isn't the file that the manifest beside it describes")
                .in_file(&self.input.path)
                .hint("its hash is another; say with --paths how its records lie")),
        }
    }
}

/// What a manifest says about a release.
pub(crate) fn describe_file(
    layout: &Layout,
    rows: u64,
    sha256: &str,
    sensitive: Vec<String>,
) -> Described {
    let mut details = toml::Table::new();
    details.insert("layout".into(), spell(layout).into());
    if !sensitive.is_empty() {
        details.insert("sensitive".into(), sensitive.into());
    }
    let file = ManifestFile {
        holds: RECORDS.into(),
        rows,
        sha256: sha256.into(),
        ..ManifestFile::default()
    };
    Described { rows, details, files: vec![file] }
}

/// What a manifest says about columns that an attacker may know, if there are any.
pub(crate) fn describe_quasi(described: &mut Described, data: &PathData) {
    let quasi: Vec<String> = data.quasi.iter().map(|column| column.name.clone()).collect();
    if !quasi.is_empty() {
        described.details.insert("quasi".into(), quasi.into());
    }
}

/// The layout of the original of a release: as its job says, or else as the job of the release
/// says.
pub(crate) fn original_layout(original: &Job, release: &Job) -> Result<String> {
    let said = [original, release].into_iter().find(|job| job.paths.says_layout());
    said.map(|job| job.paths.layout.clone()).ok_or_else(|| {
        Error::params("nothing says how the original's paths lie in their file")
            .hint("say it with --paths LAYOUT")
    })
}

/// A job with the columns beside paths that the manifest of its input names, where it names none:
/// the original has them too.
pub(crate) fn with_columns(job: &Job, manifest: Option<&Manifest>) -> Job {
    let mut job = job.clone();
    if job.paths.sensitive.is_empty() {
        job.paths.sensitive =
            manifest.map(|manifest| manifest.details_of("sensitive")).unwrap_or_default();
    }
    if job.paths.quasi.is_empty() {
        job.paths.quasi = manifest.map(|manifest| manifest.details_of("quasi")).unwrap_or_default();
    }
    job
}

/// Read the original of a release: as its job says, or else as the job of the release says.
/// Nothing about an original is guessed.
pub(crate) fn load_original(
    original: &Job,
    release: &Job,
    observer: &dyn Observer,
) -> Result<Loaded> {
    let layout = original_layout(original, release)?;
    let sensitive = match original.paths.sensitive.is_empty() {
        true => release.paths.sensitive.clone(),
        false => original.paths.sensitive.clone(),
    };
    let observer = Renamed { step: "read the original", inner: observer };
    let quasi = match original.paths.quasi.is_empty() {
        true => release.paths.quasi.clone(),
        false => original.paths.quasi.clone(),
    };
    let spec = PathSpec { layout, sensitive, quasi, ..spec_of(original) };
    load(&input_of(original), &spec, &observer)
}

/// Read another release of the same people: as the manifest beside it says, or else as the job
/// says.
pub(crate) fn load_other(form: &str, job: &Job, observer: &dyn Observer) -> Result<Loaded> {
    let observer = Renamed { step: "read the other release", inner: observer };
    let manifest = Manifest::find(Path::new(&input_of(job).path))?;
    let manifest = manifest.filter(|manifest| manifest.form == form);
    ReleaseFile::of(form, job, manifest.is_some(), manifest.as_ref())?.load(&observer)
}
