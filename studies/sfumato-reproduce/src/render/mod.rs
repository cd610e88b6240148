//! Shows results as words for the terminal, CSV, JSON, SVG, and a Markdown page.

mod claims;
mod csv;
mod markdown;
mod svg;
mod text;

pub use claims::{counts, figure_with_interval};
pub use csv::tables_csv;
pub use markdown::page;
pub use svg::draw;
pub use text::words;

use crate::found::{Cell, FigureResult, Table};

/// Everything as one JSON object.
pub fn json(paper: &str, seed: u64, results: &[FigureResult]) -> String {
    let value = serde_json::json!({ "paper": paper, "seed": seed, "figures": results });
    serde_json::to_string_pretty(&value).expect("a tree of JSON values is always text") + "\n"
}

/// A cell as words: the mean, with its spread where there is one.
fn cell(table: &Table, cell: Cell) -> String {
    let digits = table.digits;
    match cell {
        None => "-".into(),
        Some(number) if number.sd == 0.0 => format!("{:.digits$}", number.mean),
        Some(number) => format!("{:.digits$} ± {:.digits$}", number.mean, number.sd),
    }
}
