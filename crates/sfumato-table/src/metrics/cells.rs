//! Sums over cells, for metrics whose value is a cost per published cell.
//!
//! Records of a class are published alike, so a cost is computed once per distinct published value
//! and multiplied: O(classes + values) per column, never O(rows).

use sfumato_core::dataset::{Column, Table};
use sfumato_core::recoding::Value;
use sfumato_core::traits::{Join, Measurement, Objective, View};

/// Per quasi column, the sum of a cost over all records. Suppressed records cost as much as
/// [`Value::Any`]. `None` without records or quasi columns.
pub(crate) fn sums(view: &View<'_>, cost: impl Fn(Value, &Column) -> f64) -> Option<Vec<f64>> {
    if view.table.n_rows == 0 || view.quasi.is_empty() {
        return None;
    }
    let sum = |(quasi, column): (usize, &&Column)| {
        let values = &view.recoding.column(quasi).values;
        let records = view.records_per_value(quasi);
        let published = values.iter().zip(records).filter(|(_, records)| *records > 0);
        let published: f64 =
            published.map(|(value, records)| records as f64 * cost(*value, column)).sum();
        // Not only a saving: without a suppressed record, a cost of 0 times infinity can't arise.
        match view.suppressed {
            0 => published,
            suppressed => published + suppressed as f64 * cost(Value::Any, column),
        }
    };
    Some(view.quasi.iter().enumerate().map(sum).collect())
}

/// The mean cost of a cell, with all columns weighted alike, and the mean of each column.
pub(crate) fn mean(view: &View<'_>, cost: impl Fn(Value, &Column) -> f64) -> Option<Measurement> {
    let by_column = means(view, cost)?;
    let overall = by_column.iter().sum::<f64>() / by_column.len() as f64;
    Some(Measurement { overall, by_column })
}

/// The mean cost of a cell, per column.
pub(crate) fn means(view: &View<'_>, cost: impl Fn(Value, &Column) -> f64) -> Option<Vec<f64>> {
    let mut means = sums(view, cost)?;
    means.iter_mut().for_each(|sum| *sum /= view.table.n_rows as f64);
    Some(means)
}

/// How many values of the domain a published value may stand for, at least 1: missing published as
/// missing stands for itself.
pub(crate) fn leaves(value: Value, column: &Column) -> f64 {
    f64::from(value.leaves(column).max(1))
}

/// How many values the domain has, at least 1.
pub(crate) fn domain_size(column: &Column) -> f64 {
    column.domain.len().max(1) as f64
}

/// The objective of a metric that adds the cost of each cell.
pub(crate) fn objective<'a>(
    metric: &'static str,
    table: &'a Table,
    cost: impl Fn(Value, &Column) -> f64 + Send + Sync + 'a,
) -> Objective<'a> {
    let quasi = table.quasi();
    let n_quasi = quasi.len();
    Objective::of_cells(metric, Join::Sum, n_quasi, move |i, value| cost(value, quasi[i]))
}
