//! Small dense matrices: covariances and their Cholesky factor.

/// The means and covariances of rows of numbers.
pub fn covariance(rows: &[Vec<f64>]) -> (Vec<f64>, Vec<Vec<f64>>) {
    let (n, d) = (rows.len().max(1) as f64, rows.first().map_or(0, Vec::len));
    let means: Vec<f64> =
        (0..d).map(|at| rows.iter().map(|row| row[at]).sum::<f64>() / n).collect();
    let mut matrix = vec![vec![0.0; d]; d];
    for row in rows {
        for (a, line) in matrix.iter_mut().enumerate() {
            for (b, cell) in line.iter_mut().enumerate() {
                *cell += (row[a] - means[a]) * (row[b] - means[b]) / n;
            }
        }
    }
    (means, matrix)
}

/// The lower triangle whose product with its mirror image is a covariance matrix. Directions
/// without a spread stay without one.
pub fn cholesky(matrix: &[Vec<f64>]) -> Vec<Vec<f64>> {
    let d = matrix.len();
    let mut lower = vec![vec![0.0; d]; d];
    for a in 0..d {
        for b in 0..=a {
            let sum: f64 = (0..b).map(|c| lower[a][c] * lower[b][c]).sum();
            let rest: f64 = matrix[a][b] - sum;
            lower[a][b] = match a == b {
                true => rest.max(0.0).sqrt(),
                false if lower[b][b] > 1e-12 * matrix[b][b].sqrt() => rest / lower[b][b],
                false => 0.0,
            };
        }
    }
    lower
}

/// A triangle times a vector.
pub fn times(lower: &[Vec<f64>], vector: &[f64]) -> Vec<f64> {
    lower.iter().map(|row| row.iter().zip(vector).map(|(a, b)| a * b).sum()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_factor_gives_the_covariance_back() {
        let rows: Vec<Vec<f64>> = (0..20)
            .map(|i| {
                let x = f64::from(i);
                vec![x, (x * 1.7).sin() * 3.0, 2.0 * x + (x * 0.3).cos(), 2.0 * x]
            })
            .collect();
        let (means, matrix) = covariance(&rows);
        assert!((means[0] - 9.5).abs() < 1e-12);
        let lower = cholesky(&matrix);
        for a in 0..4 {
            for b in 0..4 {
                let found: f64 = (0..4).map(|c| lower[a][c] * lower[b][c]).sum();
                assert!((found - matrix[a][b]).abs() < 1e-6, "{a} {b}");
            }
        }
    }
}
