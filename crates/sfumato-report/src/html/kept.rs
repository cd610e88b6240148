//! Renders what can still be told from each column: a word, a sentence, and its distribution before
//! and after.

use super::page::{Cell, Page};
use crate::numbers::percent;
use crate::svg::{self, Caption, Scale, Series};
use crate::{Kept, Report, kept};

/// How many distributions are shown without opening them.
const OPEN: usize = 4;

/// How many distributions a page has.
const DRAWN: usize = 60;

/// Render the content of the section.
pub(super) fn kept(page: &mut Page, report: &Report) {
    if let Some(sentence) = kept::sentence(&report.kept) {
        page.paragraph(&format!("The release still tells {sentence}."));
    }
    let row = |one: &Kept| {
        vec![
            Cell::Head(one.part.clone()),
            Cell::Text(one.word().into()),
            Cell::Text(one.told.clone()),
            Cell::Num(percent(one.lost)),
            Cell::Num(one.moved.map_or("\u{2013}".into(), percent)),
        ]
    };
    let headings = [
        ("Column", false),
        ("Kept", false),
        ("What is published", false),
        ("Loss", true),
        ("Shape moved", true),
    ];
    page.table(
        "What can still be told from each column",
        &headings,
        &report.kept.iter().map(row).collect::<Vec<_>>(),
    );
    page.paragraph(exclusive(&report.kept).as_str());
    if !report.words.truthful.is_empty() {
        page.paragraph(report.words.truthful);
    }
    if report.kept.iter().any(|one| !one.distribution.is_empty()) {
        page.subheading("Distributions before and after");
        page.paragraph(
            "A published range or group counts evenly for all values that it covers; a record \
             that isn't published counts for none.",
        );
        distributions(page, "shape", &report.kept);
    }
}

/// Whether values are published beside others that include them, in a sentence.
pub(super) fn exclusive(kept: &[Kept]) -> String {
    let overlapping: Vec<&str> =
        kept.iter().filter(|one| !one.exclusive).map(|one| one.part.as_str()).collect();
    match overlapping.len() {
        0 => {
            "Values are exclusive: none is published beside a wider one that includes it, so that \
              common tools can count them."
                .into()
        }
        n => {
            let names = match n {
                1..=6 => overlapping.join(", "),
                n => format!("{n} columns"),
            };
            format!(
                "Values aren't exclusive in {names}: some are published beside a wider one that \
                 includes or overlaps them. Common tools take them for different values; count \
                 with sfumato query, or take an algorithm that recodes each column by itself, such \
                 as datafly or full-domain."
            )
        }
    }
}

/// Render the distributions of columns, each in a part that can be folded.
pub(super) fn distributions(page: &mut Page, id: &str, kept: &[Kept]) {
    let drawn = kept.iter().filter(|one| !one.distribution.is_empty());
    for (place, one) in drawn.clone().take(DRAWN).enumerate() {
        let moved = one.moved.map_or(String::new(), |moved| format!(", moved {}", percent(moved)));
        page.folded(&format!("{}{moved}", one.part), place < OPEN, |page| {
            let caption = Caption {
                id: &format!("{id}-{place}"),
                title: &format!("Distribution of {} before and after", one.part),
                description: "Two bars for each value or range: its share before and after.",
            };
            let labels: Vec<String> =
                one.distribution.iter().map(|bar| bar.label.clone()).collect();
            let series = |name, class, value: fn(&crate::Bar) -> f64| Series {
                name,
                class,
                values: one.distribution.iter().map(value).collect(),
            };
            let series = [
                series("before", "before", |bar| bar.before),
                series("after", "after", |bar| bar.after),
            ];
            let scale = Scale { top: None, format: percent };
            page.markup(&svg::bars(&caption, &labels, &series, &scale));
        });
    }
    let left = drawn.count().saturating_sub(DRAWN);
    if left > 0 {
        page.paragraph(&format!("{left} more distributions are in the JSON report."));
    }
}
