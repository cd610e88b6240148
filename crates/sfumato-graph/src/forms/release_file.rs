//! How a release in a single file is read: as the job says, or else as the manifest beside the file
//! says. Also how the original of any release is read.

use sfumato_core::observer::{Observer, Renamed};
use sfumato_core::{Error, Result};
use sfumato_engine::manifest::Manifest;

use crate::data::Loaded;
use crate::data::read::{input_of, load};
use crate::job::{GraphSpec, Job};
use crate::kind;

/// The word in the manifest for the file of a graph.
pub(crate) const EDGES: &str = "edges";

/// Read the input of a job as a release of a form. If its layout is taken from the manifest, it
/// must be the file that the manifest describes.
pub(crate) fn read_release(
    form: &str,
    job: &Job,
    manifest: Option<&Manifest>,
    observer: &dyn Observer,
) -> Result<Loaded> {
    let input = input_of(job);
    let mut spec = job.graph.clone();
    let manifest = manifest.filter(|_| !job.graph.says_layout());
    if let Some(manifest) = manifest {
        expect(manifest, form, &input.path)?;
        spec.layout = manifest.detail("layout").map_err(|e| e.in_file(&input.path))?.into();
        if let Some(label) = manifest.details.get("label").and_then(|label| label.as_str()) {
            spec.label = spec.label.or_else(|| Some(label.into()));
        }
    }
    let observer = Renamed { step: "read", inner: observer };
    let loaded = load(&input, &spec, &job.base, &observer)?;
    let Some(manifest) = manifest else { return Ok(loaded) };
    let described = manifest.holding(EDGES).map_err(|error| error.in_file(&input.path))?;
    match described.sha256 == loaded.source.sha256 {
        true => Ok(loaded),
        false => Err(Error::input("this isn't the file that the manifest beside it describes")
            .in_file(&input.path)
            .hint("its hash is another; say with --graph how its edges lie")),
    }
}

/// Refuse a manifest of another kind or form.
pub(crate) fn expect(manifest: &Manifest, form: &str, path: &str) -> Result<()> {
    match manifest.kind == kind::NAME && manifest.form == form {
        true => Ok(()),
        false => Err(Error::input(format!(
            "this is no release of {form} graphs: its manifest says kind {}, form {}",
            manifest.kind, manifest.form
        ))
        .in_file(path)),
    }
}

/// Read the original of a release: as its job says, or else as the job of the release says.
/// Nothing about an original is guessed.
pub(crate) fn read_original(
    original: &Job,
    release: &Job,
    observer: &dyn Observer,
) -> Result<Loaded> {
    let said = [original, release].into_iter().find(|job| job.graph.says_layout());
    let layout = said.map(|job| job.graph.layout.clone()).ok_or_else(|| {
        Error::params("nothing says how the original lies in its file")
            .hint("say it with --graph LAYOUT")
    })?;
    let spec = GraphSpec { layout, ..original.graph.clone() };
    let observer = Renamed { step: "read the original", inner: observer };
    load(&input_of(original), &spec, &original.base, &observer)
}
