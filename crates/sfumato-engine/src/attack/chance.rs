//! The random choices of an attacker. A seed repeats them.

use rand_chacha::ChaCha20Rng;
use rand_chacha::rand_core::{Rng as _, SeedableRng as _};

/// Random choices that start from a seed.
#[derive(Debug, Clone)]
pub struct Chance(ChaCha20Rng);

impl Chance {
    /// Random choices from a seed.
    pub fn new(seed: u64) -> Self {
        Chance(ChaCha20Rng::seed_from_u64(seed))
    }

    /// A number below `n`, each equally likely; 0 if there is none.
    pub fn below(&mut self, n: usize) -> usize {
        if n <= 1 {
            return 0;
        }
        let n = n as u64;
        // Draws that would favour some numbers are made again.
        let most = u64::MAX - u64::MAX % n;
        loop {
            let drawn = self.0.next_u64();
            if drawn < most {
                return (drawn % n) as usize;
            }
        }
    }

    /// A number from 0 to below 1.
    pub fn share(&mut self) -> f64 {
        (self.0.next_u64() >> 11) as f64 / (1u64 << 53) as f64
    }

    /// Shuffle a list.
    pub fn shuffle<T>(&mut self, list: &mut [T]) {
        for last in (1..list.len()).rev() {
            list.swap(last, self.below(last + 1));
        }
    }

    /// At most `n` different numbers below `of`, ascending: all of them if there aren't more.
    pub fn sample(&mut self, n: usize, of: usize) -> Vec<u32> {
        let mut all: Vec<u32> = (0..of as u32).collect();
        for place in 0..n.min(of) {
            let other = place + self.below(of - place);
            all.swap(place, other);
        }
        all.truncate(n);
        all.sort_unstable();
        all
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_seed_repeats_choices_and_samples_have_no_doubles() {
        let draw = |seed| {
            let mut chance = Chance::new(seed);
            (chance.below(1000), chance.share(), chance.sample(20, 100))
        };
        assert_eq!(draw(3), draw(3));
        assert_ne!(draw(3), draw(4));
        let mut sample = draw(3).2;
        sample.dedup();
        assert_eq!(sample.len(), 20);
        assert_eq!(Chance::new(1).sample(9, 4), [0, 1, 2, 3]);
        assert_eq!(Chance::new(1).below(0), 0);
        // 3 numbers, 6,000 draws: each about 2,000 times (5 standard deviations are 183).
        let mut chance = Chance::new(2);
        let mut counts = [0i32; 3];
        (0..6000).for_each(|_| counts[chance.below(3)] += 1);
        assert!(counts.iter().all(|n| (n - 2000).abs() < 183), "{counts:?}");
    }
}
