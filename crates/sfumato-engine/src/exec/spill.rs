//! Partitions on disk: loaded one at a time, and noted when they are decided.

use rand_chacha::ChaCha20Rng;
use sfumato_core::{Error, Result};
use sfumato_io::spill::{SpillFolder, write_manifest};
use sfumato_io::steps;

use super::spill_run::{DECIDED, Notes, PARTITIONS};
use super::{Partitions, Secret};

/// What a kind brings: how its partitions are loaded, and how a decision is written down.
pub trait Shelf<P, D> {
    /// How many partitions there are.
    fn count(&self) -> usize;
    /// Load a partition, in the order in which its records were stored.
    fn load(&self, at: usize) -> Result<P>;
    /// Write a decision to a file of the folder, and give the name of the file.
    fn write(&self, folder: &SpillFolder, partition: &P, decision: &D) -> Result<String>;
    /// Read a decision from the file of that name.
    fn read(&self, folder: &SpillFolder, name: &str) -> Result<D>;
}

/// Partitions on disk.
pub struct Spilled<S> {
    /// How they are loaded.
    pub shelf: S,
    /// The folder that the partitions are in.
    pub folder: SpillFolder,
    /// Bytes of memory that are allowed.
    pub limit: u64,
    /// Where random numbers come from.
    pub secret: Secret,
    /// What is decided so far.
    pub notes: Notes,
}

impl<P, D, S: Shelf<P, D>> Partitions<P, D> for Spilled<S> {
    fn count(&self) -> usize {
        self.shelf.count()
    }
    fn load(&self, at: usize) -> Result<Option<P>> {
        self.shelf.load(at).map(Some)
    }
    fn decided(&self, at: usize) -> Result<Option<D>> {
        self.notes.files.get(at).map(|note| self.shelf.read(&self.folder, note)).transpose()
    }
    fn note(
        &mut self,
        at: usize,
        partition: &P,
        decision: &D,
        cut_short: Option<String>,
    ) -> Result<()> {
        if at != self.notes.files.len() {
            return Err(Error::internal("partitions were decided out of order"));
        }
        self.notes.files.push(self.shelf.write(&self.folder, partition, decision)?);
        // The first remark says when the search was cut short.
        self.notes.cut_short = self.notes.cut_short.take().or(cut_short);
        write_manifest(&self.folder, DECIDED, &self.notes)
    }
    fn cut_short(&self) -> Option<String> {
        self.notes.cut_short.clone()
    }
    fn give_back(&mut self, _: usize, _: D) {}
    fn held(&self) -> Option<&D> {
        None
    }
    fn random(&self, at: usize) -> Result<ChaCha20Rng> {
        Ok(self.secret.of_partition(at as u64))
    }
    fn scratch(&self) -> Option<(&SpillFolder, u64)> {
        Some((&self.folder, self.limit))
    }
    fn committed(&self) {
        for name in [PARTITIONS, DECIDED] {
            // It goes with the folder if not now.
            let _ = steps::remove_file(&self.folder.path().join(name));
        }
    }
}
