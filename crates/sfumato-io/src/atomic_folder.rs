//! A release of several files that appears whole or not at all: a temporary folder beside its
//! destination, renamed into place.
//!
//! The folder is readable by its owner only until it is committed. It is removed when dropped, and
//! by [`remove_temporaries`](crate::remove_temporaries) when the process is told to stop. A folder
//! that stands at the destination is replaced as a whole, and only if it is an earlier release:
//! nobody's other files are deleted.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use sfumato_core::{Error, ErrorKind, Result};

use crate::atomic::{AtomicFile, folder_of, follow, forget, is_running, live};
use crate::steps::{self, Step, insist, sync_folder};

/// The name of the manifest in the folder of a release of several files.
pub const MANIFEST: &str = "release.json";

/// A folder that gets its name only when it is complete.
#[derive(Debug)]
pub struct AtomicFolder {
    /// The temporary path. Empty once the folder is committed.
    temporary: PathBuf,
    destination: PathBuf,
}

impl AtomicFolder {
    /// Refuse a destination that can't be written to, before anything else is done.
    pub fn check(destination: &Path) -> Result<()> {
        check_replaceable(&follow(destination)?)
    }

    /// Create an empty temporary folder beside `destination`. Refuses a destination that can't be
    /// replaced: a file, or a folder with anything that isn't part of an earlier release.
    pub fn create(destination: &Path) -> Result<Self> {
        let destination = follow(destination)?;
        check_replaceable(&destination)?;
        let shown = || destination.display().to_string();
        let name = destination
            .file_name()
            .ok_or_else(|| Error::params("this isn't the name of a folder").in_file(shown()))?;
        let parent = folder_of(&destination);
        if !parent.is_dir() {
            let error = Error::new(ErrorKind::Io, "there is no such folder");
            return Err(error.in_file(parent.display().to_string()));
        }
        let prefix = format!(".{}.", name.to_string_lossy());
        remove_orphans(parent, &prefix);
        let prefix = format!("{prefix}{}-", std::process::id());
        // The name is in the list before anything else can go wrong.
        let mut live = live();
        let mut builder = tempfile::Builder::new();
        builder.prefix(&prefix).suffix(".partial");
        #[cfg(unix)]
        {
            use std::os::unix::fs::PermissionsExt;
            builder.permissions(fs::Permissions::from_mode(0o700));
        }
        let temporary = steps::about_to(Step::Create, parent)
            .and_then(|()| builder.tempdir_in(parent))
            .map_err(|source| Error::io(parent, "create a folder here", &source))?
            .keep();
        live.push(temporary.clone());
        drop(live);
        Ok(AtomicFolder { temporary, destination })
    }

    /// The path of the files until the folder is committed.
    pub fn path(&self) -> &Path {
        &self.temporary
    }

    /// The path of the folder after it is committed.
    pub fn destination(&self) -> &Path {
        &self.destination
    }

    /// Create a new file of the folder, to be committed before the folder is.
    pub fn file(&self, name: &str) -> Result<AtomicFile> {
        AtomicFile::create_within(&self.temporary, name, &self.destination)
    }

    /// Write a small file of the folder as a whole.
    pub fn write_text(&self, name: &str, text: &str) -> Result<()> {
        use std::io::Write as _;
        let mut file = self.file(name)?;
        file.write_all(text.as_bytes()).map_err(|source| file.error(&source))?;
        file.commit()
    }

    /// Give the folder its name. After an error the destination is unchanged, and nothing is left
    /// behind.
    pub fn commit(self) -> Result<()> {
        self.commit_and_sync(&sync_folder)
    }

    /// Give the folder its name, and make the name outlast a crash with a function: tests have one
    /// that fails.
    fn commit_and_sync(mut self, sync: &dyn Fn(&Path) -> io::Result<()>) -> Result<()> {
        let io = |source: io::Error| Error::io(&self.destination, "write", &source);
        for entry in steps::read_dir(&self.temporary).map_err(io)? {
            if entry.map_err(io)?.file_name().to_string_lossy().ends_with(".partial") {
                return Err(Error::internal("a folder was committed before its files"));
            }
        }
        let parent = folder_of(&self.destination);
        open_to_others(&self.temporary).map_err(io)?;
        sync_folder(&self.temporary).map_err(io)?;
        // Somebody may have put something there meanwhile.
        check_replaceable(&self.destination)?;
        let old = match fs::symlink_metadata(&self.destination) {
            Ok(_) => Some(exchange(&self.temporary, &self.destination).map_err(io)?),
            Err(_) => {
                steps::rename(&self.temporary, &self.destination).map_err(io)?;
                None
            }
        };
        let synced = sync(parent).map_err(io);
        // A name that may not outlast a crash is taken back, so that the temporary folder is there
        // again to be removed. Where even that fails, the new release stays: it is whole.
        if synced.is_err() && take_back(&self.destination, &self.temporary, old.as_deref()).is_ok()
        {
            return synced;
        }
        forget(&self.temporary);
        self.temporary = PathBuf::new();
        if let Some(old) = old {
            // The new release is in place; that the old one can't be removed is no reason to call
            // it failed.
            let _ = insist(|| steps::remove_dir_all(&old));
        }
        synced
    }
}

impl Drop for AtomicFolder {
    fn drop(&mut self) {
        if !self.temporary.as_os_str().is_empty() {
            let _ = insist(|| steps::remove_dir_all(&self.temporary));
            forget(&self.temporary);
        }
    }
}

/// Refuse a destination unless it doesn't exist, is an empty folder, or is an earlier release.
fn check_replaceable(destination: &Path) -> Result<()> {
    let refuse = |what: &str| {
        Err(Error::new(ErrorKind::Io, what).in_file(destination.display().to_string()).hint(
            "only an earlier release of this kind is replaced: name another folder, or remove what \
                is there",
        ))
    };
    let metadata = match fs::metadata(destination) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(()),
        Err(error) => return Err(Error::io(destination, "look at", &error)),
        Ok(metadata) => metadata,
    };
    if !metadata.is_dir() {
        return refuse("a file has this name, and a folder is to be written");
    }
    let entries = steps::read_dir(destination)
        .map_err(|source| Error::io(destination, "look into", &source))?;
    let mut names = Vec::new();
    for entry in entries {
        let entry = entry.map_err(|source| Error::io(destination, "look into", &source))?;
        names.push((entry.file_name(), entry.file_type().is_ok_and(|kind| kind.is_file())));
    }
    if names.is_empty() {
        return Ok(());
    }
    let Some(files) = named_files(destination)? else {
        return refuse("this folder isn't empty, and it is no earlier release");
    };
    let is_ours = |name: &std::ffi::OsStr| {
        name == MANIFEST || files.iter().any(|file| std::ffi::OsStr::new(file) == name)
    };
    match names.iter().all(|(name, is_file)| *is_file && is_ours(name)) {
        true => Ok(()),
        false => refuse("this folder has something in it that is no part of the release there"),
    }
}

/// The files that the manifest of a folder names. `None` if the folder has no manifest of ours.
/// Manifests of every version count, since a release needn't be readable to be replaced.
fn named_files(folder: &Path) -> Result<Option<Vec<String>>> {
    let path = folder.join(MANIFEST);
    let bytes = match steps::read(&path) {
        Err(source) if source.kind() == io::ErrorKind::NotFound => return Ok(None),
        bytes => bytes.map_err(|source| Error::io(&path, "read", &source))?,
    };
    let files = || {
        let manifest: serde_json::Value = serde_json::from_slice(&bytes).ok()?;
        if !manifest.get("format")?.as_str()?.starts_with("sfumato-") {
            return None;
        }
        let files = manifest.get("files")?.as_array()?;
        files.iter().map(|file| Some(file.get("path")?.as_str()?.to_string())).collect()
    };
    Ok(files())
}

/// Swap two folders, and return where the old one is now. If the system can do it in one step,
/// there is no moment without a release.
#[cfg(target_os = "linux")]
fn exchange(new: &Path, destination: &Path) -> io::Result<PathBuf> {
    use rustix::fs::{CWD, RenameFlags, renameat_with};
    let swapped = steps::about_to(Step::Rename, destination)
        .and_then(|()| Ok(renameat_with(CWD, new, CWD, destination, RenameFlags::EXCHANGE)?));
    match swapped {
        Ok(()) => Ok(new.to_path_buf()),
        // Not every file system can.
        Err(_) => step_aside(new, destination),
    }
}

#[cfg(not(target_os = "linux"))]
fn exchange(new: &Path, destination: &Path) -> io::Result<PathBuf> {
    step_aside(new, destination)
}

/// Swap two folders in two steps. A process that is killed between them leaves both releases whole,
/// under hidden names.
fn step_aside(new: &Path, destination: &Path) -> io::Result<PathBuf> {
    let aside = new.with_extension("replaced");
    steps::rename(destination, &aside)?;
    if let Err(error) = steps::rename(new, destination) {
        insist(|| steps::rename(&aside, destination))?;
        return Err(error);
    }
    Ok(aside)
}

/// Undo the renaming of a folder: what is at the destination gets its temporary name again, and the
/// old release, if there was one, its own.
fn take_back(destination: &Path, temporary: &Path, old: Option<&Path>) -> io::Result<()> {
    match old {
        // Both have each other's name.
        Some(old) if old == temporary => {
            let new =
                exchange(temporary, destination).or_else(|_| exchange(temporary, destination))?;
            if new != temporary { insist(|| steps::rename(&new, temporary)) } else { Ok(()) }
        }
        Some(old) => {
            insist(|| steps::rename(destination, temporary))?;
            insist(|| steps::rename(old, destination))
        }
        None => insist(|| steps::rename(destination, temporary)),
    }
}

/// Remove what a killed process left of an earlier run with the same destination.
fn remove_orphans(parent: &Path, prefix: &str) {
    for entry in steps::read_dir(parent).into_iter().flatten().flatten() {
        let name = entry.file_name();
        let Some(name) = name.to_str() else { continue };
        let process = name
            .strip_prefix(prefix)
            .filter(|_| name.ends_with(".partial"))
            .and_then(|rest| rest.split_once('-'))
            .and_then(|(process, _)| process.parse::<u32>().ok());
        let is_folder = entry.file_type().is_ok_and(|kind| kind.is_dir());
        if is_folder && process.and_then(is_running) == Some(false) {
            // Somebody else may have removed it meanwhile.
            let _ = steps::remove_dir_all(&entry.path());
        }
    }
}

/// Give a folder the permissions that a new folder would have. One is made inside to see them, so
/// that it goes with the folder if the process is killed meanwhile.
#[cfg(unix)]
fn open_to_others(folder: &Path) -> io::Result<()> {
    use std::os::unix::fs::PermissionsExt as _;
    let probe = folder.join(".mode");
    steps::about_to(Step::Create, &probe)?;
    fs::create_dir(&probe)?;
    let permissions = fs::metadata(&probe)?.permissions();
    insist(|| steps::remove_dir_all(&probe))?;
    steps::about_to(Step::Permit, folder)?;
    fs::set_permissions(folder, fs::Permissions::from_mode(permissions.mode()))
}

#[cfg(not(unix))]
fn open_to_others(_: &Path) -> io::Result<()> {
    Ok(())
}

#[cfg(test)]
mod tests;
