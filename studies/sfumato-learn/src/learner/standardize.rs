//! Features of linear learners: constant columns dropped, the others with mean 0 and deviation 1
//! over the training rows.

use crate::Matrix;
use crate::matrix::mean_and_deviation;

/// What was learnt of the training columns.
pub(super) struct Standardizer {
    kept: Vec<Kept>,
}

struct Kept {
    column: usize,
    mean: f64,
    scale: f64,
}

impl Standardizer {
    /// Learn means and deviations.
    pub fn fit(x: &Matrix) -> Self {
        let kept = (0..x.n_columns()).filter_map(|column| {
            let (mean, deviation) = mean_and_deviation(x.column(column));
            let scale = 1.0 / deviation;
            (deviation > 0.0 && scale.is_finite()).then_some(Kept { column, mean, scale })
        });
        Standardizer { kept: kept.collect() }
    }

    /// How many columns vary.
    pub fn n_columns(&self) -> usize {
        self.kept.len()
    }

    /// The kept columns, one after the other. Cells far outside the training's range are held at a
    /// million deviations, so that no product overflows.
    pub fn columns(&self, x: &Matrix) -> Vec<f64> {
        let column = |kept: &Kept| {
            let (mean, scale) = (kept.mean, kept.scale);
            x.column(kept.column)
                .iter()
                .map(move |value| ((value - mean) * scale).clamp(-1e6, 1e6))
                .collect::<Vec<_>>()
        };
        self.kept.iter().flat_map(column).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn drops_constants_and_uses_the_training_part_only() {
        let train = Matrix::from_columns(2, &[vec![3.0, 3.0], vec![1.0, 3.0]]).unwrap();
        let standardizer = Standardizer::fit(&train);
        assert_eq!(standardizer.n_columns(), 1);
        assert_eq!(standardizer.columns(&train), [-1.0, 1.0]);
        let test = Matrix::from_columns(2, &[vec![9.0, 8.0], vec![4.0, 1e140]]).unwrap();
        assert_eq!(standardizer.columns(&test), [2.0, 1e6]);
    }
}
