//! Inputs with random access, as Parquet and Arrow files need it: from several threads, at any
//! place.

use std::fs::File;
use std::io::{self, Read, Seek, SeekFrom};

use sfumato_core::{Error, Result};

use crate::input::{Input, Meter, open_file, read_error, read_full};

impl Input {
    /// The bytes with random access, and their hashing, which goes on meanwhile.
    pub(crate) fn into_seekable(mut self) -> Result<(Seekable, Hashing)> {
        if self.size == 0 || self.compression.is_some() {
            let file = self.spool()?;
            let length = file.metadata().map_err(|e| read_error(&self.path, None, &e))?.len();
            return Ok((Seekable::new(file, length), Hashing { meter: self.meter, thread: None }));
        }
        let file = open_file(&self.path)?;
        if !self.meter.hashes() {
            let hashing = Hashing { meter: Meter::of_size(self.size), thread: None };
            return Ok((Seekable::new(file, self.size), hashing));
        }
        let (meter, path, length) = (self.meter.clone(), self.path.clone(), self.size);
        let thread = std::thread::spawn(move || {
            let mut buffer = vec![0; 1 << 20];
            while read_full(&mut self.reader, &mut buffer)
                .map_err(|e| read_error(&path, None, &e))?
                > 0
            {}
            Ok(())
        });
        Ok((Seekable::new(file, length), Hashing { meter, thread: Some(thread) }))
    }
}

/// The hashing of a file with random access.
pub(crate) struct Hashing {
    meter: Meter,
    thread: Option<std::thread::JoinHandle<Result<()>>>,
}

impl Hashing {
    /// Wait until the last byte is hashed.
    pub(crate) fn finish(self) -> Result<Meter> {
        if let Some(thread) = self.thread {
            thread.join().map_err(|_| Error::internal("hashing the input panicked"))??;
        }
        Ok(self.meter)
    }
}

/// A file that any number of readers can read at places of their own.
pub(crate) struct Seekable {
    #[cfg(unix)]
    file: File,
    #[cfg(not(unix))]
    file: std::sync::Mutex<File>,
    length: u64,
}

impl Seekable {
    fn new(file: File, length: u64) -> Self {
        #[cfg(not(unix))]
        let file = std::sync::Mutex::new(file);
        Seekable { file, length }
    }

    /// The length of the file when it was opened.
    pub(crate) fn len(&self) -> u64 {
        self.length
    }

    /// Read at a place.
    #[cfg(unix)]
    pub(crate) fn read_at(&self, buffer: &mut [u8], at: u64) -> io::Result<usize> {
        std::os::unix::fs::FileExt::read_at(&self.file, buffer, at)
    }

    /// Read at a place.
    #[cfg(not(unix))]
    pub(crate) fn read_at(&self, buffer: &mut [u8], at: u64) -> io::Result<usize> {
        let mut file = self.file.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
        file.seek(SeekFrom::Start(at))?;
        file.read(buffer)
    }

    /// A reader that starts at the beginning.
    pub(crate) fn cursor(&self) -> SeekableCursor<'_> {
        SeekableCursor { file: self, at: 0 }
    }
}

/// Reads a [`Seekable`] from a position of its own.
pub(crate) struct SeekableCursor<'a> {
    file: &'a Seekable,
    at: u64,
}

impl Read for SeekableCursor<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let n = self.file.read_at(buffer, self.at)?;
        self.at += n as u64;
        Ok(n)
    }
}

impl Seek for SeekableCursor<'_> {
    fn seek(&mut self, to: SeekFrom) -> io::Result<u64> {
        let at = match to {
            SeekFrom::Start(at) => Some(at),
            SeekFrom::Current(by) => self.at.checked_add_signed(by),
            SeekFrom::End(by) => self.file.length.checked_add_signed(by),
        };
        self.at = at.ok_or(io::ErrorKind::InvalidInput)?;
        Ok(self.at)
    }
}
