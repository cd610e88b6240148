//! The random numbers of a perturbation: from the operating system unless the job has a seed.

use rand_chacha::ChaCha20Rng;
use rand_chacha::rand_core::Rng as _;
use statrs::distribution::{ContinuousCDF as _, Normal};

/// A stream of random numbers.
pub struct Draws(pub ChaCha20Rng);

impl Draws {
    /// A number strictly between 0 and 1.
    pub fn uniform(&mut self) -> f64 {
        // 53 bits are what a float holds; the half keeps both ends out.
        ((self.0.next_u64() >> 11) as f64 + 0.5) / (1u64 << 53) as f64
    }

    /// A whole number below `n`, each exactly as likely.
    pub fn below(&mut self, n: u64) -> u64 {
        // Draws that would favour some numbers are made again.
        let most = u64::MAX - u64::MAX % n;
        loop {
            let drawn = self.0.next_u64();
            if drawn < most {
                return drawn % n;
            }
        }
    }

    /// A draw from the normal distribution with mean 0 and standard deviation 1.
    pub fn normal(&mut self) -> f64 {
        let standard = Normal::new(0.0, 1.0).expect("a standard deviation of 1 is allowed");
        standard.inverse_cdf(self.uniform())
    }

    /// A draw from the Laplace distribution with mean 0 and standard deviation 1.
    pub fn laplace(&mut self) -> f64 {
        let (scale, centred) = (0.5f64.sqrt(), self.uniform() - 0.5);
        -scale * centred.signum() * (1.0 - 2.0 * centred.abs()).ln()
    }
}

#[cfg(test)]
mod tests {
    use rand_chacha::rand_core::SeedableRng as _;

    use super::*;

    #[test]
    fn draws_have_mean_0_and_variance_1() {
        let mut draws = Draws(ChaCha20Rng::seed_from_u64(1));
        for draw in [Draws::normal, Draws::laplace] {
            let all: Vec<f64> = (0..20_000).map(|_| draw(&mut draws)).collect();
            let mean = all.iter().sum::<f64>() / all.len() as f64;
            let variance =
                all.iter().map(|x| (x - mean) * (x - mean)).sum::<f64>() / all.len() as f64;
            // Five standard errors: 5 / sqrt(20,000) is 0.035; the variance of a square is at most
            // 5.
            assert!(mean.abs() < 0.036, "{mean}");
            assert!((variance - 1.0).abs() < 0.08, "{variance}");
        }
    }
}
