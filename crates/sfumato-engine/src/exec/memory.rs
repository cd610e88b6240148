//! Partitions in memory: exactly one, which is what was read.

use rand_chacha::ChaCha20Rng;
use sfumato_core::{Error, Result};
use sfumato_io::spill::SpillFolder;

use super::Partitions;
use crate::random::generator;

/// The one partition of a run in memory. It stays where it was read; what was decided about it is
/// kept here.
#[derive(Debug)]
pub struct Memory<D> {
    seed: Option<u64>,
    decision: Option<D>,
}

impl<D> Memory<D> {
    /// Nothing is decided yet. The seed is that of the job.
    pub fn new(seed: Option<u64>) -> Self {
        Memory { seed, decision: None }
    }
}

impl<P, D> Partitions<P, D> for Memory<D> {
    fn count(&self) -> usize {
        1
    }
    fn load(&self, _: usize) -> Result<Option<P>> {
        Ok(None)
    }
    fn decided(&self, _: usize) -> Result<Option<D>> {
        Ok(None)
    }
    fn note(&mut self, _: usize, _: &P, _: &D, _: Option<String>) -> Result<()> {
        Ok(())
    }
    fn cut_short(&self) -> Option<String> {
        None
    }
    fn give_back(&mut self, _: usize, decision: D) {
        self.decision = Some(decision);
    }
    fn held(&self) -> Option<&D> {
        self.decision.as_ref()
    }
    fn random(&self, _: usize) -> Result<ChaCha20Rng> {
        match (self.seed, &self.decision) {
            // What the operating system gives can't be had twice.
            (None, Some(_)) => Err(Error::internal("random numbers were asked for again")),
            (seed, _) => generator(seed),
        }
    }
    fn scratch(&self) -> Option<(&SpillFolder, u64)> {
        None
    }
    fn committed(&self) {}
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn memory_is_one_partition_that_is_lent() {
        let mut memory = Memory::new(Some(1));
        let store: &mut dyn Partitions<Vec<u32>, &str> = &mut memory;
        assert_eq!((store.count(), store.load(0).unwrap(), store.held()), (1, None, None));
        store.note(0, &vec![1], &"decided", None).unwrap();
        assert_eq!(store.decided(0).unwrap(), None, "nothing is written down");
        store.give_back(0, "decided");
        assert_eq!(store.held(), Some(&"decided"));
        assert!(store.scratch().is_none());
    }

    #[test]
    fn numbers_of_the_operating_system_are_drawn_once() {
        let mut memory: Memory<()> = Memory::new(None);
        let store: &mut dyn Partitions<(), ()> = &mut memory;
        assert!(store.random(0).is_ok());
        store.give_back(0, ());
        assert!(store.random(0).is_err());
    }
}
