//! Records of bytes in buckets, for grouping data that don't fit into memory: records with equal
//! keys go to the same bucket, and a bucket is read back as a whole.
//!
//! A file is a magic word, blocks of records (length, number of records, checksum; then each record
//! behind its length) and an end that says how many records there are.

use std::path::{Path, PathBuf};

use sfumato_core::memory::Reservation;
use sfumato_core::{Error, Result};

use super::disk::{Appender, BLOCK, damaged};
use super::folder::SpillFolder;
use super::run_reader::RunReader;
use crate::steps;

/// The bytes with which a file begins. The last byte is the version.
pub(super) const MAGIC: &[u8; 8] = b"sfrunsv1";
/// The number of bytes of a block's head: length, number of records, checksum of both and of what
/// follows. The end of a file is a block of length zero.
pub(super) const HEAD: usize = 16;
/// The memory for records that exceed a block's size.
const SLACK: usize = 4096;

/// The checksum of a block: of its numbers and its records.
pub(super) fn sum_of(len: u32, n_records: u64, records: &[u8]) -> u32 {
    let mut hasher = crc32fast::Hasher::new();
    hasher.update(&len.to_le_bytes());
    hasher.update(&n_records.to_le_bytes());
    hasher.update(records);
    hasher.finalize()
}

#[derive(Debug)]
struct Bucket {
    file: Appender,
    /// The head of a block, to be filled in later, and its records.
    block: Vec<u8>,
    n_here: u64,
    n_records: u64,
}

impl Bucket {
    fn flush(&mut self) -> Result<()> {
        let too_long = |_| Error::internal("a block of records is too long");
        let len = u32::try_from(self.block.len() - HEAD).map_err(too_long)?;
        let sum = sum_of(len, self.n_here, &self.block[HEAD..]);
        self.block[..4].copy_from_slice(&len.to_le_bytes());
        self.block[4..12].copy_from_slice(&self.n_here.to_le_bytes());
        self.block[12..HEAD].copy_from_slice(&sum.to_le_bytes());
        self.file.append(&self.block)?;
        self.block.truncate(HEAD);
        self.n_here = 0;
        Ok(())
    }
}

/// Appends records to buckets. All files are removed when it is dropped without being finished.
#[derive(Debug)]
pub struct RunWriter {
    folder: SpillFolder,
    buckets: Vec<Bucket>,
    memory: Reservation,
}

impl RunWriter {
    /// Create `n_buckets` buckets in a folder.
    pub fn create(folder: &SpillFolder, n_buckets: usize) -> Result<Self> {
        let memory = folder.accountant().plan("buckets of records", Self::memory(n_buckets))?;
        let bucket = |_| {
            let mut file = Appender::create(folder, "run")?;
            file.append(MAGIC)?;
            Ok(Bucket { file, block: vec![0; HEAD], n_here: 0, n_records: 0 })
        };
        let buckets = (0..n_buckets).map(bucket).collect::<Result<_>>()?;
        Ok(RunWriter { folder: folder.clone(), buckets, memory })
    }

    /// The memory that `n_buckets` buckets take: a block each, and the magic word that a file holds
    /// back.
    pub fn memory(n_buckets: usize) -> u64 {
        (n_buckets * (2 * BLOCK + SLACK)) as u64
    }

    /// Append a record to a bucket.
    pub fn push(&mut self, bucket: usize, record: &[u8]) -> Result<()> {
        let bucket = &mut self.buckets[bucket];
        let block = &mut bucket.block;
        let wanted = block.len() + record.len() + 10;
        if wanted > block.capacity() {
            let room = wanted.max(BLOCK + SLACK);
            // Only records that are longer than the slack get here again.
            self.memory.rebook(self.memory.bytes() + (room - (BLOCK + SLACK)) as u64);
            block.reserve_exact(room - block.len());
        }
        let mut len = record.len();
        while len >= 0x80 {
            block.push(len as u8 | 0x80);
            len >>= 7;
        }
        block.push(len as u8);
        block.extend_from_slice(record);
        bucket.n_here += 1;
        bucket.n_records += 1;
        if block.len() >= BLOCK { bucket.flush() } else { Ok(()) }
    }

    /// Write the rest. With `sync` it outlasts a crash, because a manifest will name it.
    pub fn finish(self, sync: bool) -> Result<Vec<Run>> {
        let folder = self.folder;
        let finish = |mut bucket: Bucket| {
            if bucket.n_here > 0 {
                bucket.flush()?;
            }
            bucket.n_here = bucket.n_records;
            bucket.flush()?;
            let path = bucket.file.finish(sync)?;
            Ok(Run { folder: folder.clone(), path, n_records: bucket.n_records, is_kept: false })
        };
        self.buckets.into_iter().map(finish).collect()
    }
}

/// A bucket that is complete. Its file is removed when it is dropped, unless it is kept.
#[derive(Debug)]
pub struct Run {
    folder: SpillFolder,
    path: PathBuf,
    n_records: u64,
    is_kept: bool,
}

impl Run {
    /// A bucket of an earlier run, by the name of its file in the folder. The file is kept until
    /// [`Run::kept`] says otherwise.
    pub fn open(folder: &SpillFolder, name: &str) -> Result<Self> {
        let path = folder.path().join(name);
        let n_records = RunReader::open(&path, folder.accountant(), folder.counts())?.n_records();
        Ok(Run { folder: folder.clone(), path, n_records, is_kept: true })
    }

    /// Set whether the file is kept when this is dropped, because a manifest names it.
    #[must_use]
    pub fn kept(mut self, is_kept: bool) -> Self {
        self.is_kept = is_kept;
        self
    }

    /// The number of records.
    pub fn n_records(&self) -> u64 {
        self.n_records
    }
    /// The path of the file.
    pub fn path(&self) -> &Path {
        &self.path
    }
    /// The name of the file in the folder, for a manifest.
    pub fn name(&self) -> String {
        self.path.file_name().map_or_else(String::new, |name| name.to_string_lossy().into_owned())
    }

    /// Read the records in the order in which they were added.
    pub fn read(&self) -> Result<RunReader<'_>> {
        let reader = RunReader::open(&self.path, self.folder.accountant(), self.folder.counts())?;
        if reader.n_records() != self.n_records {
            return Err(damaged(&self.path, "it has another number of records than were written"));
        }
        Ok(reader)
    }
}

impl Drop for Run {
    fn drop(&mut self) {
        if !self.is_kept {
            let _ = steps::remove_file(&self.path);
        }
    }
}
