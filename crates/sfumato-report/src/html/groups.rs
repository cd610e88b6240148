//! Groups of a bucket release: what is published of them.

use super::page::{Cell, Page};
use crate::buckets::{Buckets, EXACT};
use crate::numbers::{percent, quantity};

/// The section's content.
pub(super) fn groups(page: &mut Page, buckets: &Buckets, counted: &str) {
    let form = match buckets.form.as_str() {
        "permuted" => "One table, its sensitive values permuted within groups".to_string(),
        _ => format!("Tables linked by the column {}", buckets.group),
    };
    page.paragraph(&format!("{form}. Groups: {}.", buckets.sizes(counted)));
    page.banner(&format!("In this release {EXACT}."));
    let words: Vec<String> = buckets.sensitive.iter().map(|column| column.words()).collect();
    page.list(&words);
    let rows: Vec<Vec<Cell>> = buckets
        .sensitive
        .iter()
        .map(|column| {
            vec![
                Cell::Head(column.name.clone()),
                Cell::Num(percent(column.largest_share)),
                Cell::Num(quantity(1.0 / column.largest_share)),
                Cell::Num(percent(column.association)),
            ]
        })
        .collect();
    let headings = [
        ("Column", false),
        ("Largest share of a value", true),
        ("One in", true),
        ("Share of a record's own value", true),
    ];
    page.table("Sensitive values in groups", &headings, &rows);
}
