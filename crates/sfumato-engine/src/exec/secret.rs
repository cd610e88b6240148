//! Protecting random numbers: one secret, and a stream of numbers for each partition, so that each
//! stream can be repeated.

use rand_chacha::ChaCha20Rng;
use rand_chacha::rand_core::{Rng, SeedableRng};
use sfumato_core::Result;

use crate::random::generator;

/// The source of the random numbers of a run.
#[derive(Debug, Clone, Copy, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub struct Secret([u8; 32]);

/// The stream that decides the order of partitions.
const ORDER: u64 = u64::MAX;

impl Secret {
    /// Make a secret from the job's seed, or with the operating system's generator.
    pub fn new(seed: Option<u64>) -> Result<Self> {
        let mut bytes = [0; 32];
        generator(seed)?.fill_bytes(&mut bytes);
        Ok(Secret(bytes))
    }

    /// The numbers of a partition.
    pub fn of_partition(&self, number: u64) -> ChaCha20Rng {
        let mut generator = ChaCha20Rng::from_seed(self.0);
        generator.set_stream(number);
        generator
    }

    /// The numbers that decide the order of partitions.
    pub fn of_order(&self) -> ChaCha20Rng {
        self.of_partition(ORDER)
    }

    /// The seed of samples.
    pub fn number(&self) -> u64 {
        self.of_partition(ORDER - 1).next_u64()
    }
}
