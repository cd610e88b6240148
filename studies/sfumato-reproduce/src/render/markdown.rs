//! Writes a paper's results as a Markdown page, with pictures.

use std::fmt::Write as _;

use super::{cell, verdict};
use crate::figure::PaperInfo;
use crate::found::{FigureResult, Table};

/// The page. Pictures are linked as `<paper>/<figure>.svg`.
pub fn page(paper: &PaperInfo, seed: u64, results: &[FigureResult]) -> String {
    let name = paper.name;
    let mut out =
        format!("# `sfumato reproduce {name}`\n\n{}\n\n{}\n\n", paper.citation, paper.about);
    let _ = writeln!(
        out,
        "Made by `sfumato reproduce {name} --seed {seed} --docs DIR`; numbers are means ± standard \
            deviations.\n"
    );
    out.push_str("| | claim of the paper | here |\n|---|---|---|\n");
    for result in results {
        for claim in &result.claims {
            let _ = writeln!(
                out,
                "| [{0}](#{0}) | {1} | {2} |",
                result.name,
                claim.text,
                verdict(claim.holds)
            );
        }
    }
    for result in results {
        figure(&mut out, name, result);
    }
    out
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
    for claim in &result.claims {
        let _ = writeln!(
            out,
            "- **{}**: {}. Measured: {}.",
            verdict(claim.holds),
            claim.text,
            claim.measured
        );
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
