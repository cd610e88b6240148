//! How active records are: numbers of mean 1 and a given variance between two bounds, as even as
//! that allows.

use crate::chances::Chances;
use crate::math::{exp, ln};

/// Different activities.
const LEVELS: usize = 512;

/// Equally distant activities and how probable each is.
pub(super) struct Activity {
    pub(super) levels: Vec<f64>,
    chances: Chances,
}

impl Activity {
    /// Activities from 0 to `highest` with this variance; `None` if there are none.
    pub(super) fn new(variance: f64, highest: f64) -> Option<Self> {
        // What is left of a normal distribution beyond this many standard deviations is below 32
        // bits.
        let reach = 7.0 * variance.sqrt();
        let (low, high) = ((1.0 - reach).max(0.0), (1.0 + reach).min(highest));
        if variance < 1e-9 {
            return Some(Self::of(vec![1.0], &[1.0]));
        }
        // The mean lies within, so the variance is bounded; near the bound nearly all are at the
        // ends, which the grid can't give.
        if variance >= 0.95 * (1.0 - low) * (high - 1.0) {
            return None;
        }
        let step = (high - low) / LEVELS as f64;
        let levels: Vec<f64> = (0..LEVELS).map(|i| low + step * (i as f64 + 0.5)).collect();
        let shares = even(&levels, variance)?;
        Some(Self::of(levels, &shares))
    }

    fn of(levels: Vec<f64>, shares: &[f64]) -> Self {
        Activity { levels, chances: Chances::new(shares) }
    }

    /// The level that a word means.
    #[inline]
    pub(super) fn of_word(&self, word: u32) -> usize {
        self.chances.of_word(word)
    }
}

/// The shares of largest entropy for which levels have mean 1 and this variance: the exponential of
/// a quadratic function, whose two factors Newton's method finds, since they minimise a convex
/// function.
fn even(levels: &[f64], variance: f64) -> Option<Vec<f64>> {
    let x: Vec<f64> = levels.iter().map(|level| level - 1.0).collect();
    let weights = |a: f64, b: f64| -> (Vec<f64>, f64) {
        let power: Vec<f64> = x.iter().map(|x| a * x + b * x * x).collect();
        let top = power.iter().copied().fold(f64::NEG_INFINITY, f64::max);
        let weights: Vec<f64> = power.iter().map(|power| exp(power - top)).collect();
        let sum: f64 = weights.iter().sum();
        (weights.iter().map(|weight| weight / sum).collect(), top + ln(sum) - b * variance)
    };
    let (mut a, mut b) = (0.0, -0.5 / variance);
    let (mut shares, mut value) = weights(a, b);
    for _ in 0..200 {
        let (mut m1, mut m2, mut m3, mut m4) = (0.0, 0.0, 0.0, 0.0);
        for (share, x) in shares.iter().zip(&x) {
            m1 += share * x;
            m2 += share * x * x;
            m3 += share * x * x * x;
            m4 += share * x * x * x * x;
        }
        let (g1, g2) = (m1, m2 - variance);
        if g1.abs() < 1e-12 && g2.abs() < 1e-12 {
            return Some(shares);
        }
        let (h11, h12, h22) = (m2 - m1 * m1, m3 - m1 * m2, m4 - m2 * m2);
        let determinant = h11 * h22 - h12 * h12;
        if determinant <= 0.0 {
            return None;
        }
        let (da, db) = ((h22 * g1 - h12 * g2) / determinant, (h11 * g2 - h12 * g1) / determinant);
        let mut scale = 1.0;
        loop {
            let (next, next_value) = weights(a - scale * da, b - scale * db);
            // Close to the end rounding is all that is left of a step.
            if next_value <= value + 1e-13 * value.abs() || scale < 1e-6 {
                (a, b) = (a - scale * da, b - scale * db);
                (shares, value) = (next, next_value);
                break;
            }
            scale *= 0.5;
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn mean_and_variance_are_kept() {
        for (variance, highest) in
            [(0.3375, 2.0), (0.34, 8.0), (0.01, 8.0), (0.0, 1.0), (0.6, 2.0), (1.5, 100.0)]
        {
            let activity = Activity::new(variance, highest).unwrap();
            let share = |i: usize| activity.chances.share(i);
            let moment = |power| {
                (0..activity.levels.len())
                    .map(|i| share(i) * activity.levels[i].powi(power))
                    .sum::<f64>()
            };
            assert!((moment(1) - 1.0).abs() < 1e-6, "{variance}");
            assert!((moment(2) - 1.0 - variance).abs() < 1e-6, "{variance}");
            assert!(activity.levels.iter().all(|level| (0.0..=highest).contains(level)));
        }
        assert!(Activity::new(1.0, 2.0).is_none());
    }
}
