//! Bitmaps: how a row is to be read, and how much of it is in doubt.

use super::page::{Cell, Page};
use crate::bitmaps::{Bitmaps, WORLDS};
use crate::numbers::{count, quantity};

/// The section's content.
pub(super) fn bitmaps(page: &mut Page, bitmaps: &Bitmaps) {
    page.banner(&format!("In this release {WORLDS}."));
    page.paragraph(&format!("{}.", bitmaps.words()));
    let row = |name: &str, figure: String| vec![Cell::Head(name.into()), Cell::Num(figure)];
    let rows = [
        row("Rows that each record matches", count(bitmaps.matches)),
        row("Different items", count(bitmaps.items)),
        row("Items of a base set, on average", quantity(bitmaps.mean_base)),
        row("Items of a distance set, on average", quantity(bitmaps.mean_distance)),
        row("Threshold, on average", quantity(bitmaps.mean_threshold)),
        row("Largest threshold", count(u64::from(bitmaps.largest_threshold))),
        row("Rows without doubt", count(bitmaps.exact_rows)),
    ];
    page.table("What is in doubt", &[("Figure", false), ("Value", true)], &rows);
}
