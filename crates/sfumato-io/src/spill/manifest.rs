//! The manifest of a spill folder: a small JSON file that is always whole, for a run that resumes.
//!
//! The files that a manifest names must be on disk before the manifest; see `finish(sync)` of the
//! writers.

use serde::Serialize;
use serde::de::DeserializeOwned;
use sfumato_core::{Error, ErrorKind, Result};

use super::folder::SpillFolder;
use crate::atomic::write_text_atomically;
use crate::steps;

/// Put a manifest into the folder, or replace the old one. From then on all names in the folder are
/// durable.
pub fn write_manifest<T: Serialize + ?Sized>(
    folder: &SpillFolder,
    name: &str,
    manifest: &T,
) -> Result<()> {
    let text = serde_json::to_string_pretty(manifest)
        .map_err(|error| Error::internal(format!("a manifest can't be written: {error}")))?;
    folder.sync()?;
    folder.counts().add_written(text.len() as u64);
    write_text_atomically(&folder.path().join(name), &text, true)
}

/// Read the manifest of the folder. `None` if it has none.
pub fn read_manifest<T: DeserializeOwned>(folder: &SpillFolder, name: &str) -> Result<Option<T>> {
    let path = folder.path().join(name);
    let text = match steps::read_to_string(&path) {
        Err(source) if source.kind() == std::io::ErrorKind::NotFound => return Ok(None),
        text => text.map_err(|source| Error::io(&path, "read", &source))?,
    };
    folder.counts().add_read(text.len() as u64);
    let wrong = |error: serde_json::Error| {
        Error::new(ErrorKind::Io, format!("this manifest is damaged: {error}"))
            .in_file(path.display().to_string())
            .hint("run again without --resume")
    };
    serde_json::from_str(&text).map(Some).map_err(wrong)
}

#[cfg(test)]
mod tests {
    use sfumato_core::memory::Accountant;

    use super::*;

    #[test]
    fn manifests_are_replaced_whole() {
        let home = tempfile::tempdir().unwrap();
        let folder =
            SpillFolder::create(&home.path().join("o.csv"), None, &Accountant::default()).unwrap();
        let read = || read_manifest::<Vec<u64>>(&folder, "done.json");
        assert_eq!(read().unwrap(), None);
        write_manifest(&folder, "done.json", &[1u64, 2]).unwrap();
        write_manifest(&folder, "done.json", &[3u64]).unwrap();
        assert_eq!(read().unwrap(), Some(vec![3]));
        assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 1);
        std::fs::write(folder.path().join("done.json"), "[3, ").unwrap();
        assert_eq!(read().unwrap_err().kind, ErrorKind::Io);
    }
}
