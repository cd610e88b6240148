//! The manifest of a release: its kind, its form, and its files with their hashes.
//!
//! It lies in the folder of a release of several files, and beside a single file. It holds nothing
//! that the files don't: no path of the input, no hash of it, no seed.

use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};
use sfumato_core::{Error, ErrorKind, Result};

pub use sfumato_io::MANIFEST;
use sfumato_io::steps;

const FORMAT: &str = "sfumato-release";
const VERSION: u32 = 2;

/// The manifest of a release.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Manifest {
    /// The word that marks the file as a manifest.
    pub format: String,
    /// The version of the format of manifests.
    pub version: u32,
    /// The name of the kind of its records.
    pub kind: String,
    /// The name of the form in which they are published.
    pub form: String,
    /// The number of records.
    pub rows: u64,
    /// What else the form needs to read the release. It says nothing that isn't in the files.
    #[serde(default, skip_serializing_if = "toml::Table::is_empty")]
    pub details: toml::Table,
    /// The files of the release, without the manifest.
    pub files: Vec<ManifestFile>,
}

/// A file of a release.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ManifestFile {
    /// The name of the file.
    pub path: String,
    /// What it holds, in a word of the form: `quasi`, `sensitive`, `base`.
    pub holds: String,
    /// The column that it is about, where it is about one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub column: Option<String>,
    /// The number of rows in the file.
    pub rows: u64,
    /// The SHA-256 hash of the file.
    pub sha256: String,
}

/// What a form says about its release. The pipeline makes the manifest from it.
#[derive(Debug, Clone, Default)]
pub struct Described {
    /// The number of records.
    pub rows: u64,
    /// What else the form needs to read the release.
    pub details: toml::Table,
    /// The files. A single file may be left out: the pipeline adds it.
    pub files: Vec<ManifestFile>,
}

/// The path of the manifest of a single file: it lies beside the file, under the file's name with a
/// suffix.
pub fn beside(file: &Path) -> PathBuf {
    let mut name = file.file_name().unwrap_or_default().to_os_string();
    name.push(".release.json");
    file.with_file_name(name)
}

impl Manifest {
    /// Make the manifest of a release of a kind and form.
    pub fn new(kind: &str, form: &str, described: Described) -> Self {
        Manifest {
            format: FORMAT.into(),
            version: VERSION,
            kind: kind.into(),
            form: form.into(),
            rows: described.rows,
            details: described.details,
            files: described.files,
        }
    }

    /// The text of the manifest file.
    pub fn to_json(&self) -> String {
        let json = serde_json::to_string_pretty(self);
        json.expect("a manifest has only texts, numbers, lists and tables") + "\n"
    }

    /// The only file whose content is described by a word.
    pub fn holding(&self, what: &str) -> Result<&ManifestFile> {
        let mut files = self.files.iter().filter(|file| file.holds == what);
        match (files.next(), files.next()) {
            (Some(file), None) => Ok(file),
            _ => Err(Error::input(format!("the manifest doesn't name one file of {what}"))),
        }
    }

    /// A detail that is a text.
    pub fn detail(&self, name: &str) -> Result<&str> {
        self.details.get(name).and_then(|value| value.as_str()).ok_or_else(|| {
            Error::input(format!("the manifest doesn't say '{name}', which this form needs"))
        })
    }

    /// A detail that is a list of texts.
    pub fn details_of(&self, name: &str) -> Vec<String> {
        let list = self.details.get(name).and_then(|value| value.as_array());
        list.into_iter().flatten().filter_map(|item| Some(item.as_str()?.to_string())).collect()
    }

    /// Find the manifest of a release, if it has one: in a folder, or beside a file.
    pub fn find(release: &Path) -> Result<Option<Self>> {
        let path = match release.is_dir() {
            true => release.join(MANIFEST),
            false => beside(release),
        };
        match path.is_file() {
            true => Self::read_file(&path).map(Some),
            false => Ok(None),
        }
    }

    /// Read the manifest in a folder.
    pub fn read(folder: &Path) -> Result<Self> {
        let path = folder.join(MANIFEST);
        match path.is_file() {
            true => Self::read_file(&path),
            false => Err(Error::new(
                ErrorKind::Input,
                format!("the folder has no {MANIFEST}: it is no release of several files"),
            )
            .in_file(folder.display().to_string())),
        }
    }

    fn read_file(path: &Path) -> Result<Self> {
        let shown = path.display().to_string();
        let text =
            steps::read_to_string(path).map_err(|source| Error::io(path, "read", &source))?;
        let manifest: Manifest = serde_json::from_str(&text).map_err(|error| {
            Error::input(format!("this isn't the manifest of a release: {error}")).in_file(&shown)
        })?;
        if manifest.format != FORMAT {
            return Err(Error::input("this isn't the manifest of a release").in_file(&shown));
        }
        if manifest.version != VERSION {
            let message = format!("version {} of this format isn't known here", manifest.version);
            return Err(Error::input(message).in_file(&shown));
        }
        // A name must not lead out of the folder.
        let leads_out = |file: &ManifestFile| {
            Path::new(&file.path).file_name() != Some(std::ffi::OsStr::new(&file.path))
                || file.path == MANIFEST
        };
        match manifest.files.iter().any(leads_out) {
            true => Err(Error::input("a file of the manifest isn't in the folder").in_file(&shown)),
            false => Ok(manifest),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_written_is_read_and_nothing_else() {
        let folder = tempfile::tempdir().unwrap();
        let read = || Manifest::read(folder.path());
        assert!(read().unwrap_err().message.contains("it is no release of several files"));
        let file = ManifestFile {
            path: "quasi.csv".into(),
            holds: "quasi".into(),
            rows: 3,
            ..Default::default()
        };
        let described = Described { rows: 3, files: vec![file], ..Default::default() };
        let manifest = Manifest::new("table", "buckets", described);
        let write = |text: &str| std::fs::write(folder.path().join(MANIFEST), text).unwrap();
        write(&manifest.to_json());
        assert_eq!(read().unwrap(), manifest);
        assert_eq!(Manifest::find(folder.path()).unwrap(), Some(manifest.clone()));
        assert_eq!(Manifest::find(&folder.path().join("other.csv")).unwrap(), None);
        assert!(manifest.holding("quasi").is_ok() && manifest.holding("sensitive").is_err());
        for (from, to, what) in [
            ("sfumato-release", "other", "isn't the manifest of a release"),
            ("\"version\": 2", "\"version\": 3", "version 3 of this format"),
            ("quasi.csv", "../quasi.csv", "isn't in the folder"),
            ("quasi.csv", "..", "isn't in the folder"),
            ("\"rows\"", "\"rowz\"", "isn't the manifest of a release"),
            ("{", "", "isn't the manifest of a release"),
        ] {
            write(&manifest.to_json().replacen(from, to, 1));
            let error = read().unwrap_err();
            assert!(error.message.contains(what), "{error}");
        }
    }
}
