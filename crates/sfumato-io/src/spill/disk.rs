//! Writes and reads bytes of spilled files: they are appended in large blocks, and read through a
//! window that moves forward.
//!
//! A file that is written isn't held open between blocks, so that the number of partitions isn't
//! limited by the number of files that a process may open. Errors name the file, and an error about
//! a full disk says how many bytes were to be written.

use std::io::{self, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

use sfumato_core::{Error, ErrorKind, Result};

use super::counts::IoCounts;
use super::folder::SpillFolder;
use crate::steps::{self, StepFile};

/// The smallest number of bytes that is written at once, except at the end of a file.
pub(super) const BLOCK: usize = 256 << 10;

/// A file to which bytes are appended. It is removed when dropped, unless it was finished.
#[derive(Debug)]
pub(super) struct Appender {
    folder: SpillFolder,
    path: PathBuf,
    /// Bytes that don't fill a block yet.
    pending: Vec<u8>,
    is_finished: bool,
}

impl Appender {
    pub(super) fn create(folder: &SpillFolder, kind: &str) -> Result<Self> {
        let (path, _) = folder.create_file(kind)?;
        Ok(Appender { folder: folder.clone(), path, pending: Vec::new(), is_finished: false })
    }

    pub(super) fn path(&self) -> &Path {
        &self.path
    }

    /// Append bytes. They are written when there are enough for a block.
    pub(super) fn append(&mut self, bytes: &[u8]) -> Result<()> {
        if self.pending.len() + bytes.len() < BLOCK {
            if self.pending.capacity() == 0 {
                self.pending.reserve_exact(BLOCK);
            }
            self.pending.extend_from_slice(bytes);
            return Ok(());
        }
        self.write(&[&self.pending, bytes], false)?;
        self.pending.clear();
        Ok(())
    }

    /// Write the remaining bytes and, with `sync`, bring all of them to disk so that they outlast a
    /// crash.
    pub(super) fn finish(mut self, sync: bool) -> Result<PathBuf> {
        self.write(&[&self.pending], sync)?;
        self.is_finished = true;
        Ok(std::mem::take(&mut self.path))
    }

    fn write(&self, pieces: &[&[u8]], sync: bool) -> Result<()> {
        let io = |source: io::Error| Error::io(&self.path, "write", &source);
        let mut file = StepFile::append(&self.path).map_err(io)?;
        let mut wanted = pieces.iter().map(|piece| piece.len()).sum::<usize>();
        for piece in pieces {
            let mut rest = *piece;
            while !rest.is_empty() {
                match file.write(rest) {
                    Ok(n) => {
                        rest = &rest[n..];
                        wanted -= n;
                        self.folder.counts().add_written(n as u64);
                    }
                    Err(source) if source.kind() == io::ErrorKind::Interrupted => {}
                    Err(source) => return Err(full(&self.path, wanted, &source)),
                }
            }
        }
        if sync {
            file.sync_data().map_err(|source| full(&self.path, wanted, &source))?;
        }
        Ok(())
    }
}

impl Drop for Appender {
    fn drop(&mut self) {
        if !self.is_finished {
            let _ = steps::remove_file(&self.path);
        }
    }
}

/// The error of a write. If the disk is full, it says how many bytes were to be written.
fn full(path: &Path, wanted: usize, source: &io::Error) -> Error {
    match source.kind() {
        io::ErrorKind::StorageFull | io::ErrorKind::QuotaExceeded => {
            Error::resources(format!("no space left: wanted {wanted} more bytes"))
                .in_file(path.display().to_string())
                .hint("free some space there, or name another folder for temporary data")
        }
        _ => Error::io(path, "write", source),
    }
}

/// The error for a spilled file that isn't what was written.
pub(super) fn damaged(path: &Path, what: &str) -> Error {
    Error::new(ErrorKind::Io, format!("this temporary file is damaged: {what}"))
        .in_file(path.display().to_string())
        .hint("run again without --resume")
}

/// A file that is read from its beginning to its end, and of which parts may be skipped.
#[derive(Debug)]
pub(super) struct Window<'a> {
    file: StepFile,
    path: PathBuf,
    len: u64,
    /// The smallest number of bytes that is read at once.
    ahead: usize,
    start: u64,
    bytes: Vec<u8>,
    counts: &'a IoCounts,
}

impl<'a> Window<'a> {
    pub(super) fn open(path: &Path, ahead: usize, counts: &'a IoCounts) -> Result<Self> {
        let file = StepFile::open(path).map_err(|source| Error::io(path, "read", &source))?;
        let len = file.file().metadata().map_err(|source| Error::io(path, "read", &source))?.len();
        Ok(Window {
            file,
            path: path.to_path_buf(),
            len,
            ahead,
            start: 0,
            bytes: Vec::new(),
            counts,
        })
    }

    /// The length of the file.
    pub(super) fn len(&self) -> u64 {
        self.len
    }
    /// Change the number of bytes that are read at once.
    pub(super) fn set_ahead(&mut self, ahead: usize) {
        self.ahead = ahead;
    }

    /// Some bytes of the file.
    pub(super) fn bytes(&mut self, offset: u64, len: usize) -> Result<&[u8]> {
        if offset.checked_add(len as u64).is_none_or(|end| end > self.len) {
            return Err(self.damaged("it ends too early"));
        }
        let held = self.start..self.start + self.bytes.len() as u64;
        if !held.contains(&offset) || offset + len as u64 > held.end {
            // What is there already isn't read again: it moves to the front.
            let kept = if held.contains(&offset) { (held.end - offset) as usize } else { 0 };
            let first = self.bytes.len() - kept;
            self.bytes.copy_within(first.., 0);
            let wanted = (len.max(self.ahead) as u64).min(self.len - offset) as usize;
            self.bytes.resize(wanted, 0);
            self.start = offset;
            let read = self
                .file
                .seek(SeekFrom::Start(offset + kept as u64))
                .and_then(|_| self.file.read_exact(&mut self.bytes[kept..]));
            if let Err(source) = read {
                self.bytes.clear();
                return Err(Error::io(&self.path, "read", &source));
            }
            self.counts.add_read((wanted - kept) as u64);
        }
        let at = (offset - self.start) as usize;
        Ok(&self.bytes[at..at + len])
    }

    pub(super) fn damaged(&self, what: &str) -> Error {
        damaged(&self.path, what)
    }
}
