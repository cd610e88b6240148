//! Renders the loss by column and overall, and the published values that lost most.

use super::page::{Cell, Page};
use crate::escape::shorten;
use crate::numbers::{count, percent, quantity};
use crate::svg::{self, Caption, Scale, Series};
use crate::{Ordered, Report, words};

/// The length to which published values are cut on the page. The JSON has the whole values.
const CELL: usize = 60;

/// Render the content of the section.
pub(super) fn loss(page: &mut Page, report: &Report) {
    if let Some((metric, by_column)) = report.metrics_by_column.iter().next() {
        let values: Vec<f64> =
            by_column.iter().map(|(_, value)| value.unwrap_or(f64::NAN)).collect();
        let are_shares = values.iter().all(|value| !(*value < 0.0 || *value > 1.0));
        let scale = if are_shares {
            Scale { top: Some(1.0), format: percent }
        } else {
            Scale { top: None, format: quantity }
        };
        let name = words::label(metric);
        let caption = Caption {
            id: "loss-bars",
            title: &format!("Loss of each column by {name}"),
            description: "One bar for each column; the table below has the numbers.",
        };
        let labels: Vec<String> = by_column.iter().map(|(column, _)| column.to_string()).collect();
        page.subheading(&format!("Loss of each column ({name})"));
        page.markup(&svg::bars(
            &caption,
            &labels,
            &[Series { name: &name, class: "after", values }],
            &scale,
        ));
        by_column_table(page, &report.metrics_by_column);
    }
    if !report.metrics.is_empty() {
        let figure = |value: &Option<f64>| Cell::Num(value.map_or("undefined".into(), quantity));
        let rows: Vec<Vec<Cell>> = report
            .metrics
            .iter()
            .map(|(name, value)| vec![Cell::Head(words::label(name)), figure(value)])
            .collect();
        let what = report.words.cost;
        page.subheading(&format!("{what} of the whole release"));
        page.table(&format!("{what} by metric"), &[("Metric", false), ("Value", true)], &rows);
    }
}

fn by_column_table(page: &mut Page, metrics: &Ordered<Ordered<Option<f64>>>) {
    // Every column named by any metric, in the order of first mention.
    let columns: Ordered<()> = metrics
        .iter()
        .flat_map(|(_, values)| values.iter().map(|(column, _)| (column, ())))
        .collect();
    let names: Vec<String> = metrics.iter().map(|(name, _)| words::label(name)).collect();
    let mut headings = vec![("Column", false)];
    headings.extend(names.iter().map(|name| (name.as_str(), true)));
    let rows: Vec<Vec<Cell>> = columns
        .iter()
        .map(|(column, ())| {
            let mut row = vec![Cell::Head(column.to_string())];
            row.extend(metrics.iter().map(|(_, values)| {
                let value = values.get(column).copied().flatten();
                Cell::Num(value.map_or("\u{2013}".into(), quantity))
            }));
            row
        })
        .collect();
    page.table("Loss by column and metric", &headings, &rows);
}

/// Render the content of the section about single values.
pub(super) fn largest_losses(page: &mut Page, report: &Report) {
    page.paragraph(
        "The published values that say least, worst first. They are where a better hierarchy would \
            pay.",
    );
    let rows: Vec<Vec<Cell>> = report
        .largest_losses
        .iter()
        .map(|l| {
            vec![
                Cell::Head(l.column.clone()),
                Cell::Text(shorten(&l.published, CELL)),
                Cell::Num(count(l.records)),
                Cell::Num(percent(l.loss)),
            ]
        })
        .collect();
    let headings =
        [("Column", false), ("Published", false), ("Records", true), ("Loss of each", true)];
    page.table("Largest losses", &headings, &rows);
}
