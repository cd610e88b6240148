//! The mean of a measure over seeds, and the interval in which it is with 95 % confidence.

use serde::Serialize;
use sfumato_learn::score::Spread;
use statrs::distribution::{ContinuousCDF, StudentsT};

/// The least number of seeds that give an interval.
pub const LEAST_SEEDS: usize = 3;

/// A mean with its interval of 95 %, by Student's t over the seeds.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct Interval {
    /// The mean over seeds.
    pub mean: f64,
    /// Where the interval begins.
    pub low: f64,
    /// Where it ends.
    pub high: f64,
    /// How many seeds there were.
    pub seeds: usize,
}

impl Interval {
    /// The interval of a measure; `None` for fewer than [`LEAST_SEEDS`] seeds, or where a seed
    /// measured nothing.
    pub fn of(values: &[f64]) -> Option<Self> {
        if values.len() < LEAST_SEEDS || values.iter().any(|value| !value.is_finite()) {
            return None;
        }
        let Spread { mean, sd, n } = Spread::of(values)?;
        // A sum of equal numbers may differ from their multiple in its last digit.
        if values.iter().all(|value| *value == values[0]) {
            return Some(Interval { mean: values[0], low: values[0], high: values[0], seeds: n });
        }
        let t = StudentsT::new(0.0, 1.0, (n - 1) as f64).ok()?.inverse_cdf(0.975);
        let half = t * sd / (n as f64).sqrt();
        Some(Interval { mean, low: mean - half, high: mean + half, seeds: n })
    }
}
