//! A file that is being written and that nobody sees yet: on the disk or in memory.

use std::io::{self, Write};
use std::path::Path;

use bytes::{Bytes, BytesMut};
use sfumato_core::{Error, Result};

use crate::atomic::AtomicFile;
use crate::in_memory;

/// A file that gets its name, or is handed over, only when it's complete. Dropped before that it
/// leaves nothing.
#[derive(Debug)]
pub enum Output {
    /// A temporary file.
    File(AtomicFile),
    /// Bytes in memory.
    Memory(InMemory),
}

/// Bytes in memory, for an inbox.
#[derive(Debug)]
pub struct InMemory {
    name: String,
    /// What was written since the bytes were last shown to readers.
    new: BytesMut,
    shown: Bytes,
}

impl InMemory {
    /// An empty file for the inbox of a name.
    pub(crate) fn new(name: &str) -> Self {
        InMemory { name: name.to_string(), new: BytesMut::new(), shown: Bytes::new() }
    }

    /// Let readers have everything written so far, under the name of the inbox.
    fn show(&mut self) -> Result<()> {
        if !self.new.is_empty() {
            let mut all = BytesMut::from(std::mem::take(&mut self.shown));
            all.unsplit(self.new.split());
            self.shown = all.freeze();
        }
        in_memory::show_draft(&self.name, Some(self.shown.clone()))
    }

    /// Hand the bytes over to the inbox, with the text of the manifest.
    pub fn deliver(mut self, manifest: String) -> Result<()> {
        self.show()?;
        in_memory::deliver(&self.name, self.shown.clone(), manifest)
    }
}

impl Drop for InMemory {
    fn drop(&mut self) {
        // An inbox that is gone holds no draft either.
        let _ = in_memory::show_draft(&self.name, None);
    }
}

impl From<AtomicFile> for Output {
    fn from(file: AtomicFile) -> Self {
        Output::File(file)
    }
}

impl Output {
    /// Where the bytes can be read meanwhile, once they were flushed: a path, or a name that
    /// readers know.
    pub fn path(&self) -> &Path {
        match self {
            Output::File(file) => file.path(),
            Output::Memory(memory) => Path::new(&memory.name),
        }
    }

    /// Make everything written so far readable.
    pub fn flush_all(&mut self) -> Result<()> {
        match self {
            Output::File(file) => file.flush_all(),
            Output::Memory(memory) => memory.show(),
        }
    }

    /// The temporary file.
    pub fn into_file(self) -> Result<AtomicFile> {
        match self {
            Output::File(file) => Ok(file),
            Output::Memory(_) => Err(Error::internal("a file in memory was taken for one on disk")),
        }
    }

    /// Give a file on the disk its name.
    pub fn commit(self) -> Result<()> {
        self.into_file()?.commit()
    }

    /// The name that the user knows.
    pub(crate) fn destination(&self) -> &Path {
        match self {
            Output::File(file) => file.destination(),
            Output::Memory(memory) => Path::new(&memory.name),
        }
    }

    /// An error of this file, under the name that the user knows.
    pub(crate) fn error(&self, source: &io::Error) -> Error {
        Error::io(self.destination(), "write", source)
    }
}

impl Write for Output {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        match self {
            Output::File(file) => file.write(bytes),
            Output::Memory(memory) => {
                memory.new.extend_from_slice(bytes);
                Ok(bytes.len())
            }
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        match self {
            Output::File(file) => file.flush(),
            Output::Memory(_) => Ok(()),
        }
    }
}
