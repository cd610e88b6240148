//! Measures the loss of the release and the remaining risk. It decides nothing.

use rayon::prelude::*;
use sfumato_core::dataset::{Column, Hierarchy, Table};
use sfumato_core::recoding::{Recoding, Value};
use sfumato_core::traits::{ClassSizes, Measurement, View};

use sfumato_engine::risks::risks;

use crate::data::class_index::class_sizes;

/// What was measured.
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
    /// The published values that lost most: column, text, records, loss of one cell.
    pub largest_losses: Vec<(String, String, u64, f64)>,
}

/// How many of the largest losses are kept.
const LARGEST: usize = 10;

/// Measure a recoding of a table whose classes have the given sizes (as verified, in people).
pub fn measure(
    table: &Table,
    recoding: &dyn Recoding,
    k: Option<u64>,
    class_people: &ClassSizes,
) -> Measured {
    let view = View::new(table, recoding, k);
    let quasi: Vec<_> = view.quasi.iter().map(|column| &column.codes).collect();
    let (metrics, classes_before) = rayon::join(
        || {
            crate::metrics::ALL
                .par_iter()
                .filter_map(|metric| Some((metric.info().name, metric.measure(&view)?)))
                .collect()
        },
        || class_sizes(&quasi, table.n_rows, table.subject.as_ref()),
    );
    Measured {
        metrics,
        risks: risks(&classes_before, class_people),
        suppressed: view.suppressed,
        suppressed_cells: suppressed_cells(recoding, &view.class_sizes),
        largest_losses: largest_losses(&view, LARGEST),
        classes_before,
    }
}

/// The published values that lost most, at most `most`: column, text, records, loss of one cell.
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

/// How many cells are suppressed: published as anything, in records that are published.
pub fn suppressed_cells(recoding: &dyn Recoding, class_sizes: &[u64]) -> u64 {
    let column = |quasi: usize| -> u64 {
        let column = recoding.column(quasi);
        let any: Vec<bool> = column
            .values
            .iter()
            .map(|value| matches!(value, Value::Any | Value::Node(Hierarchy::ROOT)))
            .collect();
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
