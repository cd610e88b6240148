//! Metrics of perturbed numbers: one file each, listed once.

use sfumato_core::dataset::Column;
use sfumato_core::registry::Info;
use sfumato_report::Ordered;

use crate::algorithms::perturbed::values::numbers;

/// The input of a metric for one column: original numbers and published ones, without missing
/// values.
pub struct Pairs {
    /// The original numbers.
    pub original: Vec<f64>,
    /// The published number of each.
    pub published: Vec<f64>,
}

impl Pairs {
    /// The mean and the standard deviation of some numbers.
    pub fn moments(numbers: &[f64]) -> (f64, f64) {
        let n = numbers.len() as f64;
        let mean = numbers.iter().sum::<f64>() / n;
        let variance = numbers.iter().map(|x| (x - mean) * (x - mean)).sum::<f64>() / n;
        (mean, variance.sqrt())
    }
}

/// Columns as they were and as they are published, row by row.
pub struct Both<'a> {
    /// The columns of the original.
    pub original: &'a [&'a Column],
    /// The published column of each.
    pub published: &'a [&'a Column],
}

impl Both<'_> {
    /// The numbers of each column that has some.
    fn pairs(&self) -> impl Iterator<Item = Pairs> + '_ {
        let columns = self.original.iter().zip(self.published);
        columns.filter_map(|(original, published)| {
            let both = numbers(original).into_iter().zip(numbers(published));
            let (original, published): (Vec<f64>, Vec<f64>) =
                both.filter_map(|(original, published)| Some((original?, published?))).unzip();
            (!original.is_empty()).then_some(Pairs { original, published })
        })
    }
}

/// A metric of perturbed values.
pub trait PerturbedMetric: Sync {
    /// The name, summary and parameters of the metric.
    fn info(&self) -> &'static Info;
    /// Whether it asks which record became which row.
    fn is_by_row(&self) -> bool {
        true
    }
    /// Its value for one column of numbers; `None` if it isn't defined.
    fn measure(&self, _: &Pairs) -> Option<f64> {
        None
    }
    /// Its value for a release: the mean over columns of numbers, where it is about single ones.
    fn of_release(&self, both: &Both<'_>) -> Option<f64> {
        let values: Vec<f64> = both.pairs().filter_map(|pairs| self.measure(&pairs)).collect();
        (!values.is_empty()).then(|| values.iter().sum::<f64>() / values.len() as f64)
    }
}

/// Some metrics of a release.
pub fn measure(
    metrics: impl Iterator<Item = &'static dyn PerturbedMetric>,
    both: &Both<'_>,
) -> Ordered<Option<f64>> {
    metrics.map(|metric| (metric.info().name, metric.of_release(both))).collect()
}

/// The metrics that don't ask which record became which row, so that made-up records have them.
pub fn of_distributions() -> impl Iterator<Item = &'static dyn PerturbedMetric> {
    ALL.iter().copied().filter(|metric| !metric.is_by_row())
}

sfumato_core::registry! {
    /// Every metric of perturbed numbers.
    dyn PerturbedMetric:
    mean_absolute_error::MeanAbsoluteError,
    spread_kept::SpreadKept,
    sse_ratio::SseRatio,
    correlations_moved::CorrelationsMoved,
    slopes_moved::SlopesMoved,
    cells_changed::CellsChanged,
    tables_moved::TablesMoved,
    pair_tables_moved::PairTablesMoved,
    distribution_rebuilt::DistributionRebuilt,
}
