//! The folder for the spilled data of one run: beside its destination, readable by its owner only,
//! and removed with the run.
//!
//! It is in the list of temporaries like a file that isn't committed yet. Files in it are created
//! only by its methods, so that none appears after the folder was removed.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

use sfumato_core::memory::Accountant;
use sfumato_core::{Error, ErrorKind, Result};

use super::counts::IoCounts;
use super::orphans::prefix_of;
use crate::atomic::{folder_of, follow, forget, live};
use crate::steps::{self, Step, StepFile, insist, sync_folder};

/// A folder for spilled data, with the memory budget and the counts that its users share. Clones
/// share the folder, which is removed with the last of them.
#[derive(Debug, Clone)]
pub struct SpillFolder(Arc<Inner>);

#[derive(Debug)]
struct Inner {
    path: PathBuf,
    /// Set by `keep`: the folder isn't removed when dropped.
    is_kept: AtomicBool,
    next: AtomicU64,
    accountant: Accountant,
    counts: IoCounts,
}

impl SpillFolder {
    /// Create a new folder beside the destination, or in another folder.
    pub fn create(
        destination: &Path,
        within: Option<&Path>,
        accountant: &Accountant,
    ) -> Result<Self> {
        let destination = follow(destination)?;
        let prefix = format!("{}{}-", prefix_of(&destination, within)?, std::process::id());
        let parent = within.unwrap_or_else(|| folder_of(&destination));
        // The name is in the list before anything else can go wrong.
        let mut live = live();
        let made = steps::about_to(Step::Create, parent)
            .and_then(|()| builder(&prefix).tempdir_in(parent));
        let folder = made.map_err(|source| {
            Error::io(parent, "create a folder for temporary data here", &source)
        })?;
        let path = folder.keep();
        live.push(path.clone());
        Ok(Self::new(path, accountant))
    }

    /// Adopt a folder that [`super::find_resumable`] found. It is renamed, so that its name says
    /// that it belongs to this process.
    pub fn adopt(
        orphan: &Path,
        destination: &Path,
        within: Option<&Path>,
        accountant: &Accountant,
    ) -> Result<Self> {
        let folder = Self::create(destination, within, accountant)?;
        // A folder can take the place of an empty one, so the new name is ours all the time.
        steps::rename(orphan, folder.path())
            .and_then(|()| sync_folder(folder_of(folder.path())))
            .map_err(|source| Error::io(orphan, "take over this folder", &source))?;
        Ok(folder)
    }

    fn new(path: PathBuf, accountant: &Accountant) -> Self {
        SpillFolder(Arc::new(Inner {
            path,
            is_kept: AtomicBool::new(false),
            next: AtomicU64::new(0),
            accountant: accountant.clone(),
            counts: IoCounts::default(),
        }))
    }

    /// The path of the folder.
    pub fn path(&self) -> &Path {
        &self.0.path
    }
    /// The memory budget that its users share.
    pub fn accountant(&self) -> &Accountant {
        &self.0.accountant
    }
    /// How much its users read and wrote.
    pub fn counts(&self) -> &IoCounts {
        &self.0.counts
    }

    /// Create a new, empty file that only its owner may read. Its name starts with `kind` and
    /// wasn't used before.
    pub fn create_file(&self, kind: &str) -> Result<(PathBuf, StepFile)> {
        // As long as the list is held nobody removes the folder.
        let live = live();
        if !live.iter().any(|path| path == self.path()) {
            return Err(Error::new(
                ErrorKind::Cancelled,
                "the folder for temporary data was removed",
            ));
        }
        loop {
            let number = self.0.next.fetch_add(1, Ordering::Relaxed);
            let path = self.path().join(format!("{kind}-{number:06}"));
            match StepFile::create(&options(), &path) {
                Ok(file) => return Ok((path, file)),
                // An adopted folder has files of the run before.
                Err(source) if source.kind() == std::io::ErrorKind::AlreadyExists => {}
                Err(source) => return Err(Error::io(&path, "create", &source)),
            }
        }
    }

    /// Make the names in the folder durable, before a manifest names them.
    pub fn sync(&self) -> Result<()> {
        sync_folder(self.path()).map_err(|source| Error::io(self.path(), "sync", &source))
    }

    /// Leave the folder in place, for a run that resumes.
    pub fn keep(self) -> PathBuf {
        self.0.is_kept.store(true, Ordering::Relaxed);
        self.path().to_path_buf()
    }
}

impl Drop for Inner {
    fn drop(&mut self) {
        if !*self.is_kept.get_mut() {
            // A failure is ignored: the error that led here is more important.
            let _ = insist(|| steps::remove_dir_all(&self.path));
        }
        forget(&self.path);
    }
}

#[cfg(unix)]
fn builder(prefix: &str) -> tempfile::Builder<'_, 'static> {
    use std::os::unix::fs::PermissionsExt;
    let mut builder = tempfile::Builder::new();
    builder.prefix(prefix).suffix(".spill").permissions(fs::Permissions::from_mode(0o700));
    builder
}

#[cfg(not(unix))]
fn builder(prefix: &str) -> tempfile::Builder<'_, 'static> {
    let mut builder = tempfile::Builder::new();
    builder.prefix(prefix).suffix(".spill");
    builder
}

/// The options for opening a new file.
fn options() -> fs::OpenOptions {
    let mut options = fs::OpenOptions::new();
    options.write(true).create_new(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    options
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::atomic::is_running;
    use crate::spill::{find_resumable, read_manifest, remove_orphans, write_manifest};

    fn create(destination: &Path) -> SpillFolder {
        SpillFolder::create(destination, None, &Accountant::default()).unwrap()
    }

    #[test]
    fn it_is_gone_with_the_last_clone() {
        let home = tempfile::tempdir().unwrap();
        let folder = create(&home.path().join("o.csv"));
        let clone = folder.clone();
        let (file, _) = folder.create_file("part").unwrap();
        drop(folder);
        assert!(file.exists());
        let path = clone.path().to_path_buf();
        let name = path.file_name().unwrap().to_str().unwrap();
        assert!(
            name.starts_with(&format!(".o.csv.{}-", std::process::id()))
                && name.ends_with(".spill")
        );
        drop(clone);
        assert!(!path.exists());
        let kept = create(&home.path().join("o.csv")).keep();
        assert!(kept.is_dir());
    }

    #[cfg(unix)]
    #[test]
    fn only_the_owner_may_look() {
        use std::os::unix::fs::PermissionsExt;
        let home = tempfile::tempdir().unwrap();
        let folder = create(&home.path().join("o.csv"));
        let mode = |path: &Path| fs::metadata(path).unwrap().permissions().mode() & 0o777;
        assert_eq!(mode(folder.path()), 0o700);
        assert_eq!(mode(&folder.create_file("part").unwrap().0), 0o600);
        write_manifest(&folder, "manifest.json", &1).unwrap();
        assert_eq!(mode(&folder.path().join("manifest.json")), 0o600);
    }

    #[test]
    fn another_process_takes_over() {
        if is_running(1).is_none() {
            return;
        }
        let home = tempfile::tempdir().unwrap();
        let destination = home.path().join("o.csv");
        let accountant = Accountant::default();
        for within in [None, Some(home.path().join("elsewhere"))] {
            let within = within.as_deref();
            fs::create_dir_all(within.unwrap_or(home.path())).unwrap();
            let folder = SpillFolder::create(&destination, within, &accountant).unwrap();
            let old = folder.create_file("part").unwrap().0;
            write_manifest(&folder, "manifest.json", &vec!["done"]).unwrap();
            assert_eq!(find_resumable(&destination, within, "manifest.json"), None);
            // A process with the largest number doesn't exist.
            let own = folder.keep();
            let name = own.file_name().unwrap().to_str().unwrap();
            let dead =
                own.with_file_name(name.replacen(&std::process::id().to_string(), "4294967295", 1));
            fs::rename(&own, &dead).unwrap();
            assert_eq!(find_resumable(&destination, within, "other.json"), None);
            assert_eq!(find_resumable(&destination, within, "manifest.json"), Some(dead.clone()));
            assert_eq!(find_resumable(&home.path().join("p.csv"), within, "manifest.json"), None);
            let folder = SpillFolder::adopt(&dead, &destination, within, &accountant).unwrap();
            remove_orphans(&destination, within);
            assert_eq!(
                read_manifest::<Vec<String>>(&folder, "manifest.json").unwrap(),
                Some(vec!["done".into()])
            );
            assert!(!dead.exists());
            let new = folder.create_file("part").unwrap().0;
            assert_ne!(new.file_name(), old.file_name());
            assert!(new.exists() && new.parent() == Some(folder.path()));
        }
    }

    #[test]
    fn impossible_places() {
        let home = tempfile::tempdir().unwrap();
        let at = |dest: &Path| SpillFolder::create(dest, None, &Accountant::default()).unwrap_err();
        assert_eq!(at(&home.path().join("no/where")).kind, ErrorKind::Io);
        assert_eq!(at(Path::new("/")).kind, ErrorKind::Params);
    }
}
