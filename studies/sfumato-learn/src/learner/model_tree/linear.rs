//! Linear models of some columns, by their normal equations; columns go as long as the estimated
//! error falls.

use crate::Matrix;
use crate::matrix::mean_and_deviation;

/// The ridge on columns of deviation 1: it keeps columns that repeat each other solvable.
const RIDGE: f64 = 1e-9;

/// A linear function of some columns.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Line {
    intercept: f64,
    weights: Vec<(usize, f64)>,
}

impl Line {
    /// The same for all rows.
    pub fn constant(intercept: f64) -> Self {
        Line { intercept, weights: Vec::new() }
    }

    /// What it says of a row.
    pub fn at(&self, x: &Matrix, row: usize) -> f64 {
        let sum = self.weights.iter().map(|(column, weight)| weight * x.value(row, *column));
        self.intercept + sum.sum::<f64>()
    }

    /// The columns it is of, ascending.
    pub fn columns(&self) -> Vec<usize> {
        self.weights.iter().map(|(column, _)| *column).collect()
    }

    /// How many coefficients it has.
    pub fn coefficients(&self) -> usize {
        self.weights.len() + 1
    }

    /// The line of some columns, ascending, that fits some rows best, without the columns that
    /// don't lower the estimated error.
    pub fn fit(x: &Matrix, y: &[f64], rows: &[u32], columns: &[usize]) -> Self {
        let of = |column: usize| -> Vec<f64> {
            rows.iter().map(|row| x.value(*row as usize, column)).collect()
        };
        let targets: Vec<f64> = rows.iter().map(|row| y[*row as usize]).collect();
        let (centre, _) = mean_and_deviation(&targets);
        let targets: Vec<f64> = targets.iter().map(|y| y - centre).collect();
        let (mut kept, mut scales, mut cells) = (Vec::new(), Vec::new(), Vec::new());
        for column in columns {
            let values = of(*column);
            let (mean, deviation) = mean_and_deviation(&values);
            if deviation > 0.0 && (1.0 / deviation).is_finite() {
                cells.push(values.iter().map(|x| (x - mean) / deviation).collect::<Vec<f64>>());
                scales.push((mean, deviation));
                kept.push(*column);
            }
        }
        let product = |a: &[f64], b: &[f64]| a.iter().zip(b).map(|(a, b)| a * b).sum::<f64>();
        let gram: Vec<Vec<f64>> =
            cells.iter().map(|a| cells.iter().map(|b| product(a, b)).collect()).collect();
        let right: Vec<f64> = cells.iter().map(|a| product(a, &targets)).collect();
        let squares = product(&targets, &targets);
        let n = rows.len();
        // The residual's squares are those of the targets minus what is explained.
        let error = |used: &[usize], weights: &[f64]| {
            let explained: f64 = used.iter().zip(weights).map(|(at, w)| right[*at] * w).sum();
            estimated((squares - explained).max(0.0) / n as f64, n, used.len() + 1)
        };
        let solved = |used: &[usize]| -> (f64, Vec<f64>) {
            let weights = solve(&gram, &right, used, RIDGE * n as f64);
            (error(used, &weights), weights)
        };
        let mut used: Vec<usize> = (0..kept.len()).collect();
        let (mut least, mut weights) = solved(&used);
        loop {
            let without = |gone: usize| -> Vec<usize> {
                used.iter().copied().filter(|at| *at != gone).collect()
            };
            let best = used
                .iter()
                .map(|gone| (without(*gone), solved(&without(*gone))))
                .min_by(|a, b| a.1.0.total_cmp(&b.1.0));
            match best {
                Some((fewer, (error, of_fewer))) if error <= least => {
                    (used, least, weights) = (fewer, error, of_fewer);
                }
                _ => break,
            }
        }
        let weights: Vec<(usize, f64)> = used
            .iter()
            .zip(&weights)
            .map(|(at, weight)| (kept[*at], weight / scales[*at].1))
            .collect();
        let shift: f64 =
            used.iter().zip(&weights).map(|(at, (_, weight))| weight * scales[*at].0).sum();
        Line { intercept: centre - shift, weights }
    }
}

/// The estimated error of a model with `v` coefficients on other rows, from its mean squared
/// residual on `n` rows; not finite where there are no more rows than coefficients.
pub(super) fn estimated(mean_square: f64, n: usize, v: usize) -> f64 {
    let (n, v) = (n as f64, v as f64);
    if n > v { mean_square.sqrt() * (n + v) / (n - v) } else { f64::INFINITY }
}

/// The weights of some columns: Cholesky's decomposition of their part of the normal equations.
fn solve(gram: &[Vec<f64>], right: &[f64], used: &[usize], ridge: f64) -> Vec<f64> {
    let n = used.len();
    let mut low = vec![vec![0.0; n]; n];
    for i in 0..n {
        for j in 0..=i {
            let known: f64 = (0..j).map(|k| low[i][k] * low[j][k]).sum();
            let given = gram[used[i]][used[j]] + if i == j { ridge } else { 0.0 };
            low[i][j] = match i == j {
                true => (given - known).max(ridge.max(f64::MIN_POSITIVE)).sqrt(),
                false => (given - known) / low[j][j],
            };
        }
    }
    let mut weights = vec![0.0; n];
    for i in 0..n {
        let known: f64 = (0..i).map(|k| low[i][k] * weights[k]).sum();
        weights[i] = (right[used[i]] - known) / low[i][i];
    }
    for i in (0..n).rev() {
        let known: f64 = (i + 1..n).map(|k| low[k][i] * weights[k]).sum();
        weights[i] = (weights[i] - known) / low[i][i];
    }
    weights
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn coefficients_are_exact_and_useless_columns_go() {
        let a: Vec<f64> = (0..30).map(|i| f64::from(i * 7 % 30)).collect();
        let b: Vec<f64> = (0..30).map(|i| f64::from(i * i % 11)).collect();
        let y: Vec<f64> = a.iter().map(|a| 5.0 - 2.0 * a).collect();
        let x = Matrix::from_columns(30, &[a.clone(), b, a, vec![1.0; 30]]).unwrap();
        let rows: Vec<u32> = (0..30).collect();
        let line = Line::fit(&x, &y, &rows, &[0, 1, 3]);
        assert_eq!(line.columns(), [0]);
        assert!((line.at(&x, 3) - y[3]).abs() < 1e-6 && line.coefficients() == 2);
        // A column and its copy share the weight or lose one of the two.
        let line = Line::fit(&x, &y, &rows, &[0, 2]);
        assert!((line.at(&x, 9) - y[9]).abs() < 1e-3);
        assert_eq!(Line::fit(&x, &y, &rows, &[]), Line::constant(y.iter().sum::<f64>() / 30.0));
    }

    #[test]
    fn errors_of_few_rows_are_seen_darkly() {
        assert_eq!(estimated(4.0, 10, 2), 2.0 * 12.0 / 8.0);
        assert_eq!(estimated(4.0, 2, 2), f64::INFINITY);
    }
}
