//! Noise of whole numbers: y with a probability in proportion to exp(-y² / 2s), drawn exactly, by
//! comparing whole numbers alone (Canonne, Kamath and Steinke, 2020).

use rand_chacha::ChaCha20Rng;

use crate::discrete_laplace::{DiscreteLaplace, below, bernoulli_exp};

/// The noise: about its variance, a whole number above 0 and at most [`DiscreteGaussian::MOST`].
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct DiscreteGaussian {
    /// The parameter s.
    pub s: u64,
}

impl DiscreteGaussian {
    /// The largest parameter: beyond it whole numbers of 64 bits wouldn't be enough.
    pub const MOST: u64 = 1_000_000_000;

    /// Draw a number.
    pub fn draw(&self, random: &mut ChaCha20Rng) -> i64 {
        let t = self.s.isqrt() + 1;
        let wider = DiscreteLaplace { s: 1, t };
        loop {
            let y = wider.draw(random);
            // (|y| - s / t)² / 2s, with whole numbers above and below.
            let off =
                (i128::from(y.unsigned_abs()) * i128::from(t) - i128::from(self.s)).unsigned_abs();
            let divisor = 2 * u128::from(self.s) * u128::from(t) * u128::from(t);
            if with_chance_exp(off.saturating_mul(off), divisor, random) {
                return y;
            }
        }
    }

    /// The probability that nothing is added.
    pub fn zero(&self) -> f64 {
        let s = self.s as f64;
        let most = (40.0 * s.sqrt()) as i64 + 40;
        let sum: f64 = (1..=most).map(|y| (-((y * y) as f64) / (2.0 * s)).exp()).sum();
        1.0 / (1.0 + 2.0 * sum)
    }
}

/// True with the probability exp(-a / b).
pub fn with_chance_exp(a: u128, b: u128, random: &mut ChaCha20Rng) -> bool {
    let (whole, rest) = (a / b, a % b);
    // exp(-1) so often, until the first time that it fails.
    for _ in 0..whole {
        if !bernoulli_exp(1, 1, random) {
            return false;
        }
    }
    let mut k = 1u128;
    // The series of exp, term by term: rest / (b k).
    while below(b * k, random) < rest {
        k += 1;
    }
    k % 2 == 1
}

#[cfg(test)]
mod tests {
    use rand_chacha::rand_core::SeedableRng as _;

    use super::*;

    #[test]
    fn numbers_are_as_frequent_as_they_should_be() {
        let mut random = ChaCha20Rng::seed_from_u64(6);
        for s in [1u64, 3, 50] {
            let noise = DiscreteGaussian { s };
            let n = 20_000;
            let draws: Vec<i64> = (0..n).map(|_| noise.draw(&mut random)).collect();
            for y in -8i64..=8 {
                let p = noise.zero() * (-((y * y) as f64) / (2.0 * s as f64)).exp();
                let found = draws.iter().filter(|drawn| **drawn == y).count() as f64;
                let expected = f64::from(n) * p;
                let spread = (expected * (1.0 - p)).sqrt();
                assert!(
                    (found - expected).abs() < 5.0 * spread + 1.0,
                    "{s}: {y} {found} {expected}"
                );
            }
        }
    }

    /// How much likelier than exp(epsilon) times some event is beside a neighbour, at most, for a
    /// count that one person changes by one, over events `at least t`.
    fn beyond(noise: DiscreteGaussian, epsilon: f64, random: &mut ChaCha20Rng) -> f64 {
        let n = 60_000;
        let mut with: Vec<i64> = (0..n).map(|_| noise.draw(random) + 1).collect();
        let mut without: Vec<i64> = (0..n).map(|_| noise.draw(random)).collect();
        with.sort_unstable();
        without.sort_unstable();
        let at_least = |all: &[i64], t: i64| {
            (all.len() - all.partition_point(|y| *y < t)) as f64 / f64::from(n)
        };
        (-20..20)
            .map(|t| at_least(&with, t) - epsilon.exp() * at_least(&without, t))
            .fold(0.0, f64::max)
    }

    #[test]
    fn the_ratio_holds_and_that_of_a_broken_mechanism_does_not() {
        let mut random = ChaCha20Rng::seed_from_u64(7);
        // One person changes a count by one: with s the loss is rho = 1 / 2s.
        let (s, epsilon) = (4u64, 1.0);
        let delta = crate::concentrated::delta(0.5 / s as f64, epsilon);
        // Five standard errors of both shares, the second of which counts exp(epsilon) times.
        let chance = 5.0 * (0.5f64 / 60_000.0).sqrt() * 2.0;
        assert!(delta + chance < 0.06, "{delta}");
        let found = beyond(DiscreteGaussian { s }, epsilon, &mut random);
        assert!(found <= delta + chance, "{found} {delta}");
        // Noise of a quarter of the standard deviation, said to be the same.
        let broken = beyond(DiscreteGaussian { s: 1 }, epsilon, &mut random);
        assert!(broken > delta + chance, "{broken} {delta}");
    }
}
