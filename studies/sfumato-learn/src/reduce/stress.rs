//! Stress: how much distances change by a projection, relative to their size.

use sfumato_core::{Error, Result};

use super::projection::{Projection, distance};
use crate::Matrix;
use crate::random::RandomStream;

/// Which distances the errors are divided by.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Reading {
    /// Divided by distances of the original table, as usual.
    Original,
    /// Divided by distances of the reduced table, as the text of the book says literally.
    Reduced,
}

/// A stress and what it was computed from.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Stress {
    /// Sum of squared errors over sum of squared distances; 0 if all distances are kept.
    pub value: f64,
    /// How many pairs of rows it was computed from.
    pub pairs: u64,
    /// Whether these were all pairs.
    pub is_exact: bool,
}

/// The stress of a projected table: over all pairs of different rows if these are at most
/// `most_pairs`, else over `most_pairs` pairs drawn with replacement by the seed. Distances of the
/// reduced table are scaled (`Projection::scale`) first. `None` if the distances to divide by are
/// all 0.
pub fn stress(
    projection: &Projection,
    original: &Matrix,
    reduced: &Matrix,
    reading: Reading,
    most_pairs: u64,
    seed: u64,
) -> Result<Option<Stress>> {
    let n = original.n_rows();
    if reduced.n_rows() != n || reduced.n_columns() != projection.n_columns() {
        return Err(Error::internal("the reduced table isn't one of this projection and table"));
    }
    let (mut errors, mut squares) = (0.0, 0.0);
    let mut add = |a: usize, b: usize| {
        let (before, after) =
            (distance(original, a, b), projection.estimated_distance(reduced, a, b));
        errors += (after - before) * (after - before);
        squares += if reading == Reading::Original { before * before } else { after * after };
    };
    let all = n as u64 * (n as u64).saturating_sub(1) / 2;
    let is_exact = all <= most_pairs;
    if is_exact {
        (0..n).for_each(|b| (0..b).for_each(|a| add(a, b)));
    } else {
        let mut random = RandomStream::new(seed);
        for _ in 0..most_pairs {
            let a = random.below(n);
            // Any other row, all alike.
            let b = (a + 1 + random.below(n - 1)) % n;
            add(a, b);
        }
    }
    let pairs = all.min(most_pairs);
    Ok((squares > 0.0).then(|| Stress { value: errors / squares, pairs, is_exact }))
}

#[cfg(test)]
mod tests {
    use super::super::Entries;
    use super::*;
    use crate::testing::noisy_numbers;

    fn measured(to: usize, entries: Entries, most_pairs: u64, seed: u64) -> Stress {
        let (x, _) = noisy_numbers(60, 20, 1);
        let projection = Projection::draw(20, to, entries, seed).unwrap();
        let reduced = projection.apply(&x).unwrap();
        stress(&projection, &x, &reduced, Reading::Original, most_pairs, 1).unwrap().unwrap()
    }

    #[test]
    fn falls_as_columns_are_added() {
        for entries in [Entries::Normal, Entries::Sparse] {
            let mean = |to| {
                (0..10).map(|seed| measured(to, entries, 1 << 20, seed).value).sum::<f64>() / 10.0
            };
            let values = [1, 3, 8, 20].map(mean);
            assert!(values.is_sorted_by(|a, b| a > b), "{entries:?} {values:?}");
            assert!(values[3] < 0.05, "{values:?}");
        }
    }

    #[test]
    fn agrees_with_the_definition_in_both_readings() {
        let (x, _) = noisy_numbers(9, 5, 2);
        let projection = Projection::draw(5, 2, Entries::Normal, 3).unwrap();
        let reduced = projection.apply(&x).unwrap();
        let (mut errors, mut before, mut after) = (0.0, 0.0, 0.0);
        for (i, j) in (0..9).flat_map(|i| (0..9).map(move |j| (i, j))) {
            let length = |m: &Matrix| {
                (0..m.n_columns())
                    .map(|c| (m.value(i, c) - m.value(j, c)).powi(2))
                    .sum::<f64>()
                    .sqrt()
            };
            let (d, e) = (length(&x), (5.0f64 / 2.0).sqrt() * length(&reduced));
            errors += (e - d) * (e - d);
            before += d * d;
            after += e * e;
        }
        for (reading, below) in [(Reading::Original, before), (Reading::Reduced, after)] {
            let found = stress(&projection, &x, &reduced, reading, 36, 0).unwrap().unwrap();
            assert!((found.value - errors / below).abs() < 1e-12);
            assert_eq!((found.pairs, found.is_exact), (36, true));
        }
    }

    #[test]
    fn a_sample_of_pairs_comes_near() {
        let (exact, sampled) =
            (measured(4, Entries::Normal, 1770, 5), measured(4, Entries::Normal, 1500, 5));
        assert!(exact.is_exact && !sampled.is_exact && sampled.pairs == 1500);
        assert!((exact.value - sampled.value).abs() < 0.1 * exact.value);
        assert_eq!(sampled, measured(4, Entries::Normal, 1500, 5));
    }

    #[test]
    fn nothing_to_divide_by_and_foreign_tables() {
        let x = Matrix::from_columns(3, &[vec![1.0; 3], vec![2.0; 3]]).unwrap();
        let projection = Projection::draw(2, 1, Entries::Normal, 1).unwrap();
        let reduced = projection.apply(&x).unwrap();
        assert_eq!(stress(&projection, &x, &reduced, Reading::Original, 10, 0).unwrap(), None);
        assert_eq!(
            stress(&projection, &x.take(&[]), &reduced.take(&[]), Reading::Original, 10, 0)
                .unwrap(),
            None
        );
        assert!(stress(&projection, &x, &x, Reading::Original, 10, 0).is_err());
    }
}
