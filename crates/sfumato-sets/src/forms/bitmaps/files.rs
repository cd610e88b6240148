//! The files of a bitmap release: what they are called, and how records lie in them.

use sfumato_core::Result;
use sfumato_core::sets::Transactions;
use sfumato_io::{BasketForm, RecordSource as _, Separator};

/// The column of a list file that says in how many items of the distance set a base set may be
/// wrong.
pub const THRESHOLD: &str = "threshold";

/// How base sets lie in their file, for a release whose records would lie so. Rows for each item
/// have no place for an empty set, and a table no place for a distance set: such data become lines.
pub fn base_form(form: &BasketForm) -> BasketForm {
    match form {
        BasketForm::Lines { separator, .. } => {
            BasketForm::Lines { separator: *separator, key: false }
        }
        BasketForm::List { column, .. } => BasketForm::List { column: column.clone(), key: None },
        BasketForm::Long { .. } | BasketForm::Table { .. } => {
            BasketForm::Lines { separator: Separator::Char(','), key: false }
        }
    }
}

/// How distance sets lie in theirs: after their threshold.
pub fn distance_form(base: &BasketForm) -> BasketForm {
    match base {
        BasketForm::List { column, .. } => {
            BasketForm::List { column: column.clone(), key: Some(THRESHOLD.into()) }
        }
        BasketForm::Lines { separator, .. } => {
            BasketForm::Lines { separator: *separator, key: true }
        }
        other => other.clone(),
    }
}

/// What the files of base and distance sets are called; the extension says the format.
pub fn names(base: &BasketForm, format: &str) -> [String; 2] {
    let extension = match base {
        BasketForm::Lines { separator: Separator::Char(','), .. } => "csv",
        BasketForm::Lines { .. } => "dat",
        _ => match format {
            "parquet" => "parquet",
            "arrow-ipc" | "arrow" | "ipc" => "arrow",
            _ => "jsonl",
        },
    };
    ["base", "distance"].map(|name| format!("{name}.{extension}"))
}

/// The label of each record: its sensitive item, or one of its own where it has none. An error
/// where a record has several.
pub fn labels(sensitive: &Transactions) -> Result<Vec<u32>> {
    use sfumato_core::Error;
    let n_items = sensitive.n_items() as u32;
    let mut codes = Vec::new();
    let label = |record: usize| {
        codes.clear();
        sensitive.append(record, &mut codes);
        match codes[..] {
            [] => Ok(n_items + record as u32),
            [item] => Ok(item),
            _ => Err(Error::unsupported(format!(
                "record {} has {} sensitive items, and l-diversity by matches is about one",
                record + 1,
                codes.len()
            ))
            .hint("name fewer sensitive items, or ask for a privacy degree, which takes several")),
        }
    };
    (0..sensitive.len()).map(label).collect()
}
