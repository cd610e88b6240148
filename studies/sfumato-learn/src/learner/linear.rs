//! Models that weigh standardized features: a sum per class or one sum.

use sfumato_core::Result;

use super::fitted::{ClassModel, NumberModel};
use super::standardize::Standardizer;
use crate::Matrix;

/// An intercept and a weight per kept column.
#[derive(Debug, Clone)]
pub(super) struct Weights {
    pub intercept: f64,
    pub of_columns: Vec<f64>,
}

impl Weights {
    /// The sum of each row; `columns` lie one after the other.
    fn sums(&self, n_rows: usize, columns: &[f64]) -> Vec<f64> {
        let mut sums = vec![self.intercept; n_rows];
        if n_rows > 0 {
            for (weight, column) in self.of_columns.iter().zip(columns.chunks_exact(n_rows)) {
                for (sum, value) in sums.iter_mut().zip(column) {
                    *sum += weight * value;
                }
            }
        }
        sums
    }
}

/// How sums become scores.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) enum Link {
    /// The sums as they are.
    Margin,
    /// Probabilities that add up to 1.
    Softmax,
}

/// Weights for some of the classes; the others never occurred in training and get the lowest score.
pub(super) struct LinearClasses {
    pub standardizer: Standardizer,
    pub n_classes: usize,
    pub weights: Vec<(usize, Weights)>,
    pub link: Link,
}

impl ClassModel for LinearClasses {
    fn scores(&self, x: &Matrix) -> Result<Vec<f64>> {
        let columns = self.standardizer.columns(x);
        let mut scores = vec![f64::MIN; x.n_rows() * self.n_classes];
        for (class, weights) in &self.weights {
            for (row, sum) in weights.sums(x.n_rows(), &columns).into_iter().enumerate() {
                scores[row * self.n_classes + class] = sum;
            }
        }
        if self.link == Link::Softmax {
            scores.chunks_exact_mut(self.n_classes).for_each(softmax);
        }
        Ok(scores)
    }
}

/// Turn sums or logarithms into shares that add up to 1. The largest is taken off first, so that
/// nothing overflows.
pub(super) fn softmax(row: &mut [f64]) {
    let largest = row.iter().copied().fold(f64::MIN, f64::max);
    row.iter_mut().for_each(|value| *value = (*value - largest).exp());
    let total: f64 = row.iter().sum();
    row.iter_mut().for_each(|value| *value /= total);
}

/// One sum.
pub(super) struct LinearNumber {
    pub standardizer: Standardizer,
    pub weights: Weights,
}

impl NumberModel for LinearNumber {
    fn predict(&self, x: &Matrix) -> Result<Vec<f64>> {
        Ok(self.weights.sums(x.n_rows(), &self.standardizer.columns(x)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn unseen_classes_get_the_lowest_score() {
        let train = Matrix::from_columns(2, &[vec![-1.0, 1.0]]).unwrap();
        let weights = |w: f64| Weights { intercept: 0.5, of_columns: vec![w] };
        let model = |link| LinearClasses {
            standardizer: Standardizer::fit(&train),
            n_classes: 3,
            weights: vec![(0, weights(1.0)), (2, weights(-1.0))],
            link,
        };
        assert_eq!(
            model(Link::Margin).scores(&train).unwrap(),
            [-0.5, f64::MIN, 1.5, 1.5, f64::MIN, -0.5]
        );
        let shares = model(Link::Softmax).scores(&train).unwrap();
        let expected = 1.0 / (1.0 + 2.0f64.exp());
        assert!((shares[0] - expected).abs() < 1e-12 && shares[1] == 0.0);
        assert!((shares[3..].iter().sum::<f64>() - 1.0).abs() < 1e-12);
    }

    #[test]
    fn softmax_bears_extremes() {
        let mut row = [f64::MIN, 1e300, 1e300];
        softmax(&mut row);
        assert_eq!(row, [0.0, 0.5, 0.5]);
    }
}
