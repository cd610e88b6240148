//! The lines shown at the end of a run: verdict first, then the figures, then how to check them.
//!
//! Plain characters without colour, since they end up in logs; no data cell is ever shown here.

use crate::bitmaps::WORLDS;
use crate::buckets::EXACT;
use crate::numbers::{bytes, count, duration, percent, quantity};
use crate::words::{
    audit_command, basket_audit_command, bucket_audit_command, cells, model_spec, original_options, reached,
    tame, verdict,
};
use crate::{EvidenceKind, Report};

/// Warnings and guarantees beyond these are counted instead of shown; the report has them all.
const SHOWN: usize = 5;

/// The report in ten to twenty lines, each ending with a newline.
pub fn summary(report: &Report) -> String {
    let smallest = report.classes.as_ref().map(|classes| classes.min);
    let mut lines: Vec<(&str, String)> = Vec::new();
    guarantees(report, &mut lines);
    files(report, &mut lines);
    figures(report, &mut lines);
    if report.seed.given {
        lines.push(("seed", report.seed.note.clone()));
    }
    let mut warnings = report.warnings.clone();
    warnings.extend(report.dependencies.iter().filter(|d| !d.accepted).map(|d| {
        format!(
            "{} ({}) gives {} away for {} of the records",
            d.column,
            d.role,
            d.determines,
            percent(d.share)
        )
    }));
    push_some(&mut lines, "warning", &warnings);
    if let Some(command) = check_command(report) {
        lines.push(("check", command));
        if counted(report) == "people" {
            lines.push((
                "check",
                "(it counts rows: the release no longer says which rows are of one person)".into(),
            ));
        }
    }
    let mut out = format!("{}.\n\n", verdict(&report.guarantees, report.evidence.kind, smallest).headline);
    let mut last = "";
    for (label, text) in &lines {
        // A repeated label is left blank, so that a list reads as one entry.
        let shown = if *label == last { "" } else { *label };
        out.push_str(&format!("  {shown:<10}  {}\n", tame(text)));
        last = label;
    }
    out
}

/// The command that checks the written file again, with the original beside it.
pub(crate) fn check_command(report: &Report) -> Option<String> {
    let output = report.output.as_ref()?;
    let missing = report.job["input"]["missing"].as_array().into_iter().flatten();
    let missing: Vec<String> = missing.filter_map(|token| token.as_str().map(String::from)).collect();
    if report.bitmaps.is_some() {
        let form = report.job["baskets"]["form"].as_str().unwrap_or("lines");
        let original = Some((&report.input.path[..], form));
        let guarantees: Vec<_> = report.guarantees.iter().collect();
        return Some(basket_audit_command(&output.path, original, None, &[], &missing, &guarantees));
    }
    if let Some(baskets) = &report.baskets {
        return Some(basket_audit_command(
            &output.path,
            Some((&report.input.path, &baskets.form)),
            report.buckets.as_ref().is_none_or(|b| b.form != "linked").then_some(&baskets.release_form[..]),
            &baskets.sensitive(),
            &missing,
            &report.guarantees.iter().collect::<Vec<_>>(),
        ));
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
        let sensitive = with_role("sensitive");
        return Some(bucket_audit_command(
            &output.path,
            None,
            &buckets.form,
            &buckets.group,
            &sensitive,
            &report.guarantees,
        ));
    }
    let original =
        (report.evidence.kind == EvidenceKind::CheckedAgainstOriginal).then_some(report.input.path.as_str());
    let mut command = audit_command(
        &output.path,
        original,
        &with_role("quasi"),
        &with_role("sensitive"),
        &report.guarantees,
    );
    // What labels cover in the original is said by their trees.
    if report.guarantees.iter().any(|guarantee| guarantee.scope == "linked") {
        command += &original_options(&report.job, &with_role("quasi"));
    }
    Some(command)
}

fn guarantees(report: &Report, lines: &mut Vec<(&'static str, String)>) {
    let specs: Vec<String> = report.guarantees.iter().map(model_spec).collect();
    let width = specs.iter().take(SHOWN).map(|spec| spec.chars().count()).max().unwrap_or(0);
    let asked: Vec<String> = specs
        .iter()
        .zip(&report.guarantees)
        .map(|(spec, guarantee)| {
            let outcome = if guarantee.holds { "holds" } else { "FAILS" };
            format!("{spec:<width$}  {outcome}: {}", reached(guarantee))
        })
        .collect();
    push_some(lines, "asked", &asked);
}

fn files(report: &Report, lines: &mut Vec<(&'static str, String)>) {
    let input = &report.input;
    let width = match &report.baskets {
        Some(baskets) => {
            format!("{} different items, {} in all", count(baskets.items), count(baskets.instances))
        }
        None => match &report.bitmaps {
            Some(bitmaps) => format!("{} different items", count(bitmaps.items)),
            None => format!("{} columns", count(input.columns)),
        },
    };
    let read = format!("{}: {} records, {width}, {}", input.path, count(input.rows), bytes(input.bytes));
    lines.push(("read", read));
    match &report.output {
        Some(output) => {
            lines.push((
                "wrote",
                format!("{}: {} records, {}", output.path, count(output.rows), bytes(output.bytes)),
            ));
        }
        None => lines.push(("wrote", "nothing".into())),
    }
}

/// What class sizes count: a subject column makes them people.
pub(crate) fn counted(report: &Report) -> &'static str {
    if report.columns.iter().any(|column| column.role == "subject") { "people" } else { "records" }
}

/// What to say beside a check of a release whose classes were counted in people.
pub(crate) const ROWS_NOT_PEOPLE: &str = "The promises above count people; the released file no longer says which rows belong to one person, so this \
     check counts rows and its figures may differ.";

fn figures(report: &Report, lines: &mut Vec<(&'static str, String)>) {
    if !report.algorithm.name.is_empty() {
        lines.push(("algorithm", report.algorithm.name.clone()));
    }
    lines.extend(report.algorithm.proof().map(|proof| ("optimum", proof)));
    push_some(lines, "cut", &report.algorithm.cuts());
    if let Some(classes) = &report.classes {
        let (min, max) = (count(classes.min), count(classes.max));
        let mean = quantity(classes.mean);
        lines.push((
            "classes",
            format!("{} of {min} to {max} {}, {mean} on average", count(classes.count), counted(report)),
        ));
    }
    if let Some(buckets) = &report.buckets {
        lines.push(("buckets", format!("{}: {EXACT}", buckets.form)));
        lines.push(("groups", buckets.sizes(counted(report))));
        let columns: Vec<String> = buckets.sensitive.iter().map(|column| column.words()).collect();
        push_some(lines, "sensitive", &columns);
    }
    match &report.bitmaps {
        Some(bitmaps) => {
            lines.push(("bitmaps", WORLDS.into()));
            lines.push(("doubt", bitmaps.words()));
        }
        None => {
            let left_out = &report.suppressed;
            let share = percent(left_out.share);
            lines.push((
                "suppressed",
                format!(
                    "{} records ({share}), {} {}",
                    count(left_out.records),
                    count(left_out.cells),
                    cells(report.baskets.is_some())
                ),
            ));
        }
    }
    let loss: Vec<String> = report
        .metrics
        .iter()
        .take(3)
        .map(|(name, value)| format!("{name} {}", value.map_or("undefined".into(), quantity)))
        .collect();
    if !loss.is_empty() && report.buckets.is_none() {
        lines.push((if report.baskets.is_some() { "kept" } else { "loss" }, loss.join(", ")));
    }
    for (label, name) in [("risk", "prosecutor_max"), ("uniques", "uniques")] {
        if let Some(change) = report.risks.get(name) {
            let side = |value: Option<f64>| value.map_or("not measured".into(), percent);
            let what = if name == "prosecutor_max" { "highest" } else { "alone in their class" };
            lines.push((
                label,
                format!("{what}: {} before, {} after", side(change.before), side(change.after)),
            ));
        }
    }
    if report.evidence.kind != EvidenceKind::NoPromise {
        let looked_at = match report.evidence.cells {
            0 => format!("{} rows", count(report.evidence.rows)),
            n => format!(
                "{} rows, {} {}",
                count(report.evidence.rows),
                count(n),
                cells(report.is_about_items())
            ),
        };
        let how = match report.evidence.kind {
            EvidenceKind::CheckedAgainstOriginal => "read back and compared with the original",
            EvidenceKind::ByConstruction => "by construction of the mechanism",
            EvidenceKind::Checked | EvidenceKind::NoPromise => "read back",
        };
        lines.push(("evidence", format!("{how}: {looked_at}")));
    }
    if let Some(engine) = report.algorithm.engine() {
        lines.push(("engine", engine));
    }
    let mut time = duration(report.timings_ms.total);
    if let Some(peak) = report.peak_rss_bytes {
        time.push_str(&format!(", at most {} of memory", bytes(peak)));
    }
    lines.push(("time", time));
}

fn push_some(lines: &mut Vec<(&'static str, String)>, label: &'static str, texts: &[String]) {
    lines.extend(texts.iter().take(SHOWN).map(|text| (label, text.clone())));
    if texts.len() > SHOWN {
        lines.push((label, format!("and {} more, see the report", texts.len() - SHOWN)));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Seed, fixture};

    #[test]
    fn the_verdict_comes_first_and_the_lines_are_aligned() {
        let report = fixture::report();
        let text = summary(&report);
        let lines: Vec<&str> = text.lines().collect();
        assert!(lines[0].starts_with("Holds: every record is published like at least "), "{text}");
        assert!((10..=20).contains(&lines.len()), "{} lines:\n{text}", lines.len());
        for line in &lines[2..] {
            assert!(line.starts_with("  ") && line.is_char_boundary(14) && &line[12..14] == "  ", "{line}");
            assert!(!line[14..].starts_with(' '), "{line}");
        }
        assert!(text.contains("sfumato audit release.csv --original patients.csv --qi "));
    }

    #[test]
    fn columns_that_are_recoded_by_themselves_are_listed() {
        let mut report = fixture::report();
        assert!(!summary(&report).contains("  cut "));
        report.algorithm.details = serde_json::json!({ "cuts": [
            { "column": "age", "values": 7, "level": 2, "top_level": 4 },
            { "column": "sex", "values": 1, "level": 1, "top_level": 1 },
            { "column": "zip", "values": 9 },
            { "column": "job", "values": 2, "level": 0, "top_level": 3 },
        ]});
        let text = summary(&report);
        let expect = "  cut         age at level 2 of 4: 7 values\n              sex at the top: 1 value\n              \
                      zip: 9 values\n              job unchanged: 2 values\n";
        assert!(text.contains(expect), "{text}");
    }

    #[test]
    fn no_cell_of_the_sample_is_shown() {
        let mut report = fixture::report();
        report.sample[0].original.insert("name", Some("zzsecret".into()));
        report.largest_losses[0].published = "zzsecret".into();
        assert!(!summary(&report).contains("zzsecret"));
    }

    #[test]
    fn long_lists_are_cut_and_terminals_are_safe() {
        let mut report = fixture::report();
        report.warnings = (0..9).map(|i| format!("warning {i}\u{1b}[31m\n")).collect();
        report.dependencies.clear();
        report.seed = Seed::given(4);
        let text = summary(&report);
        assert!(text.contains("and 4 more, see the report") && !text.contains('\u{1b}'));
        assert!(text.contains("not for release"));
        assert!(text.lines().count() <= 24, "{text}");
    }

    #[test]
    fn an_empty_report_has_a_summary_too() {
        let text = summary(&Report::default());
        assert!(text.starts_with("No promise: ") && text.contains("nothing"), "{text}");
    }
}
