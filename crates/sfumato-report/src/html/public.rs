//! The page to hand out with the release. It sees only the public report.

use super::bitmaps::bitmaps;
use super::groups::groups;
use super::page::{Cell, Page};
use crate::buckets::Buckets;
use crate::numbers::{count, percent, quantity};
use crate::{Classes, Guarantee, PublicReport, words};

/// The public report as one self-contained HTML page.
pub fn render_public(report: &PublicReport) -> String {
    let mut page = Page::open("About this release", "What its privacy protection promises, and what it cost");
    let smallest = report.classes.as_ref().map(|classes| classes.min);
    let verdict = words::verdict(&report.guarantees, report.evidence, smallest);
    page.verdict(&verdict, report.evidence.words());
    page.tiles(&tiles(report));
    if !report.guarantees.is_empty() {
        page.section("asked", "Asked and reached", |page| page.guarantees(&report.guarantees, false));
    }
    if let Some(buckets) = shown(report) {
        page.section("groups", "Groups", |page| groups(page, &buckets, counted(report)));
    }
    if let Some(shown) = &report.bitmaps {
        page.section("bitmaps", "Bitmaps", |page| bitmaps(page, shown));
    }
    if report.baskets.is_none() && report.bitmaps.is_none() {
        page.section("columns", "Columns", |page| columns(page, report));
    }
    if !report.metrics.is_empty() {
        page.section("loss", words::cost(tells_kept(report)), |page| loss(page, report));
    }
    page.section("check", "Check it yourself", |page| check(page, report));
    page.close(&report.version)
}

fn tells_kept(report: &PublicReport) -> bool {
    report.baskets.is_some() || report.buckets.is_some()
}

fn counted(report: &PublicReport) -> &str {
    if report.counted.is_empty() { "records" } else { &report.counted }
}

/// The groups as both pages show them.
fn shown(report: &PublicReport) -> Option<Buckets> {
    let buckets = report.buckets.as_ref()?;
    let sizes = &buckets.groups;
    let groups = Classes {
        count: sizes.count,
        min: sizes.min,
        mean: sizes.mean,
        max: sizes.max,
        ..Classes::default()
    };
    let (form, group) = (buckets.form.clone(), buckets.group.clone());
    Some(Buckets { form, group, groups, exact: Vec::new(), sensitive: buckets.sensitive.clone() })
}

fn tiles(report: &PublicReport) -> Vec<(String, String, String)> {
    let mut tiles = Vec::new();
    if let Some(output) = &report.output {
        tiles.push(("Records".into(), count(output.rows), "in the released file".into()));
    }
    if let Some(classes) = &report.classes {
        let counted = counted(report);
        let sizes = format!(
            "{} to {} {counted}, mean {}",
            count(classes.min),
            count(classes.max),
            quantity(classes.mean)
        );
        tiles.push(("Classes".into(), count(classes.count), sizes));
    }
    let left_out = &report.suppressed;
    let cells = words::cells(report.baskets.is_some());
    let small = format!("records ({}), {} {cells}", percent(left_out.share), count(left_out.cells));
    tiles.push(("Left out".into(), count(left_out.records), small));
    if !report.algorithm.is_empty() {
        tiles.push(("Algorithm".into(), report.algorithm.clone(), String::new()));
    }
    tiles
}

fn columns(page: &mut Page, report: &PublicReport) {
    let rows: Vec<Vec<Cell>> = report
        .columns
        .iter()
        .map(|column| {
            let role = match column.role.as_str() {
                "quasi" if report.buckets.is_some() => {
                    "quasi-identifier: could be known from elsewhere, and is published as it is"
                }
                "quasi" => "quasi-identifier: could be known from elsewhere, so it is blurred",
                "sensitive" => "sensitive: what must not be learned about a person",
                "target" => "target: what the data is to predict",
                "keep" => "kept: published as it is",
                other => other,
            };
            let kind = column.generalisation.clone().unwrap_or_else(|| "none".into());
            vec![Cell::Head(column.name.clone()), Cell::Text(role.into()), Cell::Text(kind)]
        })
        .collect();
    page.table("Published columns", &[("Column", false), ("Role", false), ("Generalisation", false)], &rows);
}

fn loss(page: &mut Page, report: &PublicReport) {
    page.paragraph(match &report.baskets {
        None if report.buckets.is_some() => "What the release still says about whose sensitive value is whose.",
        Some(_) => "What is left of the items, over the whole release. Suppressed items can't be told from items that never were there.",
        None => "What the protection cost, over the whole release. Smaller is better unless the metric says otherwise.",
    });
    let rows: Vec<Vec<Cell>> = report
        .metrics
        .iter()
        .map(|(name, value)| {
            vec![Cell::Head(words::label(name)), Cell::Num(value.map_or("undefined".into(), quantity))]
        })
        .collect();
    page.table(
        &format!("{} by metric", words::cost(tells_kept(report))),
        &[("Metric", false), ("Value", true)],
        &rows,
    );
}

fn check(page: &mut Page, report: &PublicReport) {
    if let Some(output) = &report.output {
        page.paragraph("The released file has this SHA-256 hash:");
        page.typed(&output.sha256, true);
    }
    let of_file: Vec<&Guarantee> = report.guarantees.iter().filter(|g| g.scope != "linked").collect();
    if of_file.is_empty() {
        page.paragraph("These promises speak of the original records: the file alone can't show them.");
        return;
    }
    page.paragraph(
        "This command measures the promises again, on the file alone; put its name where FILE stands.",
    );
    if let Some(baskets) = &report.baskets {
        let sensitive: Vec<&str> = baskets.sensitive.iter().map(String::as_str).collect();
        let form = report.buckets.as_ref().is_none_or(|b| b.form != "linked").then_some(&baskets.form[..]);
        page.typed(&words::basket_audit_command("FILE", None, form, &sensitive, &[], &of_file), true);
        return;
    }
    let with_role = |role: &str| -> Vec<&str> {
        report
            .columns
            .iter()
            .filter(|column| column.role == role)
            .map(|column| column.name.as_str())
            .collect()
    };
    if let Some(buckets) = &report.buckets {
        let command = words::bucket_audit_command(
            "FILE",
            None,
            &buckets.form,
            &buckets.group,
            &with_role("sensitive"),
            &report.guarantees,
        );
        page.typed(&command, true);
        return;
    }
    let command =
        words::audit_command("FILE", None, &with_role("quasi"), &with_role("sensitive"), &report.guarantees);
    page.typed(&command, true);
    if report.counted == "people" {
        page.paragraph(crate::text::ROWS_NOT_PEOPLE);
    }
}
