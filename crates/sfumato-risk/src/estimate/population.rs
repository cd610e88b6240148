//! Estimates the size of a class in the population from its size in the sample: the negative
//! binomial estimate of Benedetti and Franconi.
//!
//! Given that f people of a class were drawn, each with probability p, the class has F = f +
//! (failures before the f-th success) people. That is the posterior distribution if a priori
//! classes of size F are as frequent as 1/F. It uses nothing of the data but f and p.

use sfumato_core::traits::ClassSizes;

/// The share of the population that is in the data. It is 1 if no population is given, or one
/// smaller than the data.
pub(super) fn sampling_fraction(sizes: &ClassSizes) -> f64 {
    let people = sizes.people();
    match sizes.population {
        Some(population) if population > people => people as f64 / population as f64,
        _ => 1.0,
    }
}

/// The class size up to which the recurrence is used. Above it, the series is shorter.
const LONG: u64 = 60;

/// The mean of 1/F for a class of f >= 1 people drawn with probability p, `p * integral of u^(f-1)
/// / (p + q u)` with q = 1 - p. It decreases with f, and is 1/f for p = 1.
pub(super) fn mean_reciprocal(f: u64, p: f64) -> f64 {
    let q = 1.0 - p;
    if p >= 1.0 {
        return 1.0 / f as f64;
    }
    if p > 0.5 || f > LONG { p * series(f, q) } else { p * recurrence(f, p, q) }
}

/// Repeated integration by parts: 1/f + 1 q/(f (f+1)) + 1*2 q^2/(f (f+1) (f+2)) + ... All terms are
/// positive, and their ratio `q m/(f+m)` is small if q is small, or while m is small compared with
/// f.
fn series(f: u64, q: f64) -> f64 {
    let f = f as f64;
    let (mut term, mut sum, mut m) = (1.0 / f, 0.0, 0.0);
    while term > sum * f64::EPSILON * 0.01 {
        sum += term;
        m += 1.0;
        term *= q * m / (f + m);
    }
    sum
}

/// The recurrence I(1) = -ln p / q and I(f+1) = (1/f - p I(f)) / q. An error is multiplied by p/q
/// in each step, which is at most 1 here.
fn recurrence(f: u64, p: f64, q: f64) -> f64 {
    let mut integral = -p.ln() / q;
    for i in 1..f {
        integral = (1.0 / i as f64 - p * integral) / q;
    }
    integral
}

#[cfg(test)]
pub(crate) mod tests {
    use super::*;
    use rand_chacha::ChaCha8Rng;
    use rand_chacha::rand_core::{Rng, SeedableRng};

    /// Uniform numbers in [0, 1).
    pub(crate) fn draws(seed: u64) -> impl FnMut() -> f64 {
        let mut words = ChaCha8Rng::seed_from_u64(seed);
        move || (words.next_u64() >> 11) as f64 / (1u64 << 53) as f64
    }

    /// The mean computed from the probabilities P(F = f + j) = C(f + j - 1, j) p^f q^j.
    fn by_summing(f: u64, p: f64) -> f64 {
        let (mut probability, mut mean) = (p.powf(f as f64), 0.0);
        for j in 0..2_000_000u64 {
            mean += probability / (f + j) as f64;
            probability *= (1.0 - p) * (f + j) as f64 / (j + 1) as f64;
            if probability < 1e-25 && j as f64 > f as f64 / p {
                break;
            }
        }
        mean
    }

    #[test]
    fn agrees_with_summing_probabilities() {
        for p in [0.001, 0.02, 0.3, 0.49, 0.51, 0.9, 0.999] {
            for f in [1, 2, 3, 7, 20, 59, 60, 61, 62, 90] {
                let (fast, slow) = (mean_reciprocal(f, p), by_summing(f, p));
                assert!((fast / slow - 1.0).abs() < 1e-9, "f {f} p {p}: {fast} {slow}");
            }
        }
    }

    #[test]
    fn falls_with_the_size_and_grows_with_the_fraction() {
        for p in [1e-9, 1e-4, 0.1, 0.5, 0.500_001, 0.99, 1.0 - 1e-12] {
            let values: Vec<f64> = (1..300).map(|f| mean_reciprocal(f, p)).collect();
            assert!(values.windows(2).all(|pair| pair[1] < pair[0] && pair[1] > 0.0), "{p}");
            assert!(
                (1..300).zip(&values).all(|(f, x)| *x <= (1.0 / f as f64) * (1.0 + 1e-12)),
                "{p}"
            );
        }
        assert!((mean_reciprocal(1_000_000_000, 0.01) * 1e11 - 1.0).abs() < 1e-6);
        assert_eq!(mean_reciprocal(8, 1.0), 0.125);
    }
}
