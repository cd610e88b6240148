//! All numbers of a figure as one long CSV table.

use sfumato_report::csv::push_line;

use crate::found::FigureResult;

/// A line for each number: table, measure, row, column, mean, spread.
pub fn tables_csv(result: &FigureResult) -> String {
    let mut out = String::from("figure,table,measure,row,column,mean,sd\n");
    for table in &result.tables {
        for row in &table.rows {
            for (column, cell) in table.columns.iter().zip(&row.cells) {
                let Some(number) = cell else { continue };
                let texts = [&result.name, &table.title, &table.measure, &row.label, column]
                    .map(|t| t.to_string());
                let numbers = [number.mean, number.sd].map(|number| number.to_string());
                push_line(&mut out, &[&texts[..], &numbers[..]].concat());
            }
        }
    }
    out
}
