//! How far correlations moved.

use sfumato_core::registry::Info;

use super::{Both, Pairs, PerturbedMetric};
use crate::algorithms::perturbed::values::numbers;

/// The metric `correlations-moved`, an entry of the registry.
pub struct CorrelationsMoved;

static INFO: Info = Info {
    name: "correlations-moved",
    summary: "the largest difference of a correlation of two columns before and after",
    doc: "Over all pairs of columns of numbers, among records in which neither is missing. 0 where \
          all are kept.",
    ..Info::DEFAULT
};

/// The slope of the second column by the first, and their correlation.
pub(super) fn slope_and_correlation(a: &[Option<f64>], b: &[Option<f64>]) -> Option<(f64, f64)> {
    let both: Vec<(f64, f64)> = a.iter().zip(b).filter_map(|(a, b)| Some(((*a)?, (*b)?))).collect();
    let (x, y): (Vec<f64>, Vec<f64>) = both.iter().copied().unzip();
    let ((mean_x, spread_x), (mean_y, spread_y)) = (Pairs::moments(&x), Pairs::moments(&y));
    let together: f64 = both.iter().map(|(x, y)| (x - mean_x) * (y - mean_y)).sum();
    let covariance = together / both.len() as f64;
    (spread_x > 0.0 && spread_y > 0.0)
        .then(|| (covariance / (spread_x * spread_x), covariance / (spread_x * spread_y)))
}

/// A figure of all pairs of columns, before and after.
pub(super) fn of_pairs(
    both: &Both<'_>,
    figure: impl Fn((f64, f64), (f64, f64)) -> f64,
) -> Option<f64> {
    let of = |columns: &[&sfumato_core::dataset::Column]| -> Vec<Vec<Option<f64>>> {
        columns.iter().map(|column| numbers(column)).collect()
    };
    let (old, new) = (of(both.original), of(both.published));
    let n = old.len();
    let pairs = (0..n).flat_map(|a| (0..n).map(move |b| (a, b))).filter(|(a, b)| a != b);
    let values = pairs.filter_map(|(a, b)| {
        let before = slope_and_correlation(&old[a], &old[b])?;
        Some(figure(before, slope_and_correlation(&new[a], &new[b]).unwrap_or((0.0, 0.0))))
    });
    values.reduce(f64::max)
}

impl PerturbedMetric for CorrelationsMoved {
    fn info(&self) -> &'static Info {
        &INFO
    }
    fn is_by_row(&self) -> bool {
        false
    }
    fn of_release(&self, both: &Both<'_>) -> Option<f64> {
        of_pairs(both, |before, after| (before.1 - after.1).abs())
    }
}
