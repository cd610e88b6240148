//! The steps by which files are looked at, read, written, synced, renamed and removed on the way to
//! a release, at one place.
//!
//! In a program that isn't optimized a test can make any of them fail, lie or end the process: see
//! `faults`. In a released program a step is the call of the operating system and nothing else.
//! `cargo xtask tidy` refuses such calls elsewhere in the engine and its kinds, so that no step is
//! forgotten.

use std::fs::{self, File, OpenOptions, ReadDir};
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

#[cfg(debug_assertions)]
pub mod faults;

/// What a step does.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Step {
    /// Lists a folder.
    List,
    /// Opens a file that is there.
    Open,
    /// Creates a file or a folder.
    Create,
    /// Reads bytes.
    Read,
    /// Writes bytes.
    Write,
    /// Says who may read a file.
    Permit,
    /// Waits until bytes or names are on the disk.
    Sync,
    /// Gives a file a second name.
    Link,
    /// Renames a file or a folder.
    Rename,
    /// Removes a file or a folder.
    Remove,
}

/// Whether a step that was reached is to be done. It is, unless a test wants it to be pretended.
#[cfg(debug_assertions)]
fn reach(step: Step, path: &Path) -> io::Result<bool> {
    faults::reach(step, path)
}

#[cfg(not(debug_assertions))]
#[inline(always)]
fn reach(_: Step, _: &Path) -> io::Result<bool> {
    Ok(true)
}

/// Do a step without a result.
fn unless_pretended(
    step: Step,
    path: &Path,
    really: impl FnOnce() -> io::Result<()>,
) -> io::Result<()> {
    match reach(step, path)? {
        true => really(),
        false => Ok(()),
    }
}

/// Reach a step that this module doesn't do itself, such as creating a temporary file.
pub(crate) fn about_to(step: Step, path: &Path) -> io::Result<()> {
    reach(step, path).map(|_| ())
}

/// Do a step by which something is undone or cleared away, and once more if it is refused: what is
/// undone was refused itself, and a second refusal would leave old and new mixed.
pub(crate) fn insist(step: impl Fn() -> io::Result<()>) -> io::Result<()> {
    step().or_else(|_| step())
}

/// Rename a file or a folder.
pub fn rename(from: &Path, to: &Path) -> io::Result<()> {
    unless_pretended(Step::Rename, to, || fs::rename(from, to))
}

/// Give a file a second name.
pub fn hard_link(file: &Path, second: &Path) -> io::Result<()> {
    unless_pretended(Step::Link, second, || fs::hard_link(file, second))
}

/// Remove a file.
pub fn remove_file(path: &Path) -> io::Result<()> {
    unless_pretended(Step::Remove, path, || fs::remove_file(path))
}

/// Remove a folder with everything in it.
pub fn remove_dir_all(path: &Path) -> io::Result<()> {
    unless_pretended(Step::Remove, path, || fs::remove_dir_all(path))
}

/// List a folder.
pub fn read_dir(path: &Path) -> io::Result<ReadDir> {
    reach(Step::List, path)?;
    fs::read_dir(path)
}

/// Read a file whole.
pub fn read(path: &Path) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    StepFile::open(path)?.read_to_end(&mut bytes)?;
    Ok(bytes)
}

/// Read a text whole.
pub fn read_to_string(path: &Path) -> io::Result<String> {
    let mut text = String::new();
    StepFile::open(path)?.read_to_string(&mut text)?;
    Ok(text)
}

/// Make the names in a folder last: on Unix the folder is a file of its own.
pub(crate) fn sync_folder(folder: &Path) -> io::Result<()> {
    #[cfg(unix)]
    unless_pretended(Step::Sync, folder, || File::open(folder)?.sync_all())?;
    let _ = folder;
    Ok(())
}

/// A file whose reads, writes and syncs are steps.
#[derive(Debug)]
pub struct StepFile {
    file: File,
    path: PathBuf,
}

impl StepFile {
    /// A file that is open already.
    pub(crate) fn of(file: File, path: &Path) -> Self {
        StepFile { file, path: path.to_path_buf() }
    }

    /// Open a file to read it.
    pub fn open(path: &Path) -> io::Result<Self> {
        reach(Step::Open, path)?;
        Ok(Self::of(File::open(path)?, path))
    }

    /// Open a file to append to it.
    pub(crate) fn append(path: &Path) -> io::Result<Self> {
        reach(Step::Open, path)?;
        Ok(Self::of(OpenOptions::new().append(true).open(path)?, path))
    }

    /// Create a file.
    pub(crate) fn create(options: &OpenOptions, path: &Path) -> io::Result<Self> {
        reach(Step::Create, path)?;
        Ok(Self::of(options.open(path)?, path))
    }

    /// The file, for what isn't a step.
    pub(crate) fn file(&self) -> &File {
        &self.file
    }

    /// A second handle.
    pub(crate) fn try_clone(&self) -> io::Result<Self> {
        Ok(Self::of(self.file.try_clone()?, &self.path))
    }

    /// Say who may read the file.
    pub(crate) fn permit(&self, permissions: fs::Permissions) -> io::Result<()> {
        unless_pretended(Step::Permit, &self.path, || self.file.set_permissions(permissions))
    }

    /// Wait until all bytes, and what the system knows of the file, are on the disk.
    pub(crate) fn sync_all(&self) -> io::Result<()> {
        unless_pretended(Step::Sync, &self.path, || self.file.sync_all())
    }

    /// Wait until all bytes are on the disk.
    pub(crate) fn sync_data(&self) -> io::Result<()> {
        unless_pretended(Step::Sync, &self.path, || self.file.sync_data())
    }

    /// Read at a place.
    #[cfg(unix)]
    pub(crate) fn read_at(&self, buffer: &mut [u8], at: u64) -> io::Result<usize> {
        match reach(Step::Read, &self.path)? {
            true => std::os::unix::fs::FileExt::read_at(&self.file, buffer, at),
            false => Ok(0),
        }
    }
}

impl Read for StepFile {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        match reach(Step::Read, &self.path)? {
            true => self.file.read(buffer),
            false => Ok(0),
        }
    }
}

impl Write for StepFile {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        match reach(Step::Write, &self.path)? {
            true => self.file.write(bytes),
            false => Ok(bytes.len()),
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        self.file.flush()
    }
}

impl Seek for StepFile {
    fn seek(&mut self, to: SeekFrom) -> io::Result<u64> {
        self.file.seek(to)
    }
}
