//! Random choices from a seed. Parallel tasks draw from streams of their own.

use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::{Rng, SeedableRng};

/// A stream of random numbers.
pub(crate) struct RandomStream(ChaCha8Rng);

impl RandomStream {
    /// The stream of a seed.
    pub fn new(seed: u64) -> Self {
        Self::stream(seed, 0)
    }

    /// One of the streams of a seed, for a part that may run beside others.
    pub fn stream(seed: u64, stream: u64) -> Self {
        let mut words = ChaCha8Rng::seed_from_u64(seed);
        words.set_stream(stream);
        RandomStream(words)
    }

    /// The stream of a whole key, where the numbers must not be guessed.
    pub fn from_key(key: [u8; 32]) -> Self {
        RandomStream(ChaCha8Rng::from_seed(key))
    }

    /// A number below `n`, which is at least 1. The bias of n in 2^64 doesn't matter for samples.
    pub fn below(&mut self, n: usize) -> usize {
        ((u128::from(self.0.next_u64()) * n as u128) >> 64) as usize
    }

    /// Uniform in `[0, 1)`.
    pub fn unit(&mut self) -> f64 {
        (self.0.next_u64() >> 11) as f64 * (1.0 / (1u64 << 53) as f64)
    }

    /// Normal with mean 0 and variance 1, by Marsaglia's polar method.
    pub fn normal(&mut self) -> f64 {
        loop {
            let (a, b) = (2.0 * self.unit() - 1.0, 2.0 * self.unit() - 1.0);
            let square = a * a + b * b;
            if square > 0.0 && square < 1.0 {
                return a * (-2.0 * square.ln() / square).sqrt();
            }
        }
    }

    /// Put into random order.
    pub fn shuffle<T>(&mut self, items: &mut [T]) {
        for place in (1..items.len()).rev() {
            items.swap(place, self.below(place + 1));
        }
    }

    /// The numbers `0..n` in random order.
    pub fn order(&mut self, n: usize) -> Vec<u32> {
        let mut order: Vec<u32> = (0..n as u32).collect();
        self.shuffle(&mut order);
        order
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn streams_repeat_and_differ() {
        let draw = |seed, stream| RandomStream::stream(seed, stream).order(50);
        assert_eq!(draw(1, 0), draw(1, 0));
        assert_ne!(draw(1, 0), draw(2, 0));
        assert_ne!(draw(1, 0), draw(1, 1));
        let mut sorted = draw(3, 0);
        sorted.sort_unstable();
        assert_eq!(sorted, (0..50).collect::<Vec<u32>>());
    }

    #[test]
    fn draws_have_their_moments() {
        let mut random = RandomStream::new(7);
        let n = 20_000;
        let normal: Vec<f64> = (0..n).map(|_| random.normal()).collect();
        let unit: Vec<f64> = (0..n).map(|_| random.unit()).collect();
        let moments = |draws: &[f64]| crate::matrix::mean_and_deviation(draws);
        let (mean, deviation) = moments(&normal);
        assert!(mean.abs() < 0.03 && (deviation - 1.0).abs() < 0.03);
        let (mean, deviation) = moments(&unit);
        assert!((mean - 0.5).abs() < 0.01 && (deviation - (1.0f64 / 12.0).sqrt()).abs() < 0.01);
        assert!(unit.iter().all(|u| (0.0..1.0).contains(u)));
        assert!((0..1000).all(|_| random.below(3) < 3));
    }
}
