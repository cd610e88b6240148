//! How a release in a single file is read: as the job says, or else as the manifest beside the file
//! says. Also how the original of any release is read.

use std::path::Path;

use sfumato_core::observer::{Observer, Renamed};
use sfumato_core::{Error, Result};
use sfumato_engine::manifest::{Described, Manifest, ManifestFile};
use sfumato_io::BasketLayout;

use crate::data::layout::spell;
use crate::data::read::{Loaded, input_of, load};
use crate::job::{BasketSpec, InputSpec, Job};
use crate::kind;

/// A file that is a release of baskets, and its layout.
pub(crate) struct ReleaseFile<'a> {
    input: InputSpec,
    baskets: BasketSpec,
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
        // What the job left out of the original isn't there to be left out again.
        let mut baskets = BasketSpec { drop: Vec::new(), utilities: None, ..job.baskets.clone() };
        if Path::new(&input.path).is_dir() {
            let what = format!("this is a folder, and a release of {form} is one file");
            return Err(Error::input(what).in_file(input.path).hint("name a file"));
        }
        let manifest = manifest.filter(|_| is_own_job || !job.baskets.says_layout());
        if let Some(manifest) = manifest {
            expect(manifest, form, &input.path)?;
            baskets.layout =
                manifest.detail("layout").map_err(|error| error.in_file(&input.path))?.into();
            if baskets.sensitive.is_empty() {
                baskets.sensitive = manifest.details_of("sensitive");
            }
            // Files of ours name their columns; whether one does needn't be guessed.
            input.header = input.header.or(Some(true));
        }
        Ok(ReleaseFile { input, baskets, manifest })
    }

    /// The layout of the file, and which items are sensitive.
    pub fn baskets(&self) -> &BasketSpec {
        &self.baskets
    }

    /// How many items are sensitive only because the manifest says so.
    pub fn sensitive_by_manifest(&self, job: &Job) -> usize {
        match self.manifest.is_some() && job.baskets.sensitive.is_empty() {
            true => self.baskets.sensitive.len(),
            false => 0,
        }
    }

    /// Read the file. If its layout is taken from the manifest, it must be the file that the
    /// manifest describes.
    pub fn load(&self, keep_keys: bool, observer: &dyn Observer) -> Result<Loaded> {
        let observer = Renamed { step: "read", inner: observer };
        let loaded = load(&self.input, &self.baskets, None, keep_keys, &observer)?;
        let Some(manifest) = self.manifest else { return Ok(loaded) };
        let described =
            manifest.holding(RECORDS).map_err(|error| error.in_file(&self.input.path))?;
        match described.sha256 == loaded.source.sha256 {
            true => Ok(loaded),
            false => Err(Error::input("this isn't the file that the manifest beside it describes")
                .in_file(&self.input.path)
                .hint("its hash is another; say with --baskets how its records lie")),
        }
    }
}

/// The word in the manifest for the only file of a release.
const RECORDS: &str = "records";

/// What a manifest says about a release in a single file.
pub(crate) fn describe_file(
    layout: &BasketLayout,
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
        path: String::new(),
        holds: RECORDS.into(),
        column: None,
        rows,
        sha256: sha256.into(),
    };
    Described { rows, details, files: vec![file] }
}

/// Refuse a manifest of another kind or form.
pub(crate) fn expect(manifest: &Manifest, form: &str, path: &str) -> Result<()> {
    match manifest.kind == kind::NAME && manifest.form == form {
        true => Ok(()),
        false => Err(Error::input(format!(
            "this is no release of {form}: its manifest says kind {}, form {}",
            manifest.kind, manifest.form
        ))
        .in_file(path)),
    }
}

/// The manifest of a folder that is a release of a form.
pub(crate) fn manifest_of_folder(
    found: Option<&Manifest>,
    form: &str,
    path: &str,
) -> Result<Manifest> {
    let manifest = match found {
        Some(manifest) => manifest.clone(),
        None if Path::new(path).is_dir() => Manifest::read(Path::new(path))?,
        None => {
            let message = format!("this is no release of {form}: that would be a folder");
            return Err(Error::input(message).in_file(path).hint("name the folder of the release"));
        }
    };
    expect(&manifest, form, path)?;
    Ok(manifest)
}

/// How the original of a release is read: as its job says, or else as the job of the release says.
/// Nothing about an original is guessed.
pub(crate) fn original_of(original: &Job, release: &Job) -> Result<(InputSpec, BasketSpec)> {
    let said = [original, release].into_iter().find(|job| job.baskets.says_layout());
    let layout = said.map(|job| job.baskets.layout.clone()).ok_or_else(|| {
        Error::params("nothing says how the original's baskets lie in their file")
            .hint("say it with --baskets LAYOUT")
    })?;
    let baskets = BasketSpec { layout, utilities: None, ..original.baskets.clone() };
    Ok((input_of(original), baskets))
}
