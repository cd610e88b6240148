//! Random choices on which a guarantee rests: a cryptographic generator, and unbiased draws.

use rand_chacha::ChaCha20Rng;
use rand_chacha::rand_core::{Rng, SeedableRng};

/// A stream of random numbers.
#[derive(Debug, Clone)]
pub struct RandomStream(Source);

#[derive(Debug, Clone)]
enum Source {
    Stream(Box<ChaCha20Rng>),
    #[cfg(test)]
    Script(script::Script),
}

impl RandomStream {
    /// The stream of a seed, for runs that must be repeatable. Anybody who knows the seed knows the
    /// choices.
    pub fn from_seed(seed: u64) -> Self {
        Self::of(ChaCha20Rng::seed_from_u64(seed))
    }
    /// The stream of a whole key, which the caller takes from the operating system.
    pub fn from_key(key: [u8; 32]) -> Self {
        Self::of(ChaCha20Rng::from_seed(key))
    }
    /// One of the streams of a seed, for a part that may run in parallel with others.
    pub fn stream(seed: u64, stream: u64) -> Self {
        let mut random = ChaCha20Rng::seed_from_u64(seed);
        random.set_stream(stream);
        Self::of(random)
    }

    fn of(stream: ChaCha20Rng) -> Self {
        RandomStream(Source::Stream(Box::new(stream)))
    }

    #[inline]
    fn next(&mut self) -> u32 {
        match &mut self.0 {
            Source::Stream(stream) => stream.next_u32(),
            #[cfg(test)]
            Source::Script(_) => unreachable!("scripts say numbers, not bits"),
        }
    }

    /// A number below `n`, which must be at least 1, each with the same probability (Lemire's
    /// rejection).
    #[inline]
    pub fn below(&mut self, n: usize) -> usize {
        debug_assert!(n >= 1 && u32::try_from(n).is_ok());
        #[cfg(test)]
        if let Source::Script(script) = &mut self.0 {
            return script.below(n);
        }
        let n = n as u32;
        let mut draw = u64::from(self.next()) * u64::from(n);
        if (draw as u32) < n {
            // The lowest 2^32 mod n of each residue would come once too often.
            let surplus = n.wrapping_neg() % n;
            while (draw as u32) < surplus {
                draw = u64::from(self.next()) * u64::from(n);
            }
        }
        (draw >> 32) as usize
    }

    /// The numbers `0..n` in random order.
    pub fn permutation(&mut self, n: usize) -> Vec<u32> {
        let mut numbers: Vec<u32> = (0..n as u32).collect();
        for place in (1..n).rev() {
            numbers.swap(place, self.below(place + 1));
        }
        numbers
    }
}

/// Enumerates all possible random choices, each with its probability, for tests of exact equality.
#[cfg(test)]
pub(crate) mod script {
    use super::{RandomStream, Source};

    /// The choices so far, each with the number of alternatives.
    #[derive(Debug, Clone, Default)]
    pub struct Script {
        chosen: Vec<(usize, usize)>,
        at: usize,
    }

    impl Script {
        pub fn below(&mut self, n: usize) -> usize {
            if self.at == self.chosen.len() {
                self.chosen.push((0, n));
            }
            self.at += 1;
            self.chosen[self.at - 1].0
        }
    }

    /// Run with every sequence of choices. `found` is called with each result and its probability.
    pub fn enumerate<T>(
        mut run: impl FnMut(&mut RandomStream) -> T,
        mut found: impl FnMut(T, f64),
    ) {
        let mut script = Script::default();
        loop {
            let mut random = RandomStream(Source::Script(Script { at: 0, ..script }));
            let result = run(&mut random);
            let Source::Script(done) = random.0 else { return };
            script = done;
            found(result, script.chosen.iter().map(|(_, n)| 1.0 / *n as f64).product());
            // The next sequence: the last choice that can be another.
            while script.chosen.last().is_some_and(|(choice, n)| choice + 1 == *n) {
                script.chosen.pop();
            }
            match script.chosen.last_mut() {
                Some((choice, _)) => *choice += 1,
                None => return,
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_come_equally_often() {
        let mut random = RandomStream::from_seed(1);
        for n in [1, 2, 3, 7, 10] {
            let mut counts = vec![0u32; n];
            (0..20_000).for_each(|_| counts[random.below(n)] += 1);
            let expected = 20_000.0 / n as f64;
            let statistic: f64 =
                counts.iter().map(|count| (f64::from(*count) - expected).powi(2) / expected).sum();
            // The 99.99 % point of the chi-squared distribution with 9 degrees of freedom is 33.7.
            assert!(statistic < 33.7, "{n}: {statistic}");
        }
        let mut numbers = random.permutation(50);
        assert_ne!(numbers, (0..50).collect::<Vec<_>>());
        numbers.sort_unstable();
        assert_eq!(numbers, (0..50).collect::<Vec<_>>());
        assert_ne!(
            RandomStream::stream(1, 1).permutation(50),
            RandomStream::stream(1, 2).permutation(50)
        );
        assert_ne!(
            RandomStream::from_key([1; 32]).permutation(50),
            RandomStream::from_key([2; 32]).permutation(50)
        );
    }
}
