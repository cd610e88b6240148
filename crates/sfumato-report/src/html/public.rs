//! The page to publish with the release. It is made only from the public report.

use super::blocks;
use super::loss::metrics;
use super::page::{Cell, Page};
use crate::audit::audit_command;
use crate::numbers::{count, percent, quantity};
use crate::{Guarantee, Place, PublicReport, Tile, words};

/// The public report as one self-contained HTML page.
pub fn render_public(report: &PublicReport) -> String {
    let mut page =
        Page::open("About this release", "What its privacy protection promises, and what it cost");
    let smallest = report.classes.as_ref().map(|classes| classes.min);
    let verdict = words::verdict(&report.guarantees, report.evidence, smallest);
    page.verdict(&verdict, report.evidence.words());
    page.tiles(&tiles(report));
    page.contents();
    if !report.guarantees.is_empty() {
        page.section("asked", "Asked and reached", |page| {
            page.guarantees(&report.guarantees, false)
        });
    }
    of_forms(&mut page, report, Place::Front);
    if !report.columns.is_empty() {
        page.section("columns", "Columns", |page| columns(page, report));
    }
    of_forms(&mut page, report, Place::Details);
    if !report.metrics.is_empty() {
        page.section("loss", report.words.cost, |page| loss(page, report));
    }
    page.section("check", "Check it yourself", |page| check(page, report));
    page.close(&report.version)
}

fn of_forms(page: &mut Page, report: &PublicReport, place: Place) {
    for section in report.sections.iter().filter(|section| section.place == place) {
        blocks::section(page, &section.title, &section.blocks);
    }
}

fn counted(report: &PublicReport) -> &str {
    if report.counted.is_empty() { "records" } else { &report.counted }
}

fn tiles(report: &PublicReport) -> Vec<Tile> {
    let mut tiles = Vec::new();
    if let Some(output) = &report.output {
        tiles.push(Tile::new("Records", count(output.rows), "in the released file"));
    }
    if let Some(classes) = &report.classes {
        let counted = counted(report);
        let sizes = format!(
            "{} to {} {counted}, mean {}",
            count(classes.min),
            count(classes.max),
            quantity(classes.mean)
        );
        tiles.push(Tile::new("Classes", count(classes.count), sizes));
    }
    if let Some(left_out) = &report.suppressed {
        let (share, cells) = (percent(left_out.share), count(left_out.cells));
        let small = format!("records ({share}), {cells} {}", report.words.cells);
        tiles.push(Tile::new("Left out", count(left_out.records), small));
    }
    if !report.algorithm.is_empty() {
        tiles.push(Tile::new("Algorithm", report.algorithm.clone(), ""));
    }
    tiles
}

fn columns(page: &mut Page, report: &PublicReport) {
    let quasi = format!("quasi-identifier: could be known from elsewhere, {}", report.words.quasi);
    let rows: Vec<Vec<Cell>> = report
        .columns
        .iter()
        .map(|column| {
            let role = match column.role.as_str() {
                "quasi" => quasi.as_str(),
                "sensitive" => "sensitive: what must not be learned about a person",
                "target" => "target: what the data is to predict",
                "keep" => "kept: published as it is",
                "pseudonym" => "pseudonym: stands for an identifier, which isn't published",
                other => other,
            };
            let kind = column.generalisation.clone().unwrap_or_else(|| "none".into());
            vec![Cell::Head(column.name.clone()), Cell::Text(role.into()), Cell::Text(kind)]
        })
        .collect();
    page.table(
        "Published columns",
        &[("Column", false), ("Role", false), ("Generalisation", false)],
        &rows,
    );
}

fn loss(page: &mut Page, report: &PublicReport) {
    page.paragraph(report.words.cost_note);
    if !report.words.truthful.is_empty() {
        page.paragraph(report.words.truthful);
    }
    metrics(page, report.words.cost, &report.metrics, &report.metric_notes);
}

fn check(page: &mut Page, report: &PublicReport) {
    if let Some(output) = &report.output {
        page.paragraph("The released file has this SHA-256 hash:");
        page.typed(&output.sha256, true);
    }
    let of_file: Vec<&Guarantee> =
        report.guarantees.iter().filter(|g| g.scope != "linked").collect();
    if of_file.is_empty() {
        page.paragraph(
            "These promises speak of the original records: the file alone can't show them.",
        );
        return;
    }
    page.paragraph(
        "This command measures the promises again, on the file alone; put its name where FILE \
            stands.",
    );
    page.typed(&audit_command("FILE", &report.audit, of_file), true);
    if report.counted == "people" {
        page.paragraph(crate::text::ROWS_NOT_PEOPLE);
    }
}
