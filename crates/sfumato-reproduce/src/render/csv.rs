//! All numbers of a figure as one long CSV table.

use std::fmt::Write as _;

use crate::found::FigureResult;

/// A line for each number: table, measure, row, column, mean, spread.
pub fn tables_csv(result: &FigureResult) -> String {
    let mut out = String::from("figure,table,measure,row,column,mean,sd\n");
    for table in &result.tables {
        for row in &table.rows {
            for (column, cell) in table.columns.iter().zip(&row.cells) {
                let Some(number) = cell else { continue };
                let texts =
                    [&result.name, &table.title, &table.measure, &row.label, column].map(|t| quoted(t));
                let _ = writeln!(out, "{},{},{}", texts.join(","), number.mean, number.sd);
            }
        }
    }
    out
}

fn quoted(text: &str) -> String {
    match text.contains([',', '"', '\n']) {
        true => format!("\"{}\"", text.replace('"', "\"\"")),
        false => text.to_string(),
    }
}
