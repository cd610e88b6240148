//! The files of a bitmap release: their names and layouts.

use sfumato_core::Result;
use sfumato_core::transactions::Transactions;
use sfumato_io::{BasketForm, RecordSource as _, Separator};

/// The column of a list file with the threshold: in how many items of the distance set a base set
/// may be wrong.
pub const THRESHOLD: &str = "threshold";

/// The layout of base sets, for a release of records with a layout. A long table has no place for
/// an empty set, and a table none for a distance set: such data become lines.
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

/// The layout of distance sets: each follows its threshold.
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

/// The names of the files of base and distance sets. The extension says the format.
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

/// The label of each record: its sensitive item, or a label of its own if it has none. An error if
/// a record has several.
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
