//! Random tasks for tests.

use crate::Matrix;
use crate::random::RandomStream;

/// Features uniform in -1..1; the class is a cut of a sum of the first three with noise, so that
/// about 9 of 10 rows of two classes can be told.
pub(crate) fn noisy_classes(
    n: usize,
    n_columns: usize,
    n_classes: u32,
    seed: u64,
) -> (Matrix, Vec<u32>) {
    let (x, sums) = noisy_numbers(n, n_columns, seed);
    let class = |sum: &f64| {
        ((sum + 1.0) / 2.0 * f64::from(n_classes)).clamp(0.0, f64::from(n_classes) - 0.5) as u32
    };
    (x, sums.iter().map(class).collect())
}

/// Features uniform in -1..1, with the noisy sum itself as the target.
pub(crate) fn noisy_numbers(n: usize, n_columns: usize, seed: u64) -> (Matrix, Vec<f64>) {
    let mut random = RandomStream::new(seed);
    let rows: Vec<Vec<f64>> =
        (0..n).map(|_| (0..n_columns).map(|_| 2.0 * random.unit() - 1.0).collect()).collect();
    let sum = |row: &Vec<f64>| {
        row[0] + 0.5 * row[1 % n_columns] - row[2 % n_columns] + 0.2 * random.normal()
    };
    let sums = rows.iter().map(sum).collect();
    (Matrix::from_rows(&rows).unwrap(), sums)
}
