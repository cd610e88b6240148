//! A result for the terminal.

use std::fmt::Write as _;

use super::cell;
use super::claims::{figure_with_interval, verdict};
use crate::found::{FigureResult, Table};

/// A figure as words and tables.
pub fn words(result: &FigureResult) -> String {
    let mut out = format!("{}  {}\n", result.name, result.caption);
    if let Some(why) = &result.skipped {
        let _ = writeln!(out, "  {why}");
        return out;
    }
    let _ = writeln!(
        out,
        "  paper  {}\n  data   {}\n  scale  {}",
        result.paper, result.data, result.scale
    );
    for table in &result.tables {
        let _ = write!(out, "\n{}: {}\n{}", table.title, table.measure, grid(table));
    }
    out.push('\n');
    for claim in &result.claims {
        let _ = writeln!(
            out,
            "  [{}] {} {}\n      rule: {}; here: {}; control ({}): {}",
            verdict(claim),
            claim.origin().word(),
            claim.text(),
            claim.rule(),
            figure_with_interval(claim.values()),
            claim.control_is(),
            figure_with_interval(claim.control_values()),
        );
        if !claim.words().is_empty() {
            let _ = writeln!(out, "      {}", claim.words());
        }
    }
    for note in &result.notes {
        let _ = writeln!(out, "  note: {note}");
    }
    out
}

fn grid(table: &Table) -> String {
    let mut lines: Vec<Vec<String>> =
        vec![[table.rows_are.clone()].into_iter().chain(table.columns.clone()).collect()];
    for row in &table.rows {
        let cells = row.cells.iter().map(|one| cell(table, *one));
        lines.push([row.label.clone()].into_iter().chain(cells).collect());
    }
    let columns = table.columns.len() + 1;
    let wide = |column: usize| {
        lines.iter().filter_map(|line| line.get(column)).map(|t| t.chars().count()).max()
    };
    let widths: Vec<usize> = (0..columns).map(|column| wide(column).unwrap_or(0)).collect();
    let mut out = String::new();
    for line in &lines {
        for (place, (text, width)) in line.iter().zip(&widths).enumerate() {
            let room = " ".repeat(width - text.chars().count());
            let _ = if place == 0 {
                write!(out, "{text}{room}")
            } else {
                write!(out, "  {room}{text}")
            };
        }
        out.push('\n');
    }
    out
}
