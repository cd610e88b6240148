//! The exponential mechanism over whole scores, drawn exactly: a candidate with a probability in
//! proportion to exp(epsilon score / 2), where one person changes a score by one at most.

use rand_chacha::ChaCha20Rng;

use crate::discrete_gaussian::with_chance_exp;
use crate::discrete_laplace::below;

/// What epsilon is counted in.
pub const UNITS: u64 = 1_000_000;

/// Choose among scores; `epsilon` is in millionths. None if there is no candidate.
pub fn choose(scores: &[u64], epsilon: u64, random: &mut ChaCha20Rng) -> Option<usize> {
    let most = *scores.iter().max()?;
    // A candidate at random, taken with the chance that it should have beside the best.
    loop {
        let at = below(scores.len() as u128, random) as usize;
        let less = u128::from(most - scores[at]) * u128::from(epsilon);
        if with_chance_exp(less, 2 * u128::from(UNITS), random) {
            return Some(at);
        }
    }
}

#[cfg(test)]
mod tests {
    use rand_chacha::rand_core::SeedableRng as _;

    use super::*;

    #[test]
    fn candidates_are_as_frequent_as_they_should_be() {
        let mut random = ChaCha20Rng::seed_from_u64(8);
        let scores = [10, 12, 12, 3];
        let weights: Vec<f64> = scores.iter().map(|score| (*score as f64 / 4.0).exp()).collect();
        let all: f64 = weights.iter().sum();
        let n = 20_000;
        let mut counts = [0f64; 4];
        for _ in 0..n {
            counts[choose(&scores, UNITS / 2, &mut random).unwrap()] += 1.0;
        }
        for (count, weight) in counts.iter().zip(&weights) {
            let p = weight / all;
            let expected = f64::from(n) * p;
            assert!((count - expected).abs() < 5.0 * (expected * (1.0 - p)).sqrt() + 1.0);
        }
        assert_eq!(choose(&[], UNITS, &mut random), None);
    }
}
