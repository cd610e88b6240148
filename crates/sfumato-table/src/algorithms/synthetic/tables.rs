//! Tables that were measured with noise, and what they are taken for.

use rand_chacha::ChaCha20Rng;
use sfumato_kernels::discrete_gaussian::DiscreteGaussian;

use super::Records;

/// A table of one or two columns with noise.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Measurement {
    /// The columns.
    pub columns: Vec<usize>,
    /// The law of the noise: one person changes one count by one, so that it costs 1 / 2s.
    pub law: DiscreteGaussian,
    /// The noise of each count.
    pub drawn: Vec<i64>,
    /// The counts with noise: all that is known of the records.
    pub noisy: Vec<i64>,
}

/// All that was measured of records.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Measured {
    /// The number of values of each column.
    pub sizes: Vec<usize>,
    /// The tables: first those of each column, then those of pairs.
    pub tables: Vec<Measurement>,
    /// The epsilon of each choice of a pair, in millionths: it costs its square / 8.
    pub choices: Vec<u64>,
}

impl Measurement {
    /// Measure some columns.
    pub fn new(
        records: &Records,
        columns: &[usize],
        law: DiscreteGaussian,
        random: &mut ChaCha20Rng,
    ) -> Self {
        let counts = records.table(columns);
        let drawn: Vec<i64> = counts.iter().map(|_| law.draw(random)).collect();
        let noisy = counts.iter().zip(&drawn).map(|(count, noise)| count + noise).collect();
        Measurement { columns: columns.to_vec(), law, drawn, noisy }
    }

    /// The counts without negative ones, so that they add up to a total: the nearest such table.
    pub fn counts(&self, total: f64) -> Vec<f64> {
        nearest(&self.noisy.iter().map(|count| *count as f64).collect::<Vec<f64>>(), total)
    }
}

impl Measured {
    /// The loss that was spent.
    pub fn spent(&self) -> f64 {
        let tables: f64 = self.tables.iter().map(|table| 0.5 / table.law.s as f64).sum();
        let choices: f64 =
            self.choices.iter().map(|epsilon| (*epsilon as f64 / 1e6).powi(2) / 8.0).sum();
        tables + choices
    }

    /// About how many records there are, by all tables of single columns: those with few counts
    /// say it best.
    pub fn total(&self) -> f64 {
        let (mut sum, mut weights) = (0.0, 0.0);
        for table in self.tables.iter().filter(|table| table.columns.len() == 1) {
            let weight = 1.0 / (table.noisy.len() as f64 * table.law.s as f64);
            sum += weight * table.noisy.iter().sum::<i64>() as f64;
            weights += weight;
        }
        (sum / f64::max(weights, f64::MIN_POSITIVE)).round().max(1.0)
    }

    /// The table of each column, as shares of the total.
    pub fn singles(&self, total: f64) -> Vec<Vec<f64>> {
        let singles = self.tables.iter().filter(|table| table.columns.len() == 1);
        singles.map(|table| table.counts(total)).collect()
    }

    /// The tables of pairs, each brought together with the tables of its columns.
    pub fn pairs(&self, total: f64) -> Vec<([usize; 2], Vec<f64>)> {
        let singles = self.singles(total);
        let pairs = self.tables.iter().filter(|table| table.columns.len() == 2);
        pairs
            .map(|table| {
                let columns = [table.columns[0], table.columns[1]];
                let mut counts = table.counts(total);
                fit(&mut counts, [&singles[columns[0]], &singles[columns[1]]]);
                (columns, counts)
            })
            .collect()
    }
}

/// The nearest counts, by least squares, that aren't negative and add up to a total: the same is
/// taken off all, and what falls below nought is nought.
pub fn nearest(counts: &[f64], total: f64) -> Vec<f64> {
    let mut sorted = counts.to_vec();
    sorted.sort_by(|a, b| b.total_cmp(a));
    let (mut sum, mut off) = (0.0, f64::NEG_INFINITY);
    for (n, count) in sorted.iter().enumerate() {
        sum += count;
        let shift = (sum - total) / (n + 1) as f64;
        if *count > shift {
            off = shift;
        }
    }
    counts.iter().map(|count| (count - off).max(0.0)).collect()
}

/// Fit a table to the tables of its two columns, in turns.
fn fit(counts: &mut [f64], [rows, columns]: [&[f64]; 2]) {
    let width = columns.len();
    for _ in 0..8 {
        for (row, wanted) in rows.iter().enumerate() {
            let cells = &mut counts[row * width..(row + 1) * width];
            let sum: f64 = cells.iter().sum();
            match sum > 0.0 {
                true => cells.iter_mut().for_each(|cell| *cell *= wanted / sum),
                // Nothing was measured here: as if the columns had nothing to do with each other.
                false => {
                    let all: f64 = columns.iter().sum();
                    let parts = cells.iter_mut().zip(columns);
                    parts.for_each(|(cell, part)| *cell = wanted * part / all.max(1e-9));
                }
            }
        }
        for (place, wanted) in columns.iter().enumerate() {
            let sum: f64 = (0..rows.len()).map(|row| counts[row * width + place]).sum();
            if sum > 0.0 {
                (0..rows.len()).for_each(|row| counts[row * width + place] *= wanted / sum);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_nearest_table_adds_up() {
        assert_eq!(nearest(&[5.0, 3.0, -2.0], 6.0), [4.0, 2.0, 0.0]);
        assert_eq!(nearest(&[1.0, 1.0], 4.0), [2.0, 2.0]);
        assert_eq!(nearest(&[-5.0, -7.0], 1.0), [1.0, 0.0]);
        let mut counts = vec![1.0, 1.0, 0.0, 0.0];
        fit(&mut counts, [&[2.0, 2.0], &[3.0, 1.0]]);
        let rows = [counts[0] + counts[1], counts[2] + counts[3]];
        assert!(rows.iter().all(|sum| (sum - 2.0).abs() < 0.01), "{counts:?}");
    }
}
