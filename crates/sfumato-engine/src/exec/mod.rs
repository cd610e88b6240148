//! Where the records of a run are: in memory, which is one partition, or on disk in several.
//!
//! The pipeline loops over partitions and doesn't know which it is. A kind that can lie on disk
//! says how a partition is loaded; everything else about a run that spills is here: its folder, its
//! random numbers, and what a killed run left.

mod budget;
mod memory;
mod secret;
mod spill;
mod spill_run;
#[cfg(test)]
mod tests;

pub use budget::{Budget, RESIDENT, check_budget, for_data};
pub use memory::Memory;
pub use secret::Secret;
pub use spill::{Shelf, Spilled};
pub use spill_run::{Division, Notes, SpillRun, forget_left};

use rand_chacha::ChaCha20Rng;
use sfumato_core::Result;
use sfumato_io::spill::SpillFolder;

/// How a form needs the records that it publishes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Records {
    /// All of them in memory: there is one partition, and no limit of memory can be kept.
    AtOnce,
    /// All of them in memory, and within a limit: the kind refuses to read what needs more.
    IfTheyFit,
    /// One partition after the other.
    ByPartition,
}

/// The partitions of a run, in the order in which they leave. `P` is a partition, which is data of
/// the kind, and `D` what was decided about one.
pub trait Partitions<P, D> {
    /// How many there are.
    fn count(&self) -> usize;
    /// Take one into memory, in the order in which its records were stored. `None` if it is what
    /// was read and is in memory already: it is lent, never copied.
    fn load(&self, at: usize) -> Result<Option<P>>;
    /// What was decided about a partition and written down, by this run or by one that was killed.
    fn decided(&self, at: usize) -> Result<Option<D>>;
    /// Write down what was decided about a partition, so that it survives a kill, with the remark
    /// that the search was cut short if it was.
    fn note(
        &mut self,
        at: usize,
        partition: &P,
        decision: &D,
        cut_short: Option<String>,
    ) -> Result<()>;
    /// The remark that a search was cut short whose decisions were written down, also by a run that
    /// was killed.
    fn cut_short(&self) -> Option<String>;
    /// A partition was written. In memory the decision is kept; on disk it was written down.
    fn give_back(&mut self, at: usize, decision: D);
    /// The decision, where the one partition is in memory.
    fn held(&self) -> Option<&D>;
    /// The random numbers of a partition: the same ones each time.
    fn random(&self, at: usize) -> Result<ChaCha20Rng>;
    /// Where what doesn't fit can go, and how many bytes of memory are allowed. `None` if
    /// everything is in memory.
    fn scratch(&self) -> Option<(&SpillFolder, u64)>;
    /// The release has its name: nothing that was written down is wanted any more.
    fn committed(&self);
}
