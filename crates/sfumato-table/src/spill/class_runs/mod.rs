//! Groups the classes of a release that don't fit into memory by their published values: they are
//! held as long as they fit, then put into buckets by the hash of their keys, and merged bucket by
//! bucket.
//!
//! Keys are compared in full: a hash decides where a class waits, never what it is. Nothing depends
//! on how much fits.

mod evaluate;
mod held;
mod key;
#[cfg(test)]
mod tests;

pub use evaluate::Grouped;
pub use key::{key_of, put_text, take_text};

use held::{Held, damaged, hash};
use rayon::prelude::*;
use sfumato_core::group::{Summary, put_number, take_number};
use sfumato_core::{Error, Result};
use sfumato_io::spill::{Run, RunWriter, SpillFolder};

/// The smallest number of buckets of one level.
const FEWEST: u64 = 4;
const MOST: u64 = 64;
/// The number of slots that one piece of work visits.
const SLOTS: usize = 1 << 15;
/// The share of the classes' memory that they have even where nothing is left.
const FEW: u64 = 4;
/// The deepest level. Hashes of different levels are independent, so at this level there must be
/// one class that doesn't fit.
const DEEPEST: u32 = 24;

/// Classes, identified by their keys.
#[derive(Debug)]
pub struct ClassRuns {
    folder: SpillFolder,
    limit: u64,
    level: u32,
    n_buckets: usize,
    held: Held,
    writer: Option<RunWriter>,
    packed: Vec<u8>,
}

impl ClassRuns {
    /// A structure without classes. Classes and the buffers of their buckets take at most `limit`
    /// bytes of the folder's budget, as far as buffers can be that small.
    pub fn new(folder: &SpillFolder, limit: u64) -> Result<Self> {
        Self::of_level(folder, limit, 0)
    }

    fn of_level(folder: &SpillFolder, limit: u64, level: u32) -> Result<Self> {
        let n_buckets = (limit / 4 / RunWriter::memory(1)).clamp(FEWEST, MOST) as usize;
        let for_held = limit.saturating_sub(RunWriter::memory(n_buckets)).max(limit / 4);
        // Whatever else is held, a few classes are held too; the others wait in buckets.
        let left = folder.accountant().left().saturating_sub(RunWriter::memory(n_buckets));
        let for_held = for_held.min(left.max(for_held / FEW));
        let memory = folder.accountant().book("classes", for_held);
        let held = Held::new(level, for_held, memory);
        Ok(ClassRuns {
            folder: folder.clone(),
            limit,
            level,
            n_buckets,
            held,
            writer: None,
            packed: Vec::new(),
        })
    }

    /// Bytes that classes may take.
    pub fn limit(&self) -> u64 {
        self.limit
    }

    /// Add a class, or a part of one, by its key: those with equal keys are merged.
    pub fn add_key(&mut self, key: &[u8], summary: &Summary) -> Result<()> {
        let mut packed = std::mem::take(&mut self.packed);
        packed.clear();
        summary.pack(&mut packed);
        let added = self.add_packed(key, &packed);
        self.packed = packed;
        added
    }

    fn add_packed(&mut self, key: &[u8], packed: &[u8]) -> Result<()> {
        if self.held.add(key, packed)? {
            return Ok(());
        }
        if self.level > DEEPEST {
            return Err(Error::resources("a class is larger than the memory allowed")
                .hint("raise --memory"));
        }
        self.spill()?;
        match self.held.add(key, packed)? {
            true => Ok(()),
            false => Err(Error::internal("there is no room for a single class")),
        }
    }

    /// Put all classes in memory into buckets.
    fn spill(&mut self) -> Result<()> {
        let writer = match &mut self.writer {
            Some(writer) => writer,
            None => self.writer.insert(RunWriter::create(&self.folder, self.n_buckets)?),
        };
        let (level, n_buckets) = (self.level, self.n_buckets as u64);
        let mut record = Vec::new();
        self.held.visit(0..self.held.n_slots(), |key, packed| {
            record.clear();
            put_number(&mut record, key.len() as u64);
            record.extend_from_slice(key);
            record.extend_from_slice(packed);
            // Other bits than those that place a class in memory.
            writer.push((hash(level, key) >> 32) as usize % n_buckets as usize, &record)
        })?;
        self.held.clear();
        Ok(())
    }

    /// Whether any class was put into a bucket.
    #[cfg(test)]
    pub fn has_spilled(&self) -> bool {
        self.writer.is_some()
    }

    /// The buckets, if there are any. They contain all classes, and the memory is free.
    fn buckets(mut self) -> Result<HashedClasses> {
        if self.writer.is_some() {
            self.spill()?;
        }
        Ok(match self.writer {
            None => HashedClasses::Held(self.held),
            Some(writer) => HashedClasses::Runs(writer.finish(false)?),
        })
    }

    /// Visit every class once, with its summary.
    pub fn visit(self, visit: &mut dyn FnMut(&[u8], &Summary) -> Result<()>) -> Result<()> {
        let (folder, limit, level) = (self.folder.clone(), self.limit, self.level);
        match self.buckets()? {
            HashedClasses::Held(held) => {
                held.visit(0..held.n_slots(), |key, packed| visit(key, &unpack(packed)?))
            }
            HashedClasses::Runs(runs) => {
                runs.into_iter().try_for_each(|run| load(&folder, run, limit, level)?.visit(visit))
            }
        }
    }

    /// Visit every class once, with its summary: several at the same time, in parts that begin with
    /// `begin`. The parts are the same for any number of threads; their number and content have no
    /// meaning.
    pub fn fold<A: Send>(
        self,
        begin: &(impl Fn() -> A + Sync),
        add: &(impl Fn(&mut A, &[u8], &Summary) -> Result<()> + Sync),
    ) -> Result<Vec<A>> {
        let (folder, limit, level) = (self.folder.clone(), self.limit, self.level);
        match self.buckets()? {
            HashedClasses::Held(held) => (0..held.n_slots().div_ceil(SLOTS))
                .into_par_iter()
                .map(|piece| {
                    let mut part = begin();
                    let slots = piece * SLOTS..((piece + 1) * SLOTS).min(held.n_slots());
                    held.visit(slots, |key, packed| add(&mut part, key, &unpack(packed)?))?;
                    Ok(part)
                })
                .collect(),
            HashedClasses::Runs(runs) => {
                // Classes of one bucket are looked at by all threads; only their loading waits for
                // the disk.
                let mut parts = Vec::new();
                for run in runs {
                    parts.extend(load(&folder, run, limit, level)?.fold(begin, add)?);
                }
                Ok(parts)
            }
        }
    }
}

enum HashedClasses {
    Held(Held),
    Runs(Vec<Run>),
}

/// The classes of a bucket.
fn load(folder: &SpillFolder, run: Run, limit: u64, level: u32) -> Result<ClassRuns> {
    let mut classes = ClassRuns::of_level(folder, limit, level + 1)?;
    let mut reader = run.read()?;
    while let Some(record) = reader.next_record()? {
        let mut rest = record;
        let key = usize::try_from(take_number(&mut rest).ok_or_else(damaged)?).ok();
        let (key, packed) = key.and_then(|len| rest.split_at_checked(len)).ok_or_else(damaged)?;
        classes.add_packed(key, packed)?;
    }
    Ok(classes)
}

fn unpack(mut packed: &[u8]) -> Result<Summary> {
    Summary::unpack(&mut packed).ok_or_else(damaged)
}
