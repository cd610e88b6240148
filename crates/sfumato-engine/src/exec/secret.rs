//! Random numbers that protect: one secret, a stream of numbers for each partition, so that any of
//! them can be made again.

use rand_chacha::ChaCha20Rng;
use rand_chacha::rand_core::{Rng, SeedableRng};
use sfumato_core::Result;

use crate::random::generator;

/// Where the random numbers of a run come from.
#[derive(Debug, Clone, Copy, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub struct Secret([u8; 32]);

/// The stream that decides the order of partitions.
const ORDER: u64 = u64::MAX;

impl Secret {
    /// From the job's seed, or from the operating system.
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

    /// The numbers that decide in which order partitions leave.
    pub fn of_order(&self) -> ChaCha20Rng {
        self.of_partition(ORDER)
    }

    /// A number to start samples from.
    pub fn number(&self) -> u64 {
        self.of_partition(ORDER - 1).next_u64()
    }
}
