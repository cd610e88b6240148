//! Random projection: `T' = T R` with a random matrix R of fewer columns than T.

use sfumato_core::{Error, Result};

use crate::Matrix;
use crate::random::RandomStream;

/// How the entries of R are drawn.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Entries {
    /// Standard normal, then each column of R scaled to length 1.
    Normal,
    /// `sqrt(3)` times +1, 0, -1 with chances 1/6, 2/3, 1/6, not scaled: cheap, as two of three are
    /// 0.
    Sparse,
}

/// A random matrix with m rows and r columns.
#[derive(Debug, Clone, PartialEq)]
pub struct Projection {
    from: usize,
    to: usize,
    entries: Entries,
    /// Column by column.
    cells: Vec<f64>,
}

impl Projection {
    /// Draw a matrix for tables of `from` columns that become `to` columns; `1 <= to <= from`.
    pub fn draw(from: usize, to: usize, entries: Entries, seed: u64) -> Result<Self> {
        Self::draw_by(from, to, entries, RandomStream::new(seed))
    }

    /// Draw a matrix from a whole key, so that nobody can guess it.
    pub fn draw_secret(from: usize, to: usize, entries: Entries, key: [u8; 32]) -> Result<Self> {
        Self::draw_by(from, to, entries, RandomStream::from_key(key))
    }

    fn draw_by(from: usize, to: usize, entries: Entries, mut random: RandomStream) -> Result<Self> {
        if to == 0 || to > from {
            return Err(Error::params(format!("can't reduce {from} columns to {to}")).hint(
                "the reduced table needs at least 1 column and at most those of the original",
            ));
        }
        let mut cells = Vec::with_capacity(from * to);
        for _ in 0..to {
            let column: Vec<f64> = match entries {
                Entries::Normal => {
                    let column: Vec<f64> = (0..from).map(|_| random.normal()).collect();
                    let length = column.iter().map(|cell| cell * cell).sum::<f64>().sqrt();
                    // All zero has no direction; it practically can't be drawn.
                    column
                        .iter()
                        .map(|cell| if length > 0.0 { cell / length } else { 0.0 })
                        .collect()
                }
                Entries::Sparse => (0..from)
                    .map(|_| 3f64.sqrt() * [1.0, -1.0, 0.0, 0.0, 0.0, 0.0][random.below(6)])
                    .collect(),
            };
            cells.extend(column);
        }
        Ok(Projection { from, to, entries, cells })
    }

    /// Columns of the reduced table.
    pub fn n_columns(&self) -> usize {
        self.to
    }

    /// What distances of the reduced table are multiplied with to estimate those of the original:
    /// `sqrt(m / r)` for columns of length 1. Sparse entries have variance 1 and aren't scaled, so
    /// theirs is `1 / sqrt(r)`, although the book gives the first for both. Either way squared
    /// distances are right on average.
    pub fn scale(&self) -> f64 {
        match self.entries {
            Entries::Normal => (self.from as f64 / self.to as f64).sqrt(),
            Entries::Sparse => 1.0 / (self.to as f64).sqrt(),
        }
    }

    /// The reduced table, as published: not scaled.
    pub fn apply(&self, x: &Matrix) -> Result<Matrix> {
        if x.n_columns() != self.from {
            let found = x.n_columns();
            return Err(Error::internal(format!(
                "a projection of {} columns got {found}",
                self.from
            )));
        }
        let mut values = Vec::with_capacity(x.n_rows() * self.to);
        for column in self.cells.chunks_exact(self.from) {
            let mut sums = vec![0.0; x.n_rows()];
            for (j, cell) in column.iter().enumerate().filter(|(_, cell)| **cell != 0.0) {
                sums.iter_mut().zip(x.column(j)).for_each(|(sum, value)| *sum += cell * value);
            }
            values.extend(sums);
        }
        Matrix::new(x.n_rows(), self.to, values)
    }

    /// The distance of two original rows, estimated from the reduced table.
    pub fn estimated_distance(&self, reduced: &Matrix, a: usize, b: usize) -> f64 {
        self.scale() * distance(reduced, a, b)
    }
}

/// Euclidean distance of two rows.
pub(super) fn distance(x: &Matrix, a: usize, b: usize) -> f64 {
    let difference = |j: usize| x.value(a, j) - x.value(b, j);
    (0..x.n_columns()).map(|j| difference(j) * difference(j)).sum::<f64>().sqrt()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::noisy_numbers;

    const BOTH: [Entries; 2] = [Entries::Normal, Entries::Sparse];

    #[test]
    fn entries_are_as_described() {
        let normal = Projection::draw(40, 10, Entries::Normal, 1).unwrap();
        for column in normal.cells.chunks(40) {
            assert!((column.iter().map(|c| c * c).sum::<f64>() - 1.0).abs() < 1e-12);
        }
        let sparse = Projection::draw(300, 100, Entries::Sparse, 1).unwrap();
        let share = |f: &dyn Fn(f64) -> bool| {
            sparse.cells.iter().filter(|c| f(**c)).count() as f64 / 30_000.0
        };
        let root = 3f64.sqrt();
        assert!((share(&|c| c == root) - 1.0 / 6.0).abs() < 0.01);
        assert!((share(&|c| c == -root) - 1.0 / 6.0).abs() < 0.01);
        assert!((share(&|c| c == 0.0) - 2.0 / 3.0).abs() < 0.01);
        assert_eq!(sparse, Projection::draw(300, 100, Entries::Sparse, 1).unwrap());
        assert_ne!(sparse, Projection::draw(300, 100, Entries::Sparse, 2).unwrap());
    }

    #[test]
    fn squared_distances_are_right_on_average() {
        let (x, _) = noisy_numbers(2, 12, 1);
        let truth = distance(&x, 0, 1).powi(2);
        for entries in BOTH {
            for to in [2, 6] {
                let mean = (0..4000)
                    .map(|seed| {
                        let projection = Projection::draw(12, to, entries, seed).unwrap();
                        projection.estimated_distance(&projection.apply(&x).unwrap(), 0, 1).powi(2)
                    })
                    .sum::<f64>()
                    / 4000.0;
                assert!((mean / truth - 1.0).abs() < 0.05, "{entries:?} {to}: {mean} {truth}");
            }
        }
    }

    #[test]
    fn is_the_product_of_matrices() {
        let (x, _) = noisy_numbers(5, 4, 1);
        for entries in BOTH {
            let projection = Projection::draw(4, 3, entries, 9).unwrap();
            let reduced = projection.apply(&x).unwrap();
            assert_eq!((reduced.n_rows(), reduced.n_columns(), projection.n_columns()), (5, 3, 3));
            for (i, c) in (0..5).flat_map(|i| (0..3).map(move |c| (i, c))) {
                let sum: f64 = (0..4).map(|j| x.value(i, j) * projection.cells[c * 4 + j]).sum();
                assert!((reduced.value(i, c) - sum).abs() < 1e-12);
            }
            assert!(projection.apply(&reduced).is_err());
        }
        assert!(Projection::draw(3, 4, Entries::Normal, 1).is_err());
        assert!(Projection::draw(3, 0, Entries::Normal, 1).is_err());
    }
}
