//! What a release of several files says about itself: `release.json`, beside them.
//!
//! It names the files with their hashes, so that a changed or exchanged one shows; it holds nothing that the files don't.

use std::path::Path;

use serde::{Deserialize, Serialize};
use sfumato_core::{Error, ErrorKind, Result};

/// The name of the file.
pub const MANIFEST: &str = "release.json";
const FORMAT: &str = "sfumato-buckets";
const BITMAPS_FORMAT: &str = "sfumato-bitmaps";
const VERSION: u32 = 1;

/// A release of several files that belong together.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Manifest {
    /// What this is.
    pub format: String,
    /// In which form.
    pub version: u32,
    /// Of what: `table` or `baskets` where they are buckets, `bitmaps` of baskets otherwise.
    pub of: String,
    /// How many records.
    pub rows: u64,
    /// How many groups.
    pub groups: u64,
    /// The column that says which group a row belongs to.
    pub group: String,
    /// How records lie in their file, where they are baskets.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub form: Option<String>,
    /// The sensitive columns, in the order of the input; of bitmaps the sensitive items.
    #[serde(default)]
    pub sensitive: Vec<String>,
    /// The files, without this one.
    pub files: Vec<ManifestFile>,
}

/// A file of a release.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct ManifestFile {
    /// Its name in the folder.
    pub path: String,
    /// What it holds: `quasi` or `sensitive`; of bitmaps `base` or `distance`.
    pub holds: String,
    /// The sensitive column that it counts, where there are columns.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub column: Option<String>,
    /// Its rows.
    pub rows: u64,
    /// SHA-256 of its bytes.
    pub sha256: String,
}

impl Manifest {
    /// One of this version that names no files yet.
    pub fn new(of: &str) -> Self {
        let format = if of == "bitmaps" { BITMAPS_FORMAT } else { FORMAT };
        Manifest { format: format.into(), version: VERSION, of: of.into(), ..Manifest::default() }
    }

    /// As it is written.
    pub fn to_json(&self) -> String {
        let mut json = serde_json::to_string_pretty(self).unwrap_or_default();
        json.push('\n');
        json
    }

    /// SHA-256 of what is written.
    pub fn sha256(&self) -> String {
        use sha2::Digest as _;
        sha2::Sha256::digest(self.to_json()).iter().map(|byte| format!("{byte:02x}")).collect()
    }

    /// The manifest of a folder.
    pub fn read(folder: &Path) -> Result<Self> {
        let path = folder.join(MANIFEST);
        let shown = path.display().to_string();
        let text = std::fs::read_to_string(&path).map_err(|source| {
            let error = Error::io(&path, "read", &source);
            match source.kind() {
                std::io::ErrorKind::NotFound => Error::new(
                    ErrorKind::Input,
                    format!("the folder has no {MANIFEST}: it is no release of several files"),
                )
                .in_file(folder.display().to_string()),
                _ => error,
            }
        })?;
        let manifest: Manifest = serde_json::from_str(&text).map_err(|error| {
            Error::input(format!("this isn't the manifest of a release: {error}")).in_file(&shown)
        })?;
        if manifest.format != Manifest::new(&manifest.of).format {
            return Err(Error::input("this isn't the manifest of a release of several files").in_file(&shown));
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

/// Whether a path is a folder with a release of several files.
pub fn is_release_folder(path: &Path) -> bool {
    path.is_dir() && path.join(MANIFEST).is_file()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_written_is_read_and_nothing_else() {
        let folder = tempfile::tempdir().unwrap();
        let read = || Manifest::read(folder.path());
        assert!(read().unwrap_err().message.contains("it is no release of several files"));
        let file =
            ManifestFile { path: "quasi.csv".into(), holds: "quasi".into(), rows: 3, ..Default::default() };
        let manifest = Manifest { rows: 3, groups: 1, files: vec![file], ..Manifest::new("table") };
        let write = |text: &str| std::fs::write(folder.path().join(MANIFEST), text).unwrap();
        write(&manifest.to_json());
        assert_eq!(read().unwrap(), manifest);
        assert!(is_release_folder(folder.path()));
        for (from, to, what) in [
            ("sfumato-buckets", "other", "isn't the manifest of a release of several files"),
            ("\"version\": 1", "\"version\": 2", "version 2 of this format"),
            ("quasi.csv", "../quasi.csv", "isn't in the folder"),
            ("quasi.csv", "..", "isn't in the folder"),
            ("{", "", "isn't the manifest of a release"),
        ] {
            write(&manifest.to_json().replacen(from, to, 1));
            let error = read().unwrap_err();
            assert!(error.message.contains(what), "{error}");
        }
    }
}
