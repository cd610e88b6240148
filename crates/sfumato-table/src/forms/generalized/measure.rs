//! Measures the loss of the release and the remaining risk. It decides nothing.

use rayon::prelude::*;
use sfumato_core::dataset::{Column, Hierarchy, Table};
use sfumato_core::recoding::{Recoding, Value};
use sfumato_core::traits::{
    ClassSizes, Combine, MeasuredPart, Measurement, Metric, View, combined,
};
use sfumato_core::{FastMap, FastSet};

use sfumato_engine::job::Population;
use sfumato_engine::risks::risks;

use crate::data::class_index::class_sizes;

/// The loss and the risks that were measured.
#[derive(Debug, Clone, Default)]
pub struct Measured {
    /// Metrics by name, in the order of the registry; those that don't apply are left out.
    pub metrics: Vec<(&'static str, Measurement)>,
    /// Risks by name: before and after.
    pub risks: Vec<(&'static str, Option<f64>, Option<f64>)>,
    /// Sizes of the original's classes, in people.
    pub classes_before: ClassSizes,
    /// The number of suppressed records.
    pub suppressed: u64,
    /// The number of suppressed cells.
    pub suppressed_cells: u64,
    /// The number of published records of which every quasi cell is suppressed.
    pub blank: u64,
    /// The published values that lost most: column, text, records, loss of one cell.
    pub largest_losses: Vec<(String, String, u64, f64)>,
}

/// How many of the largest losses are kept.
const LARGEST: usize = 10;

/// Published values whose losses are kept between partitions.
const LOSSES: usize = 4096;

/// A published value: column, text, records, loss of one cell.
type Loss = (String, String, u64, f64);

/// What was measured so far: partitions are measured while they are in memory, and the figures are
/// put together. Those of one partition are what they are.
#[derive(Default)]
pub struct Figures {
    n_partitions: usize,
    /// For each metric its value in each partition, with the records there.
    metrics: Vec<Vec<MeasuredPart>>,
    before: ClassSizes,
    suppressed: u64,
    suppressed_cells: u64,
    blank: u64,
    /// Of one partition, in their order.
    largest: Vec<Loss>,
    /// Of several, by column and text: records, and what a cell loses.
    losses: FastMap<(String, String), (u64, f64)>,
    /// Per quasi column the records in which it says nothing.
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
    blank: u64,
    losses: Vec<Loss>,
    lost: Vec<u64>,
    published: u64,
}

/// Measure a partition while it is in memory. Metrics that need the whole table at once are only
/// measured if it is that.
pub fn measure_partition(
    table: &Table,
    recoding: &dyn Recoding,
    k: Option<u64>,
    is_everything: bool,
) -> PartitionFigures {
    let view = View::new(table, recoding, k);
    let quasi: Vec<_> = view.quasi.iter().map(|column| &column.codes).collect();
    let is_measured = |metric: &dyn Metric| is_everything || metric.combine() != Combine::Whole;
    let (metrics, before) = rayon::join(
        || {
            crate::metrics::ALL
                .par_iter()
                .map(|metric| is_measured(*metric).then(|| metric.measure(&view)).flatten())
                .collect()
        },
        || class_sizes(&quasi, table.n_rows, table.subject.as_ref()),
    );
    let lost = |index: usize| -> u64 {
        let values = &recoding.column(index).values;
        let records = values.iter().zip(view.records_per_value(index));
        records.filter(|(value, _)| is_lost(value)).map(|(_, records)| records).sum()
    };
    PartitionFigures {
        metrics,
        records: table.n_rows as u64,
        before,
        suppressed: view.suppressed,
        suppressed_cells: suppressed_cells(recoding, &view.class_sizes),
        blank: blank_records(recoding, &view.class_sizes),
        losses: largest_losses(&view, if is_everything { LARGEST } else { LOSSES }),
        lost: (0..recoding.n_columns()).map(lost).collect(),
        published: view.class_sizes.iter().sum(),
    }
}

/// Whether a published value says nothing.
fn is_lost(value: &Value) -> bool {
    matches!(value, Value::Any | Value::Node(Hierarchy::ROOT))
}

impl Figures {
    /// Take the figures of a partition.
    pub fn add(&mut self, part: PartitionFigures) {
        self.n_partitions += 1;
        self.metrics.resize_with(part.metrics.len(), Vec::new);
        for (all, one) in self.metrics.iter_mut().zip(part.metrics) {
            let (records, suppressed) = (part.records, part.suppressed);
            all.extend(one.map(|value| MeasuredPart { value, records, suppressed }));
        }
        self.before.merge(&part.before);
        self.suppressed += part.suppressed;
        self.suppressed_cells += part.suppressed_cells;
        self.blank += part.blank;
        self.lost.resize(part.lost.len(), 0);
        self.lost.iter_mut().zip(&part.lost).for_each(|(all, one)| *all += one);
        self.published += part.published;
        if self.n_partitions == 1 {
            self.largest = part.losses;
            return;
        }
        for (column, text, records, loss) in self.largest.drain(..).chain(part.losses) {
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

    /// The quasi columns that say nothing in more than half of the records, with the share of
    /// these.
    pub fn lost_columns(&self) -> Vec<(usize, f64)> {
        let share = |lost: &u64| *lost as f64 / self.published.max(1) as f64;
        self.lost.iter().map(share).enumerate().filter(|(_, share)| *share > 0.5).collect()
    }

    /// How many records say nothing to whoever doesn't know them: those that aren't published, and
    /// those of which every quasi cell is suppressed.
    pub fn silent(&self) -> (u64, u64) {
        (self.suppressed, self.blank)
    }

    /// Put everything together; `after` are the classes of the release as verified, in people.
    pub fn finish(&self, after: &ClassSizes, population: Option<Population>) -> Measured {
        let together = |(metric, parts): (&&'static dyn Metric, &Vec<MeasuredPart>)| {
            let value = match self.n_partitions {
                1 => parts.first().map(|part| part.value.clone()),
                _ => combined(metric.combine(), parts),
            };
            Some((metric.info().name, value?))
        };
        let mut losses = self.largest.clone();
        let merged = self.losses.iter();
        losses.extend(merged.map(|((column, text), (records, loss))| {
            (column.clone(), text.clone(), *records, *loss)
        }));
        if self.n_partitions > 1 {
            let weight = |loss: &Loss| loss.2 as f64 * loss.3;
            losses.sort_by(|a, b| {
                weight(b).total_cmp(&weight(a)).then_with(|| (&a.0, &a.1).cmp(&(&b.0, &b.1)))
            });
        }
        losses.truncate(LARGEST);
        Measured {
            metrics: crate::metrics::ALL.iter().zip(&self.metrics).filter_map(together).collect(),
            risks: risks(&self.before, after, population),
            classes_before: self.before.clone(),
            suppressed: self.suppressed,
            suppressed_cells: self.suppressed_cells,
            blank: self.blank,
            largest_losses: losses,
        }
    }
}

/// The names of metrics that need the whole table at once.
pub fn whole_metrics() -> Vec<&'static str> {
    let whole = crate::metrics::ALL.iter().filter(|metric| metric.combine() == Combine::Whole);
    whole.map(|metric| metric.info().name).collect()
}

/// The published values that lost most, at most so many: column, text, records, loss of one cell.
pub fn largest_losses(view: &View<'_>, most: usize) -> Vec<(String, String, u64, f64)> {
    let mut losses = Vec::new();
    for (quasi, column) in view.quasi.iter().enumerate() {
        let records = view.records_per_value(quasi);
        for (value, records) in view.recoding.column(quasi).values.iter().zip(records) {
            let loss = value.ncp(column);
            if loss > 0.0 && records > 0 {
                losses.push((quasi, *value, records, loss));
            }
        }
    }
    let weight =
        |loss: &(usize, Value, u64, f64)| loss.3 * loss.2 as f64 * view.quasi[loss.0].weight;
    losses
        .sort_by(|a, b| weight(b).total_cmp(&weight(a)).then_with(|| (a.0, a.1).cmp(&(b.0, b.1))));
    let render = |(quasi, value, records, loss): (usize, Value, u64, f64)| {
        let column: &Column = view.quasi[quasi];
        (column.name.clone(), value.render(column), records, loss)
    };
    losses.into_iter().take(most).map(render).collect()
}

/// How many rows lack a value in a column.
pub fn count_missing(column: &Column) -> u64 {
    let missing = column.domain.missing();
    column.codes.counts(column.domain.len() + 1)[missing as usize]
}

/// How many different values a column has in the data.
pub fn count_distinct(column: &Column) -> u64 {
    let counts = column.codes.counts(column.domain.len() + 1);
    counts[..column.domain.len()].iter().filter(|count| **count > 0).count() as u64
}

/// How many published records have every quasi cell suppressed.
pub fn blank_records(recoding: &dyn Recoding, class_sizes: &[u64]) -> u64 {
    let columns: Vec<_> = (0..recoding.n_columns()).map(|quasi| recoding.column(quasi)).collect();
    let is_blank = |class: usize| {
        columns.iter().all(|column| is_lost(&column.values[column.of_class[class] as usize]))
    };
    let classes = class_sizes.iter().enumerate().filter(|(class, _)| is_blank(*class));
    classes.map(|(_, size)| size).sum()
}

/// How many cells are suppressed: published as anything, in records that are published.
pub fn suppressed_cells(recoding: &dyn Recoding, class_sizes: &[u64]) -> u64 {
    let column = |quasi: usize| -> u64 {
        let column = recoding.column(quasi);
        let any: Vec<bool> = column.values.iter().map(is_lost).collect();
        column
            .of_class
            .iter()
            .zip(class_sizes)
            .filter(|(v, _)| any[**v as usize])
            .map(|(_, size)| size)
            .sum()
    };
    (0..recoding.n_columns()).map(column).sum()
}
