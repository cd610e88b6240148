//! How far the distribution of one column that a recipient reconstructs is from the true one.

use sfumato_core::dataset::{Column, Table};
use sfumato_core::recoding::Recoding;

use super::{class_sizes, has_missing, spread_over};

/// The distribution of a quasi column as a recipient sees it, over its codes with missing as the
/// last: each record is spread evenly over the values that its region has, and a suppressed one
/// over all.
pub fn reconstructed_marginal(column: &Column, place: usize, recoding: &dyn Recoding) -> Vec<f64> {
    let (sizes, with_missing) = (class_sizes(recoding), has_missing(column));
    let recoded = recoding.column(place);
    let mut records = vec![0u64; recoded.values.len()];
    recoded.of_class.iter().zip(&sizes).for_each(|(value, size)| records[*value as usize] += size);
    let n_rows = recoding.class_of_row().len();
    let suppressed = n_rows as u64 - sizes.iter().sum::<u64>();
    let n = column.domain.len();
    // A difference array: a region adds to its first code and takes away behind its last.
    let mut steps = vec![0.0; n + 2];
    let mut add = |codes: std::ops::Range<u32>, records: u64| {
        if !codes.is_empty() && records > 0 {
            let share = records as f64 / n_rows as f64 / codes.len() as f64;
            steps[codes.start as usize] += share;
            steps[codes.end as usize] -= share;
        }
    };
    for (value, records) in recoded.values.iter().zip(records) {
        add(spread_over(column, *value, with_missing), records);
    }
    add(0..(n as u32 + u32::from(with_missing)), suppressed);
    let mut sum = 0.0;
    steps[..=n]
        .iter()
        .map(|step| {
            sum += step;
            f64::max(sum, 0.0)
        })
        .collect()
}

/// For each quasi column the Kullback-Leibler divergence, in bits, of the reconstructed
/// distribution from the true one.
pub fn marginal_divergences(table: &Table, recoding: &dyn Recoding) -> Vec<f64> {
    let divergence = |(place, column): (usize, &&Column)| {
        let counts = column.codes.counts(column.domain.len() + 1);
        let seen = reconstructed_marginal(column, place, recoding);
        let bits = |(count, seen): (&u64, &f64)| match *count {
            0 => 0.0,
            count => {
                let share = count as f64 / table.n_rows as f64;
                // Rounding of a difference array must not turn what is covered into what can't be.
                share * (share / seen.max(1e-12)).log2()
            }
        };
        counts.iter().zip(&seen).map(bits).sum::<f64>().max(0.0)
    };
    table.quasi().iter().enumerate().map(divergence).collect()
}
