//! Writes a paper's results as a Markdown page, with pictures.

use std::fmt::Write as _;

use super::cell;
use super::claims::{counts, figure_with_interval, verdict};
use crate::figure::PaperInfo;
use crate::found::{FigureResult, Table};

/// The page. Pictures are linked as `<paper>/<figure>.svg`; `command` is what made it.
pub fn page(paper: &PaperInfo, command: &str, results: &[FigureResult]) -> String {
    let name = paper.name;
    let mut out =
        format!("# `sfumato reproduce {name}`\n\n{}\n\n{}\n\n", paper.citation, paper.about);
    let _ = writeln!(out, "Made by `{command}`. {HOW}\n");
    claims(&mut out, paper, results);
    for result in results {
        figure(&mut out, name, result);
    }
    out
}

/// How the first table is read.
const HOW: &str = "Numbers of tables are those of the first seed, means ± standard deviations over \
    its trials. Verdicts are over all seeds: a claim holds if the whole interval of 95 % over the \
    seeds keeps the rule and that of the control doesn't; it doesn't hold if no number of the \
    interval keeps the rule. Rules and controls are written in the code, beside the experiment. \
    Sentences are in our words, and `L` is the line of the paper's text; \"ours\" isn't the \
    paper's.";

fn claims(out: &mut String, paper: &PaperInfo, results: &[FigureResult]) {
    out.push_str("| | line | claim | rule | here | control: what it is | verdict |\n");
    out.push_str("|---|---|---|---|---|---|---|\n");
    for result in results {
        for claim in &result.claims {
            let _ = writeln!(
                out,
                "| [{0}](#{0}) | {1} | {2} | {3} | {4} | {5}: {6} | **{7}** |",
                result.name,
                claim.origin().word(),
                claim.text(),
                claim.rule(),
                figure_with_interval(claim.values()),
                figure_with_interval(claim.control_values()),
                claim.control_is(),
                verdict(claim),
            );
        }
    }
    for untested in paper.untested {
        let _ = writeln!(
            out,
            "| | L{} | {} | | | | **can't be tested here**: {} |",
            untested.line, untested.sentence, untested.why
        );
    }
    let _ = writeln!(out, "\n{}", counts(paper, results));
}

fn figure(out: &mut String, paper: &str, result: &FigureResult) {
    let _ = write!(out, "\n## {}\n\n{}.\n\n", result.name, result.caption);
    if let Some(why) = &result.skipped {
        let _ = writeln!(out, "{why}");
        return;
    }
    let _ = write!(
        out,
        "*The paper:* {}\n\n*Data:* {}\n\n*Scale:* {}\n\n",
        result.paper, result.data, result.scale
    );
    if result.is_drawn() {
        let _ = write!(out, "![{0}]({paper}/{0}.svg)\n\n", result.name);
    }
    for table in &result.tables {
        grid(out, table);
    }
    for claim in result.claims.iter().filter(|claim| !claim.words().is_empty()) {
        let _ = writeln!(out, "- {}: {}.", claim.text(), claim.words());
    }
    if !result.notes.is_empty() {
        out.push('\n');
    }
    for note in &result.notes {
        let _ = writeln!(out, "{note}\n");
    }
}

fn grid(out: &mut String, table: &Table) {
    let _ = write!(out, "{} ({})\n\n", table.title, table.measure);
    let _ = writeln!(out, "| {} | {} |", table.rows_are, table.columns.join(" | "));
    let _ = writeln!(out, "|---|{}", "---|".repeat(table.columns.len()));
    for row in &table.rows {
        let cells: Vec<String> = row.cells.iter().map(|one| cell(table, *one)).collect();
        let _ = writeln!(out, "| {} | {} |", row.label, cells.join(" | "));
    }
    out.push('\n');
}
