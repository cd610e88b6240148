//! Noise of whole numbers: y with a probability in proportion to exp(-|y| s / t), drawn exactly, by
//! comparing whole numbers alone (Canonne, Kamath and Steinke, 2020). No rounding of real numbers
//! can tell what is below the noise.

use rand_chacha::ChaCha20Rng;
use rand_chacha::rand_core::Rng as _;

/// The noise: s and t, whole numbers above 0.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct DiscreteLaplace {
    /// The part above: the budget.
    pub s: u64,
    /// The part below: the sensitivity.
    pub t: u64,
}

impl DiscreteLaplace {
    /// Draw a number.
    pub fn draw(&self, random: &mut ChaCha20Rng) -> i64 {
        loop {
            let u = below(u128::from(self.t), random) as u64;
            if !bernoulli_exp(u, self.t, random) {
                continue;
            }
            let mut v = 0u64;
            while bernoulli_exp(1, 1, random) {
                v += 1;
            }
            let x = u128::from(u) + u128::from(self.t) * u128::from(v);
            let y = i64::try_from(x / u128::from(self.s)).unwrap_or(i64::MAX);
            let is_negative = below(2, random) == 1;
            // Without this nothing would be drawn twice as often as it should.
            if is_negative && y == 0 {
                continue;
            }
            return if is_negative { -y } else { y };
        }
    }

    /// The probability that nothing is added.
    pub fn zero(&self) -> f64 {
        (self.s as f64 / self.t as f64 / 2.0).tanh()
    }

    /// The mean size of the noise.
    pub fn mean_size(&self) -> f64 {
        let a = self.s as f64 / self.t as f64;
        1.0 / a.sinh()
    }
}

/// A number below `n`, each exactly as likely.
pub fn below(n: u128, random: &mut ChaCha20Rng) -> u128 {
    // Draws that would favour some numbers are made again.
    let most = u128::MAX - u128::MAX % n;
    loop {
        let drawn = u128::from(random.next_u64()) << 64 | u128::from(random.next_u64());
        if drawn < most {
            return drawn % n;
        }
    }
}

/// True with the probability exp(-a / b), for a at most b.
pub fn bernoulli_exp(a: u64, b: u64, random: &mut ChaCha20Rng) -> bool {
    let mut k = 1u128;
    // The series of exp, term by term.
    while below(u128::from(b) * k, random) < u128::from(a) {
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
        let mut random = ChaCha20Rng::seed_from_u64(5);
        for (s, t) in [(1, 1), (1, 3), (5, 2)] {
            let noise = DiscreteLaplace { s, t };
            let draws: Vec<i64> = (0..20_000).map(|_| noise.draw(&mut random)).collect();
            let n = draws.len() as f64;
            for y in -4i64..=4 {
                let p = noise.zero() * (-(y.unsigned_abs() as f64) * s as f64 / t as f64).exp();
                let found = draws.iter().filter(|drawn| **drawn == y).count() as f64;
                let spread = (n * p * (1.0 - p)).sqrt();
                assert!(
                    (found - n * p).abs() < 5.0 * spread + 1.0,
                    "{s}/{t}: {y} {found} {}",
                    n * p
                );
            }
            let size = draws.iter().map(|y| y.unsigned_abs() as f64).sum::<f64>() / n;
            assert!((size - noise.mean_size()).abs() < 0.05 * (1.0 + noise.mean_size()));
        }
    }
}
