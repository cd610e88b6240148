//! Handles what a killed process left: folders of spilled data are removed, or found so that a run
//! can resume.
//!
//! Names say which destination and which process a folder belongs to: `.NAME.PROCESS-XXXX.spill`.
//! As long as that process runs, the folder belongs to it and isn't touched here.

use std::fs;
use std::path::{Path, PathBuf};

use sfumato_core::{Error, Result};
use sha2::{Digest, Sha256};

use crate::atomic::{folder_of, follow, is_running, live};
use crate::steps::{self, insist};

/// The prefix of the names of a destination's folders. In a folder that several destinations may
/// share, the prefix depends on the whole path, since files of the same name in different places
/// are unrelated.
pub(super) fn prefix_of(destination: &Path, within: Option<&Path>) -> Result<String> {
    let wrong = || {
        Error::params("this isn't the name of a file").in_file(destination.display().to_string())
    };
    let name = destination.file_name().ok_or_else(wrong)?.to_string_lossy();
    if within.is_none() {
        return Ok(format!(".{name}."));
    }
    let folder = folder_of(destination);
    let folder = fs::canonicalize(folder).unwrap_or_else(|_| folder.to_path_buf());
    let digest = Sha256::digest(folder.as_os_str().as_encoded_bytes());
    let digest: String = digest.iter().take(4).map(|byte| format!("{byte:02x}")).collect();
    Ok(format!(".{name}.{digest}."))
}

/// Remove the folders that killed processes left for this destination. Failures are ignored.
pub fn remove_orphans(destination: &Path, within: Option<&Path>) {
    for path in orphans(destination, within) {
        let _ = insist(|| steps::remove_dir_all(&path));
    }
}

/// The newest folder that a killed process left for this destination and that has a manifest with
/// this name.
pub fn find_resumable(
    destination: &Path,
    within: Option<&Path>,
    manifest: &str,
) -> Option<PathBuf> {
    let written = |folder: &PathBuf| {
        fs::metadata(folder.join(manifest)).and_then(|meta| meta.modified()).ok()
    };
    let found =
        orphans(destination, within).into_iter().filter_map(|path| Some((written(&path)?, path)));
    found.max().map(|(_, path)| path)
}

/// The folders of a destination whose process has ended.
fn orphans(destination: &Path, within: Option<&Path>) -> Vec<PathBuf> {
    let Ok(destination) = follow(destination) else { return Vec::new() };
    let Ok(prefix) = prefix_of(&destination, within) else { return Vec::new() };
    let parent = within.unwrap_or_else(|| folder_of(&destination));
    let live = live();
    let is_orphan = |entry: &fs::DirEntry| {
        let name = entry.file_name();
        let process = name
            .to_str()
            .and_then(|name| {
                name.strip_prefix(prefix.as_str())?.strip_suffix(".spill")?.split_once('-')
            })
            .and_then(|(process, _)| process.parse::<u32>().ok());
        // In a container the next run may well have the number of the last one: what isn't in the
        // list isn't ours.
        let runs = match process {
            Some(process) if process == std::process::id() => Some(live.contains(&entry.path())),
            process => process.and_then(is_running),
        };
        // A link isn't a folder here: what it leads to belongs to somebody else.
        runs == Some(false) && entry.file_type().is_ok_and(|kind| kind.is_dir())
    };
    let entries = steps::read_dir(parent).into_iter().flatten().flatten();
    entries.filter(is_orphan).map(|entry| entry.path()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dead_folders_of_the_destination_are_removed_and_nothing_else() {
        if is_running(1).is_none() {
            return;
        }
        let home = tempfile::tempdir().unwrap();
        let path = |name: &str| home.path().join(name);
        let folders = [
            (".o.csv.4294967295-a1.spill".to_string(), false),
            // A number that was ours in an earlier life: it is in no list.
            (format!(".o.csv.{}-a2.spill", std::process::id()), false),
            // The first process always runs.
            (".o.csv.1-a3.spill".into(), true),
            (".p.csv.4294967295-a4.spill".into(), true),
            (".o.csv.old.4294967295-a5.spill".into(), true),
            (".o.csv.4294967295-a6.other".into(), true),
            (".o.csv.x-a7.spill".into(), true),
        ];
        for (name, _) in &folders {
            fs::create_dir(path(name)).unwrap();
            fs::write(path(name).join("part"), "x").unwrap();
        }
        fs::write(path(".o.csv.4294967295-a8.spill"), "a file").unwrap();
        #[cfg(unix)]
        std::os::unix::fs::symlink(path(&folders[2].0), path(".o.csv.4294967295-a9.spill"))
            .unwrap();
        remove_orphans(&path("o.csv"), None);
        for (name, stays) in &folders {
            assert_eq!(path(name).join("part").exists(), *stays, "{name}");
        }
        assert!(path(".o.csv.4294967295-a8.spill").exists());
        #[cfg(unix)]
        assert!(path(".o.csv.4294967295-a9.spill").join("part").exists());
    }

    #[test]
    fn equal_names_in_a_shared_folder_are_kept_apart() {
        let home = tempfile::tempdir().unwrap();
        let shared = tempfile::tempdir().unwrap();
        let prefix = |file: &str| {
            let file = home.path().join(file);
            fs::create_dir_all(file.parent().unwrap()).unwrap();
            prefix_of(&file, Some(shared.path())).unwrap()
        };
        assert_ne!(prefix("a/o.csv"), prefix("b/o.csv"));
        assert_eq!(prefix("a/o.csv"), prefix("b/../a/o.csv"));
        assert!(prefix("a/o.csv").starts_with(".o.csv."));
    }
}
