//! The page of a comparison: releases of the same data side by side.

use super::kept::distributions;
use super::page::{Cell, Page};
use crate::compare::{Comparison, Row};

/// The comparison as one self-contained HTML page.
pub fn render_comparison(compared: &Comparison) -> String {
    let mut page = Page::open("Comparison", &format!("Releases of {}", compared.original));
    page.banner("Keep this page private: it tells about the original data.");
    let letters = compared.letters();
    page.section("verdict", "What it comes to", |page| {
        let named = letters.iter().zip(&compared.releases);
        page.list(&named.map(|(l, side)| format!("{l}: {}", side.path)).collect::<Vec<_>>());
        page.list(&compared.verdict());
    });
    page.contents();
    let table = |page: &mut Page, caption: &str, rows: Vec<Row>| {
        let has_notes = rows.iter().any(|row| !row.note.is_empty());
        let mut headings = vec![("", false)];
        headings.extend(letters.iter().map(|letter| (letter.as_str(), false)));
        headings.extend(has_notes.then_some(("", false)));
        let cells = |row: Row| {
            let mut cells = vec![Cell::Head(row.name)];
            cells.extend(row.cells.into_iter().map(Cell::Text));
            cells.extend(has_notes.then_some(Cell::Text(row.note)));
            cells
        };
        page.table(caption, &headings, &rows.into_iter().map(cells).collect::<Vec<_>>());
    };
    page.section("sizes", "Records and classes", |page| {
        table(page, "Records and classes", compared.sizes());
    });
    let metrics = compared.metrics();
    if !metrics.is_empty() {
        page.section("metrics", "Metrics", |page| {
            table(page, "Metrics, measured in the files", metrics);
            let explained = compared.metric_notes.iter();
            let is_shown =
                |name: &str| compared.releases.iter().any(|side| side.metrics.get(name).is_some());
            let explained = explained
                .filter(|note| is_shown(note.name))
                .map(|note| format!("{}: {}", note.name, note.summary));
            page.list(&explained.collect::<Vec<_>>());
        });
    }
    let answers = compared.answers();
    if !answers.is_empty() {
        page.section("answers", "Questions", |page| {
            page.paragraph(
                "The same counts were asked of every release and of the original. An error is a \
                 share of the true count, or of one per cent of the records where that is more.",
            );
            table(page, "Errors of answers", answers);
        });
    }
    let losses = compared.losses();
    if !losses.is_empty() {
        page.section("parts", "What each part loses", |page| {
            table(page, "What is kept of each part", losses);
        });
    }
    for (place, (letter, side)) in letters.iter().zip(&compared.releases).enumerate() {
        if side.kept.iter().any(|kept| !kept.distribution.is_empty()) {
            page.section(
                &format!("shape-{place}"),
                &format!("Distributions of {letter}"),
                |page| {
                    distributions(page, &format!("shape-{place}"), &side.kept);
                },
            );
        }
    }
    let remarks: Vec<String> = letters
        .iter()
        .zip(&compared.releases)
        .flat_map(|(letter, side)| side.remarks.iter().map(move |said| format!("{letter}: {said}")))
        .collect();
    if !remarks.is_empty() {
        page.section("remarks", "What couldn't be measured", |page| page.list(&remarks));
    }
    page.close(env!("CARGO_PKG_VERSION"))
}
