//! Loss and risk of a release that is never in memory as a whole: each partition is measured while
//! it is in memory, and the figures are combined.

use sfumato_core::dataset::{Hierarchy, Table};
use sfumato_core::recoding::{Recoding, Value};
use sfumato_core::traits::{ClassSizes, Combine, MeasuredPart, Measurement, View, combined};
use sfumato_core::{FastMap, FastSet};
use sfumato_engine::risks::risks;

use crate::data::class_index::class_sizes;
use crate::forms::generalized::measure::{Measured, largest_losses, suppressed_cells};

/// The number of published values whose losses are kept between partitions.
const LOSSES: usize = 4096;

/// The figures so far.
#[derive(Default)]
pub struct Parts {
    /// For each metric that can be combined, its value in each partition, with the number of
    /// records.
    metrics: Vec<Vec<MeasuredPart>>,
    before: ClassSizes,
    suppressed: u64,
    suppressed_cells: u64,
    /// By column and text: the number of records, and the loss of a cell.
    losses: FastMap<(String, String), (u64, f64)>,
    /// Per quasi column, the number of records in which it is suppressed.
    lost: Vec<u64>,
    published: u64,
}

/// The figures of one partition.
pub struct PartitionFigures {
    metrics: Vec<Option<Measurement>>,
    records: u64,
    before: ClassSizes,
    suppressed: u64,
    suppressed_cells: u64,
    losses: Vec<(String, String, u64, f64)>,
    lost: Vec<u64>,
    published: u64,
}

/// Measure a partition while it is in memory.
pub fn measure_part(table: &Table, recoding: &dyn Recoding, k: Option<u64>) -> PartitionFigures {
    use rayon::prelude::*;
    let view = View::new(table, recoding, k);
    let quasi: Vec<_> = view.quasi.iter().map(|column| &column.codes).collect();
    let (metrics, before) = rayon::join(
        || {
            crate::metrics::ALL
                .par_iter()
                .map(|metric| {
                    (metric.combine() != Combine::Whole).then(|| metric.measure(&view)).flatten()
                })
                .collect()
        },
        || class_sizes(&quasi, table.n_rows, table.subject.as_ref()),
    );
    let is_lost = |value: &Value| matches!(value, Value::Any | Value::Node(Hierarchy::ROOT));
    let lost = |index: usize| -> u64 {
        let values = &recoding.column(index).values;
        values
            .iter()
            .zip(view.records_per_value(index))
            .filter(|(v, _)| is_lost(v))
            .map(|(_, n)| n)
            .sum()
    };
    PartitionFigures {
        metrics,
        records: table.n_rows as u64,
        before,
        suppressed: view.suppressed,
        suppressed_cells: suppressed_cells(recoding, &view.class_sizes),
        losses: largest_losses(&view, LOSSES),
        lost: (0..recoding.n_columns()).map(lost).collect(),
        published: view.class_sizes.iter().sum(),
    }
}

impl Parts {
    /// Add the figures of a partition.
    pub fn add(&mut self, part: PartitionFigures) {
        self.metrics.resize_with(part.metrics.len(), Vec::new);
        for (all, one) in self.metrics.iter_mut().zip(part.metrics) {
            let (records, suppressed) = (part.records, part.suppressed);
            all.extend(one.map(|value| MeasuredPart { value, records, suppressed }));
        }
        self.before.merge(&part.before);
        self.suppressed += part.suppressed;
        self.suppressed_cells += part.suppressed_cells;
        self.lost.resize(part.lost.len(), 0);
        self.lost.iter_mut().zip(&part.lost).for_each(|(all, one)| *all += one);
        self.published += part.published;
        for (column, text, records, loss) in part.losses {
            let (all, _) = self.losses.entry((column, text)).or_insert((0, loss));
            *all += records;
        }
        self.forget_small_losses();
    }

    fn forget_small_losses(&mut self) {
        if self.losses.len() <= 2 * LOSSES {
            return;
        }
        let mut weights: Vec<((String, String), f64)> = self
            .losses
            .iter()
            .map(|(key, (records, loss))| (key.clone(), *records as f64 * loss))
            .collect();
        weights.sort_by(|a, b| b.1.total_cmp(&a.1).then_with(|| a.0.cmp(&b.0)));
        let kept: FastSet<(String, String)> =
            weights.into_iter().take(LOSSES).map(|(key, _)| key).collect();
        self.losses.retain(|key, _| kept.contains(key));
    }

    /// The quasi columns that are suppressed in more than half of the records, with the share of
    /// these records.
    pub fn lost_columns(&self) -> Vec<(usize, f64)> {
        let share = |lost: &u64| *lost as f64 / self.published.max(1) as f64;
        self.lost.iter().map(share).enumerate().filter(|(_, share)| *share > 0.5).collect()
    }

    /// The names of metrics that need the whole table at once.
    pub fn left_out() -> Vec<&'static str> {
        let whole = crate::metrics::ALL.iter().filter(|metric| metric.combine() == Combine::Whole);
        whole.map(|metric| metric.info().name).collect()
    }

    /// Combine everything. `after` are the classes of the release.
    pub fn finish(self, after: &ClassSizes) -> Measured {
        const LARGEST: usize = 10;
        let metrics = crate::metrics::ALL
            .iter()
            .zip(&self.metrics)
            .filter_map(|(metric, parts)| {
                Some((metric.info().name, combined(metric.combine(), parts)?))
            })
            .collect();
        let mut losses: Vec<(String, String, u64, f64)> = self
            .losses
            .into_iter()
            .map(|((column, text), (n, loss))| (column, text, n, loss))
            .collect();
        let weight = |loss: &(String, String, u64, f64)| loss.2 as f64 * loss.3;
        losses.sort_by(|a, b| {
            weight(b).total_cmp(&weight(a)).then_with(|| (&a.0, &a.1).cmp(&(&b.0, &b.1)))
        });
        losses.truncate(LARGEST);
        Measured {
            metrics,
            risks: risks(&self.before, after),
            classes_before: self.before,
            suppressed: self.suppressed,
            suppressed_cells: self.suppressed_cells,
            largest_losses: losses,
        }
    }
}
