//! The file of a ledger: created once, read whole, appended to under a lock.

use std::fs::{File, OpenOptions, TryLockError};
use std::io::{Seek as _, SeekFrom, Write as _};
use std::path::{Path, PathBuf};

use sfumato_core::{Error, ErrorKind, Result};
use sfumato_io::sha256_hex;

use super::line::{self, Begun, Entry, Recorded, START};
use crate::random::generator;
use crate::stopwatch::now;

/// The version of the format.
const VERSION: u32 = 1;

/// What is wrong with a ledger without making it useless.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Fault {
    /// The last line has no end: a run was killed while it wrote it.
    TornTail {
        /// How many bytes it has.
        bytes: u64,
    },
    /// A release was announced, and neither confirmed nor withdrawn: a run was killed.
    Pending {
        /// Whether its files are there.
        is_there: bool,
    },
    /// Others than the owner can read the file.
    Readable,
}

/// A ledger that was read.
#[derive(Debug)]
pub struct Ledger {
    path: PathBuf,
    entries: Vec<Entry>,
    /// The hash of the last line.
    head: String,
    /// Where the next line goes.
    end: u64,
    torn: u64,
    is_readable_by_others: bool,
    /// The file, where this run may write.
    file: Option<File>,
}

impl Ledger {
    /// Begin a ledger. One that is there is never written over.
    pub fn create(path: &Path, models: Vec<String>) -> Result<Self> {
        use rand_chacha::rand_core::Rng as _;
        let io = |error: &std::io::Error| Error::io(path, "create", error);
        let mut options = OpenOptions::new();
        options.write(true).create_new(true);
        #[cfg(unix)]
        std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
        let file = options.open(path).map_err(|error| match error.kind() {
            std::io::ErrorKind::AlreadyExists => {
                Error::new(ErrorKind::Io, "there is a file of that name")
                    .in_file(path.display().to_string())
                    .hint("a ledger is begun once: 'sfumato ledger show' shows it")
            }
            _ => io(&error),
        })?;
        let mut salt = [0u8; 32];
        generator(None)?.fill_bytes(&mut salt);
        let salt = salt.iter().map(|byte| format!("{byte:02x}")).collect();
        let mut ledger = Ledger {
            path: path.to_path_buf(),
            entries: Vec::new(),
            head: START.into(),
            end: 0,
            torn: 0,
            is_readable_by_others: false,
            file: Some(file),
        };
        ledger.append(Entry::Begin(Begun { version: VERSION, at: now(), salt, models }))?;
        sync_folder(path)?;
        Ok(ledger)
    }

    /// Read a ledger. An error if a line was changed, left out or moved.
    pub fn open(path: &Path) -> Result<Self> {
        let bytes = std::fs::read(path).map_err(|error| {
            let found = Error::io(path, "read", &error);
            match error.kind() {
                std::io::ErrorKind::NotFound => {
                    found.hint("begin it with 'sfumato ledger init LEDGER'")
                }
                _ => found,
            }
        })?;
        let mut ledger = Ledger {
            path: path.to_path_buf(),
            entries: Vec::new(),
            head: START.into(),
            end: 0,
            torn: 0,
            is_readable_by_others: is_readable_by_others(path),
            file: None,
        };
        let mut rest = bytes.as_slice();
        while let Some(at) = rest.iter().position(|byte| *byte == b'\n') {
            let (entry, hash) =
                line::read(&ledger.head, &rest[..at]).ok_or_else(|| ledger.changed())?;
            let is_begin = matches!(entry, Entry::Begin(_));
            if is_begin != ledger.entries.is_empty() || !ledger.is_next(&entry) {
                return Err(ledger.changed());
            }
            ledger.entries.push(entry);
            ledger.head = hash;
            ledger.end += at as u64 + 1;
            rest = &rest[at + 1..];
        }
        ledger.torn = rest.len() as u64;
        match ledger.entries.first() {
            Some(Entry::Begin(begun)) if begun.version != VERSION => {
                Err(Error::unsupported(format!(
                    "the ledger has the version {}, and this program writes {VERSION}",
                    begun.version
                ))
                .in_file(path.display().to_string()))
            }
            Some(_) => Ok(ledger),
            None => Err(Error::input("this isn't a ledger, or it has no whole line")
                .in_file(path.display().to_string())
                .hint("begin one under another name with 'sfumato ledger init LEDGER'")),
        }
    }

    /// Open a ledger to write to it, with nobody else writing. What a killed run left is put in
    /// order; what was found is said.
    pub fn lock(path: &Path) -> Result<(Self, Vec<String>)> {
        // Opening by this name would create a file: reading it first says what is wrong.
        Ledger::open(path)?;
        let opened = OpenOptions::new().write(true).open(path);
        let file = opened.map_err(|error| Error::io(path, "write", &error))?;
        match file.try_lock() {
            Ok(()) => {}
            Err(TryLockError::WouldBlock) => {
                return Err(Error::resources("another run is writing to the ledger")
                    .in_file(path.display().to_string())
                    .hint("wait until it ends: what it publishes counts for this one"));
            }
            Err(TryLockError::Error(error)) => return Err(Error::io(path, "lock", &error)),
        }
        // What another run wrote until now is read only under the lock.
        let mut ledger = Ledger { file: Some(file), ..Ledger::open(path)? };
        let notes = ledger.recover()?;
        Ok((ledger, notes))
    }

    /// Append an entry and wait until it is on the disk.
    pub(super) fn append(&mut self, entry: Entry) -> Result<()> {
        let (line, hash) = line::write(&self.head, &entry)?;
        let path = &self.path;
        let file = self.file.as_mut().ok_or_else(|| Error::internal("a ledger isn't locked"))?;
        let text = format!("{line}\n");
        file.seek(SeekFrom::Start(self.end))
            .and_then(|_| file.write_all(text.as_bytes()))
            .and_then(|()| file.sync_all())
            .map_err(|error| Error::io(path, "write", &error))?;
        self.end += text.len() as u64;
        self.head = hash;
        self.entries.push(entry);
        Ok(())
    }

    /// Cut off a torn line, and find out what became of a release that was announced.
    fn recover(&mut self) -> Result<Vec<String>> {
        let mut notes = Vec::new();
        if self.torn > 0 {
            let path = &self.path;
            let file =
                self.file.as_mut().ok_or_else(|| Error::internal("a ledger isn't locked"))?;
            file.set_len(self.end)
                .and_then(|()| file.sync_all())
                .map_err(|error| Error::io(path, "mend", &error))?;
            notes.push(Fault::TornTail { bytes: self.torn }.words());
            self.torn = 0;
        }
        if let Some(pending) = self.pending() {
            let is_there = self.is_published(pending);
            notes.push(Fault::Pending { is_there }.words());
            let (at, recovered) = (now(), true);
            self.append(match is_there {
                true => Entry::Done { at, recovered },
                false => Entry::Void { at, recovered },
            })?;
        }
        Ok(notes)
    }

    /// What is wrong and can be put in order.
    pub fn faults(&self) -> Vec<Fault> {
        let torn = (self.torn > 0).then_some(Fault::TornTail { bytes: self.torn });
        let pending =
            self.pending().map(|recorded| Fault::Pending { is_there: self.is_published(recorded) });
        let readable = self.is_readable_by_others.then_some(Fault::Readable);
        [torn, pending, readable].into_iter().flatten().collect()
    }

    /// The releases of the present chain, in their order. One that was announced and isn't
    /// confirmed counts if its files are there.
    pub fn releases(&self) -> Vec<&Recorded> {
        let mut found: Vec<&Recorded> = Vec::new();
        let mut pending = None;
        for entry in &self.entries {
            match entry {
                Entry::Begin(_) => {}
                Entry::NewChain { .. } => found.clear(),
                Entry::Intent(recorded) => pending = Some(recorded),
                Entry::Done { .. } => found.extend(pending.take()),
                Entry::Void { .. } => pending = None,
            }
        }
        found.extend(pending.filter(|recorded| self.is_published(recorded)));
        found
    }

    /// What the ledger says of itself.
    pub fn begun(&self) -> Result<&Begun> {
        match self.entries.first() {
            Some(Entry::Begin(begun)) => Ok(begun),
            _ => Err(Error::internal("a ledger doesn't begin")),
        }
    }
    /// All entries.
    pub fn entries(&self) -> &[Entry] {
        &self.entries
    }
    /// The hash of the last line: noted elsewhere, it betrays a ledger that was cut short.
    pub fn head(&self) -> &str {
        &self.head
    }
    /// Its path.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Whether the files of a release are where they were written, with their hashes.
    pub fn is_published(&self, recorded: &Recorded) -> bool {
        let place = Path::new(&recorded.path);
        let has_hash = |path: &Path, sha256: &str| {
            std::fs::read(path).is_ok_and(|bytes| sha256_hex(&bytes) == sha256)
        };
        !recorded.files.is_empty()
            && match place.is_dir() {
                true => recorded
                    .files
                    .iter()
                    .all(|file| has_hash(&place.join(&file.path), &file.sha256)),
                false => recorded.files.iter().all(|file| has_hash(place, &file.sha256)),
            }
    }

    /// The release that was announced last, unless it was confirmed or withdrawn.
    fn pending(&self) -> Option<&Recorded> {
        match self.entries.last() {
            Some(Entry::Intent(recorded)) => Some(recorded),
            _ => None,
        }
    }

    /// Whether an entry may follow those that are there.
    fn is_next(&self, entry: &Entry) -> bool {
        let is_pending = self.pending().is_some();
        match entry {
            Entry::Done { .. } | Entry::Void { .. } => is_pending,
            Entry::Begin(_) | Entry::Intent(_) | Entry::NewChain { .. } => !is_pending,
        }
    }

    fn changed(&self) -> Error {
        Error::input("this line isn't what was written: the ledger was changed")
            .in_file(self.path.display().to_string())
            .at_line(self.entries.len() as u64 + 1)
            .hint("take the last copy of it: a ledger is never edited, and can't be mended")
    }
}

impl Fault {
    /// What it means, for people.
    pub fn words(&self) -> String {
        match self {
            Fault::TornTail { bytes } => format!(
                "the ledger's last line was torn: {bytes} bytes of it are there, and a run was \
                 killed while it wrote them; what it was about never got a name"
            ),
            Fault::Pending { is_there: true } => {
                "a run was killed behind its release: the files are there with the announced \
                 hashes, and count as published"
                    .into()
            }
            Fault::Pending { is_there: false } => {
                "a run was killed before its release got a name: the announced files aren't there, \
                 and don't count (if they were moved since, record them with 'sfumato ledger add')"
                    .into()
            }
            Fault::Readable => {
                "others than the owner can read the ledger: take their permissions away".into()
            }
        }
    }
}

fn is_readable_by_others(path: &Path) -> bool {
    #[cfg(unix)]
    {
        use std::os::unix::fs::MetadataExt as _;
        std::fs::metadata(path).is_ok_and(|found| found.mode() & 0o077 != 0)
    }
    #[cfg(not(unix))]
    {
        let _ = path;
        false
    }
}

/// Wait until the name of a new file is on the disk.
fn sync_folder(path: &Path) -> Result<()> {
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty());
    let folder = folder.unwrap_or(Path::new("."));
    File::open(folder)
        .and_then(|folder| folder.sync_all())
        .map_err(|error| Error::io(folder, "sync", &error))
}
