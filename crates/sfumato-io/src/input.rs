//! Opens an input: a file or standard input. Its bytes are hashed, counted and decompressed while
//! they are read.
//!
//! It never holds more of the input in memory than it was asked to look ahead.

use std::io::{self, Cursor, Read, Seek, SeekFrom};
use std::path::Path;
use std::sync::{Arc, Mutex, PoisonError};

use bytes::Bytes;
use sfumato_core::registry::edit_distance;
use sfumato_core::{Error, ErrorKind, Result};
use sha2::{Digest, Sha256};

use crate::encoding::{Decoded, Encoding};
use crate::format::{self, Compression, Format};
use crate::in_memory::{self, Readable};
use crate::steps::{Step, StepFile, about_to};

/// The name of standard input in messages.
const STDIN: &str = "standard input";

/// Counts and, if wanted, hashes what is read from the operating system, before decompression.
#[derive(Clone)]
pub(crate) struct Meter(Arc<Mutex<(Option<Sha256>, u64)>>);

impl Meter {
    fn new(hash: bool) -> Self {
        Meter(Arc::new(Mutex::new((hash.then(Sha256::default), 0))))
    }

    /// The meter of a file that isn't read sequentially and isn't hashed here.
    pub(crate) fn of_size(bytes: u64) -> Self {
        Meter(Arc::new(Mutex::new((None, bytes))))
    }

    fn add(&self, bytes: &[u8]) {
        let mut state = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(hash) = &mut state.0 {
            hash.update(bytes);
        }
        state.1 += bytes.len() as u64;
    }

    /// Whether there will be a hash.
    pub(crate) fn hashes(&self) -> bool {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).0.is_some()
    }

    /// The number of bytes read so far.
    pub(crate) fn bytes(&self) -> u64 {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).1
    }

    /// The SHA-256 hash of all bytes read so far, in hexadecimal. Empty if it wasn't wanted.
    pub(crate) fn sha256(&self) -> String {
        let hash = self.0.lock().unwrap_or_else(PoisonError::into_inner).0.clone();
        let digest = hash.map(Digest::finalize).into_iter().flatten();
        digest.map(|byte| format!("{byte:02x}")).collect()
    }
}

struct Metered<R> {
    inner: R,
    meter: Meter,
}

impl<R: Read> Read for Metered<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let n = self.inner.read(buffer)?;
        self.meter.add(&buffer[..n]);
        Ok(n)
    }
}

/// Reads a file from its start, wherever its position is.
struct FromStart {
    file: StepFile,
    started: bool,
}

impl Read for FromStart {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        if !self.started {
            self.file.seek(SeekFrom::Start(0))?;
            self.started = true;
        }
        self.file.read(buffer)
    }
}

/// An open input: its decompressed bytes, from the first one on.
pub(crate) struct Input {
    /// The path as the user gave it.
    pub(crate) path: String,
    /// The decompressed bytes.
    pub(crate) reader: Box<dyn Read + Send>,
    /// Counts what was read from the operating system.
    pub(crate) meter: Meter,
    /// The compression around the file.
    pub(crate) compression: Option<Compression>,
    /// The size of the file, 0 if unknown.
    pub(crate) size: u64,
    /// The format that the first bytes prove, or that the extension stands for.
    pub(crate) format: Option<Format>,
    /// Whether the first bytes prove the format.
    pub(crate) proven: bool,
    /// All bytes, where they are in memory.
    pub(crate) in_memory: Option<Bytes>,
}

/// The name of an input in messages.
pub(crate) fn display_name(path: &str) -> &str {
    if path == "-" { STDIN } else { path }
}

/// Refuse a path that leads nowhere. What isn't a single file is judged where it is read.
pub fn check_there(path: &str) -> Result<()> {
    let is_file = crate::Source::of(path).is_path() && crate::file_of(path) == path;
    match is_file && crate::files_of(path)?.is_none() && path != "-" {
        true => open_file(path).map(|_| ()),
        false => Ok(()),
    }
}

/// The file beside a path whose name was probably meant.
fn near_file(path: &Path) -> Option<String> {
    /// In larger folders nobody looks for a name.
    const MOST: usize = 10_000;
    let name = path.file_name()?.to_str()?;
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty());
    let names = folder.unwrap_or(Path::new(".")).read_dir().ok()?.take(MOST);
    let names = names.filter_map(|entry| entry.ok()?.file_name().into_string().ok());
    let near = names
        .filter(|known| !known.starts_with('.'))
        .map(|known| (edit_distance(&known, name), known))
        .min()?;
    let is_near = near.0 <= 2.min(name.chars().count() / 4);
    is_near
        .then(|| folder.map_or(near.1.clone(), |folder| folder.join(&near.1).display().to_string()))
}

/// Open a regular file, with clear errors for mistyped paths.
pub(crate) fn open_file(path: &str) -> Result<StepFile> {
    let file = StepFile::open(Path::new(path)).map_err(|source| match source.kind() {
        io::ErrorKind::NotFound => {
            let error = Error::new(ErrorKind::Io, "no such file").in_file(path);
            match near_file(Path::new(path)) {
                Some(near) => error.hint(format!("did you mean '{near}'?")),
                None => error,
            }
        }
        io::ErrorKind::PermissionDenied => {
            Error::new(ErrorKind::Io, "no permission to read this file").in_file(path)
        }
        _ => Error::io(Path::new(path), "open", &source),
    })?;
    let metadata =
        file.file().metadata().map_err(|source| Error::io(Path::new(path), "open", &source))?;
    if metadata.is_dir() {
        return Err(Error::input("this is a folder, not a file").in_file(path));
    }
    Ok(file)
}

impl Input {
    /// Open a path; `-` is standard input. `hash` says whether the hash will be needed.
    pub(crate) fn open(path: &str, hash: bool) -> Result<Input> {
        if path == "-" {
            return Self::of_reader(path, Box::new(io::stdin()), 0, hash);
        }
        match in_memory::find(path) {
            Some(Readable::Bytes(bytes)) => {
                let (size, reader) = (bytes.len() as u64, Cursor::new(bytes.clone()));
                let input = Self::of_reader(path, Box::new(reader), size, hash)?;
                return Ok(Input { in_memory: Some(bytes), ..input });
            }
            Some(Readable::Batches(_)) => {
                return Err(Error::unsupported("batches in memory can't be read as lines of text")
                    .hint("say how the baskets lie in their columns: list, long or table"));
            }
            None => {}
        }
        let file = open_file(path)?;
        let metadata =
            file.file().metadata().map_err(|source| Error::io(Path::new(path), "open", &source))?;
        let size = if metadata.is_file() { metadata.len() } else { 0 };
        Self::of_reader(path, Box::new(file), size, hash)
    }

    /// An input that was copied to a file because it is read more than once. Its format is already
    /// known.
    pub(crate) fn of_spooled(path: &str, file: StepFile) -> Result<Input> {
        let metadata = file.file().metadata();
        let size = metadata.map_err(|source| Error::io(Path::new(path), "read", &source))?.len();
        let meter = Meter::of_size(0);
        // Handles to one file share its position: each begins anew.
        let reader = Box::new(FromStart { file, started: false });
        Ok(Input {
            path: path.to_owned(),
            reader,
            meter,
            compression: None,
            size,
            format: None,
            proven: false,
            in_memory: None,
        })
    }

    fn of_reader(path: &str, raw: Box<dyn Read + Send>, size: u64, hash: bool) -> Result<Input> {
        let meter = Meter::new(hash);
        let mut raw = Metered { inner: raw, meter: meter.clone() };
        let start = look_ahead(&mut raw, 16).map_err(|e| read_error(path, None, &e))?;
        let (by_name, compression_by_name) = format::of_extensions(path);
        let compression = Compression::from_magic(&start);
        if let (None, Some(named)) = (compression, compression_by_name)
            && !start.is_empty()
        {
            let message = format!("this isn't a {} file, though its name says so", named.name());
            return Err(Error::input(message).in_file(path));
        }
        let raw = Cursor::new(start).chain(raw);
        let mut reader: Box<dyn Read + Send> = match compression {
            None => Box::new(raw),
            Some(Compression::Gzip) => {
                let raw = io::BufReader::with_capacity(1 << 18, raw);
                Box::new(flate2::bufread::MultiGzDecoder::new(raw))
            }
            Some(Compression::Zstd) => Box::new(
                zstd::Decoder::new(raw)
                    .map_err(|source| Error::io(Path::new(path), "read", &source))?,
            ),
        };
        let start = look_ahead(&mut reader, 16).map_err(|e| read_error(path, compression, &e))?;
        let proven = Format::from_magic(&start);
        let format = proven.or(by_name);
        let proven = proven.is_some();
        let reader = Box::new(Cursor::new(start).chain(reader));
        let (path, in_memory) = (path.to_owned(), None);
        Ok(Input { path, reader, meter, compression, size, format, proven, in_memory })
    }

    /// The name of the input in messages.
    pub(crate) fn name(&self) -> &str {
        display_name(&self.path)
    }

    /// Take `wanted` bytes from the front, or fewer at the end of the input.
    pub(crate) fn take_start(&mut self, wanted: usize) -> Result<Vec<u8>> {
        look_ahead(&mut self.reader, wanted)
            .map_err(|e| read_error(&self.path, self.compression, &e))
    }

    /// Look at `wanted` bytes from the front, or fewer at the end of the input. They will be read
    /// again.
    pub(crate) fn peek(&mut self, wanted: usize) -> Result<Vec<u8>> {
        let start = self.take_start(wanted)?;
        let rest = std::mem::replace(&mut self.reader, Box::new(io::empty()));
        self.reader = Box::new(Cursor::new(start.clone()).chain(rest));
        Ok(start)
    }

    /// Decode a text that isn't UTF-8: in the encoding that was asked for, or in the one that a
    /// byte order mark proves. Returns the encoding, unless it is UTF-8.
    pub(crate) fn decode(&mut self, asked: Option<Encoding>) -> Result<Option<Encoding>> {
        let mark = Encoding::from_mark(&self.peek(3)?);
        let encoding = mark.or(asked).filter(|encoding| *encoding != Encoding::UTF_8);
        if let Some(encoding) = encoding {
            let inner = std::mem::replace(&mut self.reader, Box::new(io::empty()));
            self.reader = Box::new(Decoded::new(inner, encoding));
        }
        Ok(encoding)
    }

    /// Copy the decompressed bytes into an unnamed temporary file, for formats that need random
    /// access.
    pub(crate) fn spool(&mut self) -> Result<StepFile> {
        let folder = std::env::temp_dir();
        let mut file = about_to(Step::Create, &folder)
            .and_then(|()| tempfile::tempfile())
            .map(|file| StepFile::of(file, &folder))
            .map_err(|source| Error::io(&folder, "create a temporary file", &source))?;
        let mut buffer = vec![0; 1 << 20];
        loop {
            let n = read_full(&mut self.reader, &mut buffer)
                .map_err(|e| read_error(&self.path, self.compression, &e))?;
            if n == 0 {
                return Ok(file);
            }
            io::Write::write_all(&mut file, &buffer[..n])
                .map_err(|source| Error::io(&folder, "write a temporary file", &source))?;
        }
    }
}

fn look_ahead(reader: &mut impl Read, wanted: usize) -> io::Result<Vec<u8>> {
    let mut start = vec![0; wanted];
    let n = read_full(reader, &mut start)?;
    start.truncate(n);
    Ok(start)
}

/// Fill the buffer. Fewer bytes are read only at the end of the input.
pub(crate) fn read_full(reader: &mut impl Read, buffer: &mut [u8]) -> io::Result<usize> {
    let mut filled = 0;
    while filled < buffer.len() {
        match reader.read(&mut buffer[filled..]) {
            Ok(0) => break,
            Ok(n) => filled += n,
            Err(e) if e.kind() == io::ErrorKind::Interrupted => {}
            Err(e) => return Err(e),
        }
    }
    Ok(filled)
}

/// The error for a failed read: the system refused, or the compressed data are truncated or
/// damaged.
pub(crate) fn read_error(
    path: &str,
    compression: Option<Compression>,
    source: &io::Error,
) -> Error {
    let name = display_name(path);
    match compression {
        _ if source.kind() == io::ErrorKind::InvalidData && compression.is_none() => {
            Error::input(source.to_string())
                .in_file(name)
                .hint("say the encoding of the file with --encoding")
        }
        Some(compression) if source.raw_os_error().is_none() => {
            let compression = compression.name();
            if source.kind() == io::ErrorKind::UnexpectedEof {
                Error::input(format!("the {compression} data is cut short"))
                    .in_file(name)
                    .hint("copy or download the file again")
            } else {
                Error::input(format!("the {compression} data is damaged: {source}")).in_file(name)
            }
        }
        _ => Error::io(Path::new(name), "read", source),
    }
}
