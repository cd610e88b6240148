//! Random choices by seed, for samples and orders.

use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::{Rng as _, SeedableRng as _};

/// A stream of random numbers.
pub struct RandomStream(ChaCha8Rng);

impl RandomStream {
    /// The stream of a seed.
    pub fn new(seed: u64) -> Self {
        RandomStream(ChaCha8Rng::seed_from_u64(seed))
    }

    /// A number below `n`, which is at least 1. The bias of n in 2^64 doesn't matter here.
    pub fn below(&mut self, n: usize) -> usize {
        ((u128::from(self.0.next_u64()) * n as u128) >> 64) as usize
    }

    /// The numbers `0..n` in random order.
    pub fn order(&mut self, n: usize) -> Vec<usize> {
        let mut order: Vec<usize> = (0..n).collect();
        for place in (1..n).rev() {
            order.swap(place, self.below(place + 1));
        }
        order
    }
}
