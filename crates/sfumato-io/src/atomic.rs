//! Output that appears whole or not at all: a temporary file beside its destination, synced and
//! renamed.
//!
//! Temporary files are readable by their owner only. They are removed when dropped, and by
//! [`remove_temporaries`] when the process is told to stop; so are folders of spilled data.

use std::fs;
#[cfg(unix)]
use std::fs::File;
use std::io::{self, BufWriter, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, PoisonError};

use sfumato_core::{Error, Result};

use crate::commit_together::commit_together;
use crate::steps::{self, Step, StepFile, insist, sync_folder};

/// Every temporary file or folder that isn't committed or removed yet.
static LIVE: Mutex<Vec<PathBuf>> = Mutex::new(Vec::new());

/// The list of temporaries. Code that creates one holds the lock meanwhile, so that
/// [`remove_temporaries`] misses nothing.
pub(crate) fn live() -> MutexGuard<'static, Vec<PathBuf>> {
    LIVE.lock().unwrap_or_else(PoisonError::into_inner)
}

pub(crate) fn forget(path: &Path) {
    live().retain(|live| live != path);
}

/// Remove every temporary file and folder of this process. For a handler after which the process
/// ends.
pub fn remove_temporaries() {
    // Nobody may create a file in a folder that is being removed: the list is held until all have
    // gone.
    let mut live = live();
    for path in live.drain(..) {
        // Nobody is left to tell about a failure.
        let _ = steps::remove_file(&path).or_else(|_| steps::remove_dir_all(&path));
    }
}

/// Whether a process is running. `None` if that can't be known because there is no /proc.
pub(crate) fn is_running(process: u32) -> Option<bool> {
    Path::new("/proc/self").exists().then(|| Path::new(&format!("/proc/{process}")).exists())
}

/// Remove what a killed process left of an earlier run with the same destination: an unverified
/// release. The number in the name is that of the process; while it runs, the file belongs to it.
fn remove_orphans(folder: &Path, prefix: &str) {
    for entry in steps::read_dir(folder).into_iter().flatten().flatten() {
        let name = entry.file_name();
        let Some(name) = name.to_str() else { continue };
        let process = name
            .strip_prefix(prefix)
            .filter(|_| name.ends_with(".partial"))
            .and_then(|rest| rest.split_once('-'))
            .and_then(|(process, _)| process.parse::<u32>().ok());
        if process.and_then(is_running) == Some(false) {
            // Somebody else may have removed it meanwhile.
            let _ = steps::remove_file(&entry.path());
        }
    }
}

/// A file that gets its name only when it is complete.
#[derive(Debug)]
pub struct AtomicFile {
    /// `None` only while the file is being committed or dropped.
    writer: Option<BufWriter<StepFile>>,
    temporary: PathBuf,
    destination: Option<PathBuf>,
    /// The name to show to the user, if it isn't the destination: for a file of a folder that isn't
    /// committed yet.
    shown: Option<PathBuf>,
    private: bool,
    /// A thread that already brings the bytes to disk.
    syncing: Option<std::thread::JoinHandle<io::Result<()>>>,
}

impl AtomicFile {
    /// Create a temporary file beside `dest`. With `private`, only the owner may read the finished
    /// file.
    pub fn create(dest: &Path, private: bool) -> Result<Self> {
        let dest = follow(dest)?;
        match fs::metadata(&dest) {
            Ok(metadata) if metadata.is_dir() => {
                let file = dest.display().to_string();
                return Err(Error::params("this is a folder, not a file").in_file(file));
            }
            Ok(metadata) if !metadata.is_file() => {
                let file = dest.display().to_string();
                return Err(
                    Error::params("this isn't a regular file: it can't be replaced").in_file(file)
                );
            }
            _ => {}
        }
        let name = dest.file_name().ok_or_else(|| {
            Error::params("this isn't the name of a file").in_file(dest.display().to_string())
        })?;
        let folder = folder_of(&dest);
        if !folder.is_dir() {
            let error = Error::new(sfumato_core::ErrorKind::Io, "there is no such folder");
            return Err(error.in_file(folder.display().to_string()));
        }
        let prefix = format!(".{}.", name.to_string_lossy());
        remove_orphans(folder, &prefix);
        let prefix = format!("{prefix}{}-", std::process::id());
        Self::new(folder, &prefix, Some(dest.clone()), private)
    }

    /// Create a temporary file in the system's temporary folder, to be copied elsewhere when it is
    /// complete.
    pub fn create_anywhere() -> Result<Self> {
        Self::new(&std::env::temp_dir(), ".sfumato.", None, true)
    }

    /// Create a file of a folder that isn't committed yet and will be at `shown`. Messages use its
    /// later name.
    pub(crate) fn create_within(folder: &Path, name: &str, shown: &Path) -> Result<Self> {
        let prefix = format!(".{name}.{}-", std::process::id());
        let mut file = Self::new(folder, &prefix, Some(folder.join(name)), false)?;
        file.shown = Some(shown.join(name));
        Ok(file)
    }

    fn new(
        folder: &Path,
        prefix: &str,
        destination: Option<PathBuf>,
        private: bool,
    ) -> Result<Self> {
        // The name is in the list before anything else can go wrong.
        let mut live = live();
        let (file, path) = steps::about_to(Step::Create, folder)
            .and_then(|()| {
                let mut builder = tempfile::Builder::new();
                builder.prefix(prefix).suffix(".partial").tempfile_in(folder)
            })
            .and_then(|file| file.keep().map_err(|e| e.error))
            .map_err(|source| Error::io(folder, "create a file here", &source))?;
        live.push(path.clone());
        let writer = Some(BufWriter::with_capacity(1 << 18, StepFile::of(file, &path)));
        Ok(AtomicFile { writer, temporary: path, destination, shown: None, private, syncing: None })
    }

    /// The path of the bytes until the file is committed. Call [`AtomicFile::flush_all`] before
    /// reading it.
    pub fn path(&self) -> &Path {
        &self.temporary
    }

    /// Hand everything written so far to the operating system.
    pub fn flush_all(&mut self) -> Result<()> {
        self.flush().map_err(|source| self.error(&source))
    }

    /// Start to bring the bytes to disk while the caller does something else with the file, such as
    /// reading it back. An error is reported when the file is committed.
    pub fn sync_early(&mut self) -> Result<()> {
        self.flush_all()?;
        let Some(writer) = &self.writer else { return Ok(()) };
        let file = writer.get_ref().try_clone().map_err(|source| self.error(&source))?;
        self.syncing = Some(std::thread::spawn(move || file.sync_data()));
        Ok(())
    }

    /// Bring all bytes to the disk, and wait until they are there. The file has no name yet.
    pub fn sync(&mut self) -> Result<()> {
        self.flush_all()?;
        if let Some(syncing) = self.syncing.take() {
            syncing
                .join()
                .map_err(|_| Error::internal("bringing a file to the disk panicked"))?
                .map_err(|source| self.error(&source))?;
        }
        match &self.writer {
            Some(writer) => writer.get_ref().sync_all().map_err(|source| self.error(&source)),
            None => Err(Error::internal("a file was committed twice")),
        }
    }

    /// Do everything that can fail before a file gets its name: bytes on the disk, permissions.
    pub(crate) fn prepare(&mut self) -> Result<()> {
        if self.destination.is_none() {
            return Err(Error::internal("a temporary file without a destination was committed"));
        }
        if let (false, Some(writer)) = (self.private, &self.writer) {
            open_to_others(writer.get_ref(), &self.temporary)
                .map_err(|source| self.error(&source))?;
        }
        self.sync()
    }

    /// Give a prepared file its name.
    pub(crate) fn take_name(&mut self) -> Result<()> {
        let Some(dest) = self.destination.clone() else {
            return Err(Error::internal("a temporary file without a destination was committed"));
        };
        // Some systems don't rename a file that is open.
        drop(self.writer.take());
        steps::rename(&self.temporary, &dest).map_err(|source| self.error(&source))?;
        forget(&self.temporary);
        self.temporary = PathBuf::new();
        Ok(())
    }

    /// Make the new name last. A folder that isn't committed yet is synced once, with all its
    /// files.
    pub(crate) fn sync_name(&self) -> Result<()> {
        match (&self.shown, &self.destination) {
            (None, Some(dest)) => {
                sync_folder(folder_of(dest)).map_err(|source| self.error(&source))
            }
            _ => Ok(()),
        }
    }

    /// Give the file its name. On any error the destination is what it was, and nothing is left
    /// behind.
    pub fn commit(self) -> Result<()> {
        commit_together(vec![self], || Ok(()))
    }

    /// Copy everything to standard output and remove the file.
    pub fn copy_to_stdout(mut self) -> Result<()> {
        self.flush_all()?;
        let stdout = Path::new("standard output");
        let mut file = StepFile::open(&self.temporary).map_err(|source| self.error(&source))?;
        file.seek(SeekFrom::Start(0)).map_err(|source| self.error(&source))?;
        let mut out = io::stdout().lock();
        let mut buffer = vec![0; 1 << 18];
        loop {
            let n = file.read(&mut buffer).map_err(|source| self.error(&source))?;
            if n == 0 {
                return out.flush().map_err(|source| Error::io(stdout, "write", &source));
            }
            match out.write_all(&buffer[..n]) {
                // Who reads the head of a release only needs no more of it.
                Err(source) if source.kind() == io::ErrorKind::BrokenPipe => return Ok(()),
                written => written.map_err(|source| Error::io(stdout, "write", &source))?,
            }
        }
    }

    /// The file that will be replaced, if there is one, and where this file is meanwhile.
    pub(crate) fn places(&self) -> (Option<&Path>, &Path) {
        (self.destination.as_deref(), &self.temporary)
    }

    /// The name that the user knows.
    pub(crate) fn destination(&self) -> &Path {
        self.shown.as_deref().or(self.destination.as_deref()).unwrap_or(&self.temporary)
    }

    /// Make an error about this file, under the name to show to the user.
    pub(crate) fn error(&self, source: &io::Error) -> Error {
        Error::io(self.destination(), "write", source)
    }
}

/// Add to an error about a full disk how many bytes should have been written.
fn saying_how_much(source: io::Error, wanted: usize) -> io::Error {
    match source.kind() {
        kind @ (io::ErrorKind::StorageFull | io::ErrorKind::QuotaExceeded) => {
            io::Error::new(kind, format!("no space left, {wanted} more bytes were wanted"))
        }
        _ => source,
    }
}

impl Write for AtomicFile {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        match &mut self.writer {
            Some(writer) => {
                let wanted = writer.buffer().len() + bytes.len();
                writer.write(bytes).map_err(|source| saying_how_much(source, wanted))
            }
            None => Err(io::ErrorKind::BrokenPipe.into()),
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        let Some(writer) = &mut self.writer else { return Ok(()) };
        let wanted = writer.buffer().len();
        writer.flush().map_err(|source| saying_how_much(source, wanted))
    }
}

impl Drop for AtomicFile {
    fn drop(&mut self) {
        if let Some(writer) = self.writer.take() {
            // What is still buffered has no use any more.
            let _ = writer.into_parts();
        }
        if !self.temporary.as_os_str().is_empty() {
            let _ = insist(|| steps::remove_file(&self.temporary));
            forget(&self.temporary);
        }
    }
}

/// Write a small file that has no name yet: it is committed with others.
pub fn write_text_unnamed(dest: &Path, text: &str, private: bool) -> Result<AtomicFile> {
    let mut file = AtomicFile::create(dest, private)?;
    file.write_all(text.as_bytes()).map_err(|source| file.error(&source))?;
    file.flush_all()?;
    Ok(file)
}

/// Write a small file whole or not at all.
pub fn write_text_atomically(dest: &Path, text: &str, private: bool) -> Result<()> {
    write_text_unnamed(dest, text, private)?.commit()
}

/// The file behind a destination: writing through a link replaces what it points to, not the link.
pub(crate) fn follow(dest: &Path) -> Result<PathBuf> {
    match fs::symlink_metadata(dest) {
        Ok(metadata) if metadata.is_symlink() => {
            fs::canonicalize(dest).map_err(|source| Error::io(dest, "follow this link", &source))
        }
        _ => Ok(dest.to_path_buf()),
    }
}

/// The folder that a file is in.
pub(crate) fn folder_of(path: &Path) -> &Path {
    match path.parent() {
        Some(folder) if !folder.as_os_str().is_empty() => folder,
        _ => Path::new("."),
    }
}

/// Give a file the permissions that a new file would have. The process's mask can't be read without
/// changing it for all threads, so an empty file is created to see them. Its name is that of a
/// temporary file, so that it is removed like one if the process is killed meanwhile.
#[cfg(unix)]
fn open_to_others(file: &StepFile, temporary: &Path) -> io::Result<()> {
    use std::os::unix::fs::{OpenOptionsExt as _, PermissionsExt as _};
    let probe = temporary.with_extension("mode.partial");
    let mut options = File::options();
    options.write(true).create_new(true).mode(0o666);
    live().push(probe.clone());
    let permissions = StepFile::create(&options, &probe)
        .and_then(|probe| probe.file().metadata())
        .map(|metadata| fs::Permissions::from_mode(metadata.permissions().mode()));
    let permissions = permissions?;
    // Where it can't be removed now, the end of the process or a later run does it.
    insist(|| steps::remove_file(&probe))?;
    forget(&probe);
    file.permit(permissions)
}

#[cfg(not(unix))]
fn open_to_others(_: &StepFile, _: &Path) -> io::Result<()> {
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_a_killed_process_left_is_removed_and_nothing_else() {
        let folder = tempfile::tempdir().unwrap();
        let path = |name: &str| folder.path().join(name);
        // No process has the largest number; this one has its own.
        let (dead, alive) =
            (".o.csv.4294967295-abc.partial", format!(".o.csv.{}-abc.partial", std::process::id()));
        for name in [dead, alive.as_str(), ".other.csv.4294967295-abc.partial", ".o.csv.notes"] {
            fs::write(path(name), "x").unwrap();
        }
        AtomicFile::create(&path("o.csv"), false).unwrap().commit().unwrap();
        assert!(!path(dead).exists());
        assert!(path(&alive).exists() && path(".other.csv.4294967295-abc.partial").exists());
        assert!(path(".o.csv.notes").exists() && path("o.csv").exists());
    }

    fn names(folder: &Path) -> Vec<String> {
        let mut names: Vec<String> = fs::read_dir(folder)
            .unwrap()
            .map(|entry| entry.unwrap().file_name().into_string().unwrap())
            .collect();
        names.sort();
        names
    }

    #[test]
    fn dropped_files_leave_nothing() {
        let folder = tempfile::tempdir().unwrap();
        let dest = folder.path().join("out.csv");
        let mut file = AtomicFile::create(&dest, false).unwrap();
        file.write_all(b"secret").unwrap();
        file.flush_all().unwrap();
        assert_eq!(fs::read(file.path()).unwrap(), b"secret");
        assert_eq!(names(folder.path()).len(), 1);
        drop(file);
        assert!(names(folder.path()).is_empty());
    }

    #[test]
    fn committed_files_have_their_name_only() {
        let folder = tempfile::tempdir().unwrap();
        let dest = folder.path().join("out.csv");
        fs::write(&dest, "old").unwrap();
        write_text_atomically(&dest, "new", false).unwrap();
        assert_eq!(fs::read_to_string(&dest).unwrap(), "new");
        assert_eq!(names(folder.path()), ["out.csv"]);
    }

    #[cfg(unix)]
    #[test]
    fn permissions() {
        use std::os::unix::fs::PermissionsExt;
        let folder = tempfile::tempdir().unwrap();
        let mode = |path: &Path| fs::metadata(path).unwrap().permissions().mode() & 0o777;
        let usual = folder.path().join("usual");
        File::create(&usual).unwrap();
        let dest = folder.path().join("private");
        let file = AtomicFile::create(&dest, true).unwrap();
        assert_eq!(mode(file.path()), 0o600);
        file.commit().unwrap();
        assert_eq!(mode(&dest), 0o600);
        let dest = folder.path().join("public");
        let file = AtomicFile::create(&dest, false).unwrap();
        assert_eq!(mode(file.path()), 0o600);
        file.commit().unwrap();
        assert_eq!(mode(&dest), mode(&usual));
    }

    #[cfg(unix)]
    #[test]
    fn links_stay_links() {
        let folder = tempfile::tempdir().unwrap();
        let target = folder.path().join("target");
        fs::write(&target, "old").unwrap();
        let link = folder.path().join("link");
        std::os::unix::fs::symlink(&target, &link).unwrap();
        write_text_atomically(&link, "new", false).unwrap();
        assert!(fs::symlink_metadata(&link).unwrap().is_symlink());
        assert_eq!(fs::read_to_string(&target).unwrap(), "new");
    }

    #[test]
    fn impossible_destinations() {
        let folder = tempfile::tempdir().unwrap();
        let error = AtomicFile::create(folder.path(), false).unwrap_err();
        assert_eq!(error.message, "this is a folder, not a file");
        let error = AtomicFile::create(&folder.path().join("no/where"), false).unwrap_err();
        assert_eq!(error.message, "there is no such folder");
        #[cfg(unix)]
        {
            let error = AtomicFile::create(Path::new("/dev/null"), false).unwrap_err();
            assert_eq!(error.message, "this isn't a regular file: it can't be replaced");
        }
        assert!(names(folder.path()).is_empty());
    }

    #[test]
    fn anywhere_can_be_read_and_vanishes() {
        let mut file = AtomicFile::create_anywhere().unwrap();
        file.write_all(b"x").unwrap();
        file.flush_all().unwrap();
        let path = file.path().to_owned();
        assert_eq!(fs::read(&path).unwrap(), b"x");
        assert_eq!(file.commit().unwrap_err().kind, sfumato_core::ErrorKind::Internal);
        assert!(!path.exists());
    }
}
