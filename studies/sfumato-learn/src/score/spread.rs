//! Mean and spread of a score over folds or repetitions.

/// Mean, standard deviation (divided by n - 1) and number of values.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Spread {
    /// The mean.
    pub mean: f64,
    /// The standard deviation of the values, not of their mean; 0 for one value.
    pub sd: f64,
    /// The number of values.
    pub n: usize,
}

impl Spread {
    /// The spread of some values; `None` if there are none.
    pub fn of(values: &[f64]) -> Option<Spread> {
        let n = values.len();
        if n == 0 {
            return None;
        }
        let mean = values.iter().map(|value| value / n as f64).sum::<f64>();
        let squares: f64 = values.iter().map(|value| (value - mean) * (value - mean)).sum();
        let sd = if n < 2 { 0.0 } else { (squares / (n - 1) as f64).sqrt() };
        Some(Spread { mean, sd, n })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn has_the_moments_of_its_values() {
        let spread = Spread::of(&[2.0, 4.0, 4.0, 4.0, 5.0, 5.0, 7.0, 9.0]).unwrap();
        assert_eq!((spread.mean, spread.n), (5.0, 8));
        assert!((spread.sd - (32.0f64 / 7.0).sqrt()).abs() < 1e-12);
        assert_eq!(Spread::of(&[3.0]), Some(Spread { mean: 3.0, sd: 0.0, n: 1 }));
        assert_eq!(Spread::of(&[]), None);
    }
}
