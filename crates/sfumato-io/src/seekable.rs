//! Inputs with random access, as Parquet and Arrow files need it: from several threads, at any
//! place.

use std::io::{self, Read, Seek, SeekFrom};

use bytes::Bytes;
use sfumato_core::{Error, Result};

use crate::input::{Input, Meter, open_file, read_error, read_full};
use crate::steps::StepFile;

impl Input {
    /// The bytes with random access, and their hashing, which goes on meanwhile.
    pub(crate) fn into_seekable(mut self) -> Result<(Seekable, Hashing)> {
        if self.size == 0 || self.compression.is_some() {
            let file = self.spool()?;
            let metadata = file.file().metadata();
            let length = metadata.map_err(|e| read_error(&self.path, None, &e))?.len();
            return Ok((Seekable::new(file, length), Hashing { meter: self.meter, thread: None }));
        }
        let seekable = match self.in_memory.take() {
            Some(bytes) => Seekable { bytes: SeekableBytes::Memory(bytes), length: self.size },
            None => Seekable::new(open_file(&self.path)?, self.size),
        };
        if !self.meter.hashes() {
            let hashing = Hashing { meter: Meter::of_size(self.size), thread: None };
            return Ok((seekable, hashing));
        }
        let (meter, path) = (self.meter.clone(), self.path.clone());
        let thread = std::thread::spawn(move || {
            let mut buffer = vec![0; 1 << 20];
            while read_full(&mut self.reader, &mut buffer)
                .map_err(|e| read_error(&path, None, &e))?
                > 0
            {}
            Ok(())
        });
        Ok((seekable, Hashing { meter, thread: Some(thread) }))
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

/// Bytes that any number of readers read at their own places.
pub(crate) struct Seekable {
    bytes: SeekableBytes,
    length: u64,
}

/// Where the bytes are.
enum SeekableBytes {
    #[cfg(unix)]
    File(StepFile),
    #[cfg(not(unix))]
    File(std::sync::Mutex<StepFile>),
    Memory(Bytes),
}

impl Seekable {
    fn new(file: StepFile, length: u64) -> Self {
        #[cfg(not(unix))]
        let file = std::sync::Mutex::new(file);
        Seekable { bytes: SeekableBytes::File(file), length }
    }

    /// The length of the file when it was opened.
    pub(crate) fn len(&self) -> u64 {
        self.length
    }

    /// Read at a place.
    pub(crate) fn read_at(&self, buffer: &mut [u8], at: u64) -> io::Result<usize> {
        match &self.bytes {
            #[cfg(unix)]
            SeekableBytes::File(file) => file.read_at(buffer, at),
            #[cfg(not(unix))]
            SeekableBytes::File(file) => {
                let mut file = file.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
                file.seek(SeekFrom::Start(at))?;
                file.read(buffer)
            }
            SeekableBytes::Memory(bytes) => {
                let rest = bytes.get(usize::try_from(at).unwrap_or(usize::MAX)..);
                rest.unwrap_or_default().read(buffer)
            }
        }
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
