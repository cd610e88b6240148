//! Renders risks before and after: paired bars and their numbers.

use super::page::{Cell, Page};
use crate::numbers::{percent, quantity};
use crate::svg::{self, Caption, Scale, Series};
use crate::{Change, Ordered, words};

/// Render the content of the section.
pub(super) fn risks(page: &mut Page, risks: &Ordered<Change>) {
    page.paragraph(
        "The prosecutor knows that a person is in the data and looks for the record. The \
            journalist knows of somebody \
         in the population and would be content with any re-identification. The marketer links as \
         many as \
         possible: the figure is the expected share of right links.",
    );
    let shares: Vec<(&str, &Change)> = risks.iter().filter(|(name, _)| !is_count(name)).collect();
    let labels: Vec<String> = shares.iter().map(|(name, _)| words::label(name)).collect();
    let values = |pick: fn(&Change) -> Option<f64>| -> Vec<f64> {
        shares.iter().map(|(_, change)| pick(change).unwrap_or(f64::NAN)).collect()
    };
    let series = [
        Series { name: "before", class: "before", values: values(|change| change.before) },
        Series { name: "after", class: "after", values: values(|change| change.after) },
    ];
    let caption = Caption {
        id: "risk-bars",
        title: "Risk before and after",
        description: "Two bars for each risk, hatched for the original and solid for the release, \
            from 0 to 100 %.",
    };
    if !shares.is_empty() {
        page.markup(&svg::bars(
            &caption,
            &labels,
            &series,
            &Scale { top: Some(1.0), format: percent },
        ));
    }
    let rows: Vec<Vec<Cell>> = risks
        .iter()
        .map(|(name, change)| {
            let format = if is_count(name) { quantity } else { percent };
            vec![
                Cell::Head(words::label(name)),
                Cell::Num(side(change.before, format)),
                Cell::Num(side(change.after, format)),
            ]
        })
        .collect();
    page.table("Risks in numbers", &[("Risk", false), ("Before", true), ("After", true)], &rows);
}

/// Whether a risk counts records, by the naming convention of [`Report::risks`].
fn is_count(name: &str) -> bool {
    name.starts_with("records")
}

/// One side of a change, or a note that it wasn't measured.
pub(super) fn side(value: Option<f64>, format: fn(f64) -> String) -> String {
    value.map_or("not measured".into(), format)
}
