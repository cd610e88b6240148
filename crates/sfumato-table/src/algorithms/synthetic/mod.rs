//! Algorithms that publish made-up records: one file each. What they make depends on the original
//! only through what they measured of it.

mod records;
mod tables;
mod tree;
mod update;

pub use records::Records;
pub use tables::{Measured, Measurement, nearest};

use rand_chacha::ChaCha20Rng;
use sfumato_core::Result;
use sfumato_core::registry::{self, Info, Params};

/// An algorithm that measures records and makes up others.
pub trait SynthesizingAlgorithm: Sync {
    /// The name, summary and parameters of the algorithm.
    fn info(&self) -> &'static Info;
    /// What is measured of the records, with noise.
    fn measure(
        &self,
        params: &Params,
        records: &Records,
        random: &mut ChaCha20Rng,
    ) -> Result<Measured>;
    /// The made-up records, column by column. Nothing is known here but what was measured.
    fn generate(
        &self,
        params: &Params,
        measured: &Measured,
        random: &mut ChaCha20Rng,
    ) -> Vec<Vec<u32>>;
    /// What is wrong with what was measured, in words, if something is: more than the budget was
    /// spent, or the noise isn't what was said.
    fn fault(&self, params: &Params, records: &Records, measured: &Measured) -> Option<String>;
}

sfumato_core::registry! {
    /// Every algorithm that makes up records.
    dyn SynthesizingAlgorithm:
    dp_marginals::DpMarginals,
}

/// Find an algorithm by its name. The error for an unknown name hints at similar names.
pub fn find(name: &str) -> Result<&'static dyn SynthesizingAlgorithm> {
    registry::find("synthetic-algorithm", ALL, |algorithm| algorithm.info(), name)
}

/// Whether a name is that of a synthesizing algorithm.
pub fn is_one(name: &str) -> bool {
    ALL.iter().any(|algorithm| algorithm.info().name == name)
}
