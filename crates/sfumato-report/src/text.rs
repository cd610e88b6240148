//! The lines shown at the end of a run: first the verdict, then the figures, then how to check
//! them.
//!
//! Plain characters without colour, since they end up in logs; no data cell is ever shown here.

use crate::audit::audit_command;
use crate::numbers::{bytes, count, counted, duration, percent, quantity, several};
use crate::words::{model_spec, reached, some_of, tame, verdict};
use crate::{EvidenceKind, Report, kept};

/// The number of warnings and guarantees that are shown. Others are only counted; the report has
/// them all.
const SHOWN: usize = 5;

/// A label and its text.
type Line = (String, String);

/// The report in ten to twenty lines, each ending with a newline.
pub fn summary(report: &Report) -> String {
    let smallest = report.classes.as_ref().map(|classes| classes.min);
    let mut lines: Vec<Line> = Vec::new();
    if !report.lost_columns.is_empty() {
        let (columns, verb) = match &report.lost_columns[..] {
            [one] => (format!("column '{one}'"), "is"),
            several => (format!("columns {}", some_of(several)), "are"),
        };
        push(&mut lines, "lost", format!("{columns} {verb} published as * in every record"));
    }
    guarantees(report, &mut lines);
    files(report, &mut lines);
    figures(report, &mut lines);
    if report.seed.given {
        push(&mut lines, "seed", report.seed.note.clone());
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
        push(&mut lines, "check", command);
        if report.words.counted == "people" {
            let rows = "(it counts rows: the release no longer says which rows are of one person)";
            push(&mut lines, "check", rows.into());
        }
    }
    let mut out =
        format!("{}.\n\n", verdict(&report.guarantees, report.evidence.kind, smallest).headline);
    let mut last = "";
    let width = lines.iter().map(|(label, _)| label.chars().count()).max().unwrap_or(0).max(10);
    for (label, text) in &lines {
        // A repeated label is left blank, so that a list reads as one entry.
        let shown = if label == last { "" } else { label };
        out.push_str(&format!("  {:<width$}  {}\n", tame(shown), tame(text)));
        last = label;
    }
    out
}

/// The command that checks the written file again, with the original beside it; none where it went
/// to standard output and has no name.
pub(crate) fn check_command(report: &Report) -> Option<String> {
    let output = report.output.as_ref().filter(|output| output.path != "-")?;
    let arguments = report.audit.private(&report.input.path);
    Some(audit_command(&output.path, &arguments, report.audit.judged(&report.guarantees)))
}

fn guarantees(report: &Report, lines: &mut Vec<Line>) {
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

fn files(report: &Report, lines: &mut Vec<Line>) {
    let input = &report.input;
    let (rows, width) = (counted(input.rows, "record"), input.width());
    push(lines, "read", format!("{}: {rows}, {width}, {}", input.path, bytes(input.bytes)));
    let written = match &report.output {
        Some(output) => {
            let rows = counted(output.rows, "record");
            format!("{}: {rows}, {}", output.path, bytes(output.bytes))
        }
        None => "nothing".into(),
    };
    push(lines, "wrote", written);
}

/// A note for an audit of a release whose classes were counted in people.
pub(crate) const ROWS_NOT_PEOPLE: &str = "The promises above count people; the released file no \
    longer says which rows belong to one person, so this \
     check counts rows and its figures may differ.";

fn figures(report: &Report, lines: &mut Vec<Line>) {
    let words = &report.words;
    if !report.algorithm.name.is_empty() {
        push(lines, "algorithm", report.algorithm.name.clone());
    }
    if let Some(proof) = report.algorithm.proof() {
        push(lines, "optimum", proof);
    }
    push_some(lines, "cut", &report.algorithm.cuts());
    if let Some(classes) = &report.classes {
        let (min, max) = (count(classes.min), count(classes.max));
        let (classes, mean) = (count(classes.count), quantity(classes.mean));
        let text = format!("{classes} of {min} to {max} {}, {mean} on average", words.counted);
        push(lines, "classes", text);
    }
    for section in &report.sections {
        for list in section.lines.chunk_by(|(a, _), (b, _)| a == b) {
            let texts: Vec<String> = list.iter().map(|(_, text)| text.clone()).collect();
            push_some(lines, &list[0].0, &texts);
        }
    }
    if words.suppresses {
        let left_out = &report.suppressed;
        let records = counted(left_out.records, "record");
        let cells = several(left_out.cells, words.cells);
        let share = percent(left_out.share);
        let blank = match left_out.blank {
            0 => String::new(),
            n => format!(", {} more with * in every quasi column", count(n)),
        };
        push(lines, "suppressed", format!("{records} ({share}){blank}, {cells}"));
    }
    let metrics: Vec<String> = report
        .metrics
        .iter()
        .take(words.cost_shown)
        .map(|(name, value)| format!("{name} {}", value.map_or("undefined".into(), quantity)))
        .collect();
    if !metrics.is_empty() {
        push(lines, &words.cost.to_lowercase(), metrics.join(", "));
    }
    if let Some(sentence) = kept::sentence(&report.kept) {
        push(lines, "keeps", sentence);
    }
    for (label, name) in [("risk", "prosecutor_max"), ("uniques", "uniques")] {
        if let Some(change) = report.risks.get(name) {
            let side = |value: Option<f64>| value.map_or("not measured".into(), percent);
            let what = if name == "prosecutor_max" { "highest" } else { "alone in their class" };
            let (before, after) = (side(change.before), side(change.after));
            push(lines, label, format!("{what}: {before} before, {after} after"));
        }
    }
    if report.evidence.kind != EvidenceKind::NoPromise {
        let rows = counted(report.evidence.rows, "row");
        let looked_at = match report.evidence.cells {
            0 => rows,
            n => format!("{rows}, {}", several(n, words.cells)),
        };
        let how = match report.evidence.kind {
            EvidenceKind::CheckedAgainstOriginal => "read back and compared with the original",
            EvidenceKind::ByConstruction => "by construction of the mechanism",
            EvidenceKind::Checked | EvidenceKind::NoPromise => "read back",
        };
        push(lines, "evidence", format!("{how}: {looked_at}"));
    }
    if let Some(engine) = report.algorithm.engine() {
        push(lines, "engine", engine);
    }
    let mut time = duration(report.timings_ms.total);
    if let Some(peak) = report.peak_rss_bytes {
        time.push_str(&format!(", at most {} of memory", bytes(peak)));
    }
    push(lines, "time", time);
}

fn push(lines: &mut Vec<Line>, label: &str, text: String) {
    lines.push((label.into(), text));
}

fn push_some(lines: &mut Vec<Line>, label: &str, texts: &[String]) {
    lines.extend(texts.iter().take(SHOWN).map(|text| (label.into(), text.clone())));
    if texts.len() > SHOWN {
        push(lines, label, format!("and {} more, see the report", texts.len() - SHOWN));
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
            assert!(
                line.starts_with("  ") && line.is_char_boundary(14) && &line[12..14] == "  ",
                "{line}"
            );
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
        let expect = "  cut         age at level 2 of 4: 7 values\n              sex at the top: 1 \
            value\n              \
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
