//! Predicts how often the data are read and written, as in the paper: for balanced binary trees,
//! k-anonymity and frequency groups of one size.

use statrs::distribution::{ContinuousCDF, Normal};

/// What the prediction depends on.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Scale {
    /// The number of records of the input.
    pub rows: u64,
    /// The number of records that fit into memory.
    pub partition_rows: u64,
    /// The number of frequency groups that fit into memory.
    pub groups: u64,
    /// The smallest size of a class.
    pub k: u64,
    /// The accepted error probability of a test on a sample.
    pub alpha: f64,
}

/// A prediction. Reads and writes are multiples of the input.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Forecast {
    /// The number of levels of the tree until partitions fit into memory.
    pub height: u64,
    /// How often the data are divided with frequency groups.
    pub repartitions_tree: u64,
    /// The number of reads with frequency groups.
    pub reads_tree: u64,
    /// The number of writes with frequency groups.
    pub writes_tree: u64,
    /// How often the data are divided with samples.
    pub repartitions_sample: u64,
    /// The number of reads with samples.
    pub reads_sample: u64,
    /// The number of writes with samples.
    pub writes_sample: u64,
}

/// Predict the cost of a run.
pub fn predict(scale: &Scale) -> Forecast {
    let memory = scale.partition_rows.max(1);
    let mut height = 0u32;
    // The ceiling of a logarithm, without its rounding.
    while u128::from(memory) << height < u128::from(scale.rows) {
        height += 1;
    }
    let height = u64::from(height);
    let levels_at_once = u64::from(scale.groups.max(1).ilog2()) + 1;
    let repartitions_tree = height.div_ceil(levels_at_once);
    let repartitions_sample = by_samples(scale, memory);
    Forecast {
        height,
        repartitions_tree,
        reads_tree: height + repartitions_tree + 1,
        writes_tree: repartitions_tree,
        repartitions_sample,
        reads_sample: 2 * repartitions_sample + 1,
        writes_sample: repartitions_sample,
    }
}

/// How often the data are divided with samples that fit into memory.
fn by_samples(scale: &Scale, memory: u64) -> u64 {
    let z = Normal::standard().inverse_cdf(1.0 - scale.alpha / 2.0);
    let (mut rows, mut repartitions) = (scale.rows as f64, 0);
    while rows > memory as f64 {
        let n = memory as f64;
        let p0 = scale.k.max(1) as f64 / rows;
        let variance = p0 * (1.0 - p0).max(0.0) / (n - 1.0).max(1.0) * ((rows - n) / rows);
        let least_share = p0 + z * variance.sqrt();
        let mut levels = 0;
        while 0.5f64.powi(levels + 1) >= least_share && levels < 64 {
            levels += 1;
        }
        if levels == 0 {
            break;
        }
        repartitions += 1;
        rows /= 2f64.powi(levels);
    }
    repartitions
}

#[cfg(test)]
mod tests {
    use super::*;

    fn scale(rows: u64, partition_rows: u64, groups: u64) -> Scale {
        Scale { rows, partition_rows, groups, k: 25, alpha: 0.05 }
    }

    #[test]
    fn what_fits_is_read_once() {
        let forecast = predict(&scale(1000, 1000, 1));
        let once = Forecast {
            height: 0,
            repartitions_tree: 0,
            reads_tree: 1,
            writes_tree: 0,
            repartitions_sample: 0,
            reads_sample: 1,
            writes_sample: 0,
        };
        assert_eq!(forecast, once);
    }

    #[test]
    fn frequency_groups_save_repartitions() {
        // 1,000,000 / 2^9 = 1953.1 > 1900 and 1,000,000 / 2^10 = 976.6: ten levels.
        for (groups, repartitions) in [(1, 10), (2, 5), (3, 5), (4, 4), (8, 3), (512, 1), (1024, 1)]
        {
            let forecast = predict(&scale(1_000_000, 1900, groups));
            assert_eq!(forecast.height, 10);
            assert_eq!(forecast.repartitions_tree, repartitions, "{groups} groups");
            assert_eq!(forecast.reads_tree, 11 + repartitions);
            assert_eq!(forecast.writes_tree, repartitions);
        }
    }

    #[test]
    fn samples_mostly_divide_once() {
        // p0 = 25 / 1,000,000; the deviation is sqrt(2.5e-5 / 9999 * 0.99) = 4.975e-5; 2.5e-5 +
        // 1.96 * 4.975e-5 = 1.2251e-4, so that 12 levels (2.44e-4) are safe and 13 (1.22e-4) are
        // not: 244 records are left, which fit.
        let forecast = predict(&scale(1_000_000, 10_000, 1));
        assert_eq!(
            (forecast.repartitions_sample, forecast.reads_sample, forecast.writes_sample),
            (1, 3, 1)
        );
    }

    #[test]
    fn samples_too_small_to_say_anything_stop_at_once() {
        // p0 = 0.4, n = 3 of 100: the error is 1.96 * sqrt(0.24 / 2 * 0.97) = 0.669, and no half is
        // that large.
        let forecast =
            predict(&Scale { rows: 100, partition_rows: 3, groups: 1, k: 40, alpha: 0.05 });
        assert_eq!(
            (forecast.height, forecast.repartitions_sample, forecast.reads_sample),
            (6, 0, 1)
        );
    }

    #[test]
    fn small_samples_divide_again() {
        // With 50 of 10,000 records and k = 25: p0 = 0.0025, deviation sqrt(0.00249375 / 49 *
        // 0.995) = 0.007116, least share 0.016447: 5 levels (0.03125) leave 312.5; then p0 = 0.08,
        // deviation sqrt(0.0736 / 49 * 0.84) = 0.035521, least share 0.149620: 2 levels leave
        // 78.125; then p0 = 0.32, deviation sqrt(0.2176 / 49 * 0.36) = 0.039984, least share
        // 0.398368: one level leaves 39.
        let forecast = predict(&scale(10_000, 50, 1));
        assert_eq!(
            (forecast.repartitions_sample, forecast.reads_sample, forecast.writes_sample),
            (3, 7, 3)
        );
    }
}
