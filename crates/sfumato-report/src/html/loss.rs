//! Renders the loss by column and overall, and the published values that lost most.

use super::page::{Cell, Page};
use crate::escape::shorten;
use crate::numbers::{count, percent, quantity};
use crate::svg::{self, Caption, Scale, Series};
use crate::{MetricNote, Ordered, Report, words};

/// The length to which published values are cut on the page. The JSON has the whole values.
const CELL: usize = 60;

/// How many columns have a bar; of more the worst are drawn.
const MOST_BARS: usize = 30;

/// Render the content of the section.
pub(super) fn loss(page: &mut Page, report: &Report) {
    if let Some((metric, by_column)) = report.metrics_by_column.iter().next() {
        let mut worst: Vec<(&str, f64)> =
            by_column.iter().map(|(column, value)| (column, value.unwrap_or(f64::NAN))).collect();
        let is_cut = worst.len() > MOST_BARS;
        if is_cut {
            worst.sort_by(|a, b| b.1.total_cmp(&a.1));
            worst.truncate(MOST_BARS);
        }
        let values: Vec<f64> = worst.iter().map(|(_, value)| *value).collect();
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
        let labels: Vec<String> = worst.iter().map(|(column, _)| column.to_string()).collect();
        page.subheading(&format!("Loss of each column ({name})"));
        if is_cut {
            let all = count(by_column.len() as u64);
            page.paragraph(&format!("The {MOST_BARS} columns of {all} that lose most."));
        }
        page.markup(&svg::bars(
            &caption,
            &labels,
            &[Series { name: &name, class: "after", values }],
            &scale,
        ));
        by_column_table(page, &report.metrics_by_column);
    }
    if !report.metrics.is_empty() {
        let what = report.words.cost;
        page.subheading(&format!("{what} of the whole release"));
        metrics(page, what, &report.metrics, &report.metric_notes);
    }
}

/// Append the table of metrics, with what each says and which way is better, as far as that is
/// known.
pub(super) fn metrics(
    page: &mut Page,
    what: &str,
    metrics: &Ordered<Option<f64>>,
    notes: &[MetricNote],
) {
    let row = |(name, value): (&str, &Option<f64>)| {
        let mut row = vec![
            Cell::Head(words::label(name)),
            Cell::Num(value.map_or("undefined".into(), quantity)),
        ];
        if !notes.is_empty() {
            let note = notes.iter().find(|note| note.name == name);
            row.push(Cell::Text(note.map_or("", MetricNote::direction).into()));
            row.push(Cell::Text(note.map_or("", |note| note.summary).into()));
        }
        row
    };
    let rows: Vec<Vec<Cell>> = metrics.iter().map(row).collect();
    let mut headings = vec![("Metric", false), ("Value", true)];
    if !notes.is_empty() {
        headings.extend([("Direction", false), ("What it says", false)]);
    }
    page.table(&format!("{what} by metric"), &headings, &rows);
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
