//! Random choices from the task's seed. An algorithm draws on one thread, so that the same seed
//! gives the same choices.

use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::{Rng, SeedableRng};

/// A stream of random numbers.
pub struct Seeded(ChaCha8Rng);

impl Seeded {
    /// Make the stream of a seed.
    pub fn new(seed: u64) -> Self {
        Seeded(ChaCha8Rng::seed_from_u64(seed))
    }

    /// A number below `n`, which must be at least 1. The bias of one in 2^64 / n doesn't matter for
    /// choosing where to begin.
    pub fn below(&mut self, n: usize) -> usize {
        ((u128::from(self.0.next_u64()) * n as u128) >> 64) as usize
    }

    /// Shuffle items.
    pub fn shuffle<T>(&mut self, items: &mut [T]) {
        for place in (1..items.len()).rev() {
            items.swap(place, self.below(place + 1));
        }
    }
}
