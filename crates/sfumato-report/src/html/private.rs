//! The steward's page: all of the private report, in the order in which a reader needs it.

use super::blocks;
use super::classes::classes;
use super::kept::kept;
use super::loss::{largest_losses, loss};
use super::page::{Cell, Page};
use super::risks::{risks, side};
use super::run::run;
use crate::escape::{escape, shorten};
use crate::numbers::{count, percent, quantity};
use crate::text::check_command;
use crate::{Ordered, Place, Report, Tile, words};

/// The number of columns of the sample on the page. The JSON has them all.
const SAMPLE_COLUMNS: usize = 24;

/// The length to which cells of the sample are cut on the page. The JSON has the whole cells.
const CELL: usize = 60;

/// The private report as one self-contained HTML page.
pub fn render_private(report: &Report) -> String {
    let made = report.made.as_ref().map_or(String::new(), |made| format!(", made {made}"));
    let subtitle = format!("{}, {} records{made}", report.input.path, count(report.input.rows));
    let mut page = Page::open("Private report", &subtitle);
    let what = if report.sample.is_empty() {
        "it tells about the original data"
    } else {
        "it shows original rows"
    };
    page.banner(&format!("Keep this page private: {what}."));
    if report.seed.given {
        let seed = report.seed.value.map_or(String::new(), |value| format!(" (seed {value})"));
        page.banner(&format!("{}{seed}.", report.seed.note));
    }
    let smallest = report.classes.as_ref().map(|classes| classes.min);
    let verdict = words::verdict(&report.guarantees, report.evidence.kind, smallest);
    page.verdict(&verdict, &evidence(report));
    page.tiles(&tiles(report));
    page.contents();
    sections(&mut page, report);
    page.close(&report.version)
}

fn sections(page: &mut Page, report: &Report) {
    if !report.warnings.is_empty() || !report.dependencies.is_empty() {
        page.section("warnings", "Before you hand it out", |page| warnings(page, report));
    }
    if !report.guarantees.is_empty() {
        page.section("asked", "Asked and reached", |page| {
            page.guarantees(&report.guarantees, true)
        });
    }
    of_forms(page, report, Place::Front);
    if !report.kept.is_empty() {
        page.section("kept", "What can still be told", |page| kept(page, report));
    }
    // Without classes of the release those of the original are no picture of anything.
    if report.classes.is_some() {
        page.section("classes", "Class sizes", |page| classes(page, report));
    }
    if !report.risks.is_empty() {
        page.section("risks", "Risk", |page| risks(page, &report.risks));
    }
    if !report.metrics.is_empty() || !report.metrics_by_column.is_empty() {
        page.section("loss", report.words.cost, |page| loss(page, report));
    }
    if !report.largest_losses.is_empty() {
        page.section("largest-losses", "Largest losses", |page| largest_losses(page, report));
    }
    if !report.sample.is_empty() {
        page.section("sample", "Records side by side", |page| sample(page, report));
    }
    if !report.columns.is_empty() {
        page.section("columns", "Columns", |page| columns(page, report));
    }
    of_forms(page, report, Place::Details);
    page.section("run", "The run", |page| run(page, report));
    if let Some(command) = check_command(report) {
        page.section("check", "Check the file again", |page| {
            page.paragraph(
                "This reads the written file anew, with code that shares nothing with the \
                    algorithm:",
            );
            page.typed(&command, true);
            if report.words.counted == "people" {
                page.paragraph(crate::text::ROWS_NOT_PEOPLE);
            }
        });
    }
    if let Some(toml) = &report.job_toml {
        page.section("job", "The job", |page| {
            page.paragraph("Saved as release.toml, sfumato run release.toml does the same again.");
            page.typed(toml, false);
        });
    }
}

fn of_forms(page: &mut Page, report: &Report, place: Place) {
    for section in report.sections.iter().filter(|section| section.place == place) {
        blocks::section(page, &section.title, &section.blocks);
    }
}

fn evidence(report: &Report) -> String {
    let evidence = &report.evidence;
    let mut text = evidence.kind.words().to_string();
    if let Some(mechanism) = &evidence.mechanism {
        text.push_str(&format!(" ({mechanism})"));
    }
    if evidence.rows > 0 {
        text.push_str(&format!("; {} rows", count(evidence.rows)));
    }
    if evidence.cells > 0 {
        text.push_str(&format!(", {} {}", count(evidence.cells), report.words.cells));
    }
    if let Some(note) = &evidence.note {
        text.push_str(&format!("; {note}"));
    }
    text
}

fn tiles(report: &Report) -> Vec<Tile> {
    let mut tiles = Vec::new();
    if let Some(output) = &report.output {
        let read = format!("of {}", count(report.input.rows));
        tiles.push(Tile::new("Records published", count(output.rows), read));
    }
    if let Some(classes) = &report.classes {
        let small = format!("{} classes, mean {}", count(classes.count), quantity(classes.mean));
        tiles.push(Tile::new("Smallest class", count(classes.min), small));
    }
    tiles.extend(report.sections.iter().flat_map(|section| section.tiles.iter().cloned()));
    let left_out = &report.suppressed;
    let (records, cells) = (count(left_out.records), count(left_out.cells));
    let small = format!("{records} records, {cells} {}", report.words.cells);
    tiles.push(Tile::new("Left out", percent(left_out.share), small));
    if let Some((name, value)) = report.metrics.iter().next() {
        let value = value.map_or("undefined".into(), quantity);
        tiles.push(Tile::new(report.words.cost, value, words::label(name)));
    }
    if let Some(change) = report.risks.get("prosecutor_max") {
        let (before, after) = (side(change.before, percent), side(change.after, percent));
        tiles.push(Tile::new("Highest risk", after, format!("was {before}")));
    }
    tiles
}

fn warnings(page: &mut Page, report: &Report) {
    if !report.warnings.is_empty() {
        page.list(&report.warnings);
    }
    if report.dependencies.is_empty() {
        return;
    }
    page.paragraph("These columns are published as they are and give a blurred column away:");
    let rows: Vec<Vec<Cell>> = report
        .dependencies
        .iter()
        .map(|d| {
            vec![
                Cell::Head(d.column.clone()),
                Cell::Text(d.role.clone()),
                Cell::Text(d.determines.clone()),
                Cell::Num(percent(d.share)),
                Cell::Text(if d.accepted { "accepted" } else { "not accepted" }.into()),
            ]
        })
        .collect();
    let headings = [
        ("Column", false),
        ("Role", false),
        ("Gives away", false),
        ("Of records", true),
        ("State", false),
    ];
    page.table("Measured dependencies", &headings, &rows);
}

/// Render two lines for each record, the original above the published one, under the columns of the
/// input.
fn sample(page: &mut Page, report: &Report) {
    page.paragraph(
        "Each pair is one record: above as it was, below as it is published. A dash was \
        dropped or is missing.",
    );
    let columns: Ordered<()> = report
        .sample
        .iter()
        .flat_map(|pair| {
            pair.original.iter().chain(pair.published.iter()).map(|(column, _)| (column, ()))
        })
        .collect();
    let n_columns = columns.len();
    let columns: Vec<&str> = columns.iter().map(|(name, ())| name).take(SAMPLE_COLUMNS).collect();
    if n_columns > columns.len() {
        let (shown, all) = (columns.len(), count(n_columns as u64));
        page.paragraph(&format!("The first {shown} of {all} columns; the JSON report has all."));
    }
    page.markup(
        "<div class=\"scroll\"><table class=\"pairs\">\n<caption>Original and published \
        records</caption>\n<thead><tr><th scope=\"col\">Record</th>",
    );
    columns
        .iter()
        .for_each(|column| page.markup(&format!("<th scope=\"col\">{}</th>", escape(column))));
    page.markup("</tr></thead>\n<tbody>\n");
    for (place, pair) in report.sample.iter().enumerate() {
        for (kind, cells) in [("original", &pair.original), ("published", &pair.published)] {
            page.markup(&format!(
                "<tr class=\"{kind}\"><th scope=\"row\">{} {kind}</th>",
                place + 1
            ));
            for column in &columns {
                let text = match cells.get(column) {
                    Some(Some(text)) => shorten(text, CELL),
                    Some(None) | None => "\u{2013}".into(),
                };
                page.markup(&format!(
                    "<td class=\"{}\">{}</td>",
                    if kind == "original" { "was" } else { "is" },
                    escape(&text)
                ));
            }
            page.markup("</tr>\n");
        }
    }
    page.markup("</tbody></table></div>\n");
}

fn columns(page: &mut Page, report: &Report) {
    let rows: Vec<Vec<Cell>> = report
        .columns
        .iter()
        .map(|c| {
            vec![
                Cell::Head(c.name.clone()),
                Cell::Text(c.role.clone()),
                Cell::Text(c.data_type.clone()),
                Cell::Num(count(c.distinct)),
                Cell::Num(count(c.missing)),
                Cell::Text(c.hierarchy.clone().unwrap_or_else(|| "\u{2013}".into())),
                Cell::Text(c.note.clone().unwrap_or_default()),
            ]
        })
        .collect();
    let headings = [
        ("Column", false),
        ("Role", false),
        ("Type", false),
        ("Distinct", true),
        ("Missing", true),
        ("Hierarchy", false),
        ("Note", false),
    ];
    page.table("Columns of the input", &headings, &rows);
}
