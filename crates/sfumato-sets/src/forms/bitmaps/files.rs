//! The files of a bitmap release: their names and layouts.

use sfumato_core::Result;
use sfumato_core::transactions::Transactions;
use sfumato_io::{BasketLayout, RecordSource as _, Separator};

/// The column of a list file with the threshold: in how many items of the distance set a base set
/// may be wrong.
pub const THRESHOLD: &str = "threshold";

/// The layout of base sets, for a release of records with a layout. A long table has no place for
/// an empty set, and a table none for a distance set: such data become lines.
pub fn base_layout(layout: &BasketLayout) -> BasketLayout {
    match layout {
        BasketLayout::Lines { separator, .. } => {
            BasketLayout::Lines { separator: *separator, key: false }
        }
        BasketLayout::List { column, .. } => {
            BasketLayout::List { column: column.clone(), key: None }
        }
        BasketLayout::Long { .. } | BasketLayout::Queries { .. } | BasketLayout::Table { .. } => {
            BasketLayout::Lines { separator: Separator::Char(','), key: false }
        }
    }
}

/// The layout of distance sets: each follows its threshold.
pub fn distance_layout(base: &BasketLayout) -> BasketLayout {
    match base {
        BasketLayout::List { column, .. } => {
            BasketLayout::List { column: column.clone(), key: Some(THRESHOLD.into()) }
        }
        BasketLayout::Lines { separator, .. } => {
            BasketLayout::Lines { separator: *separator, key: true }
        }
        other => other.clone(),
    }
}

/// The names of the files of base and distance sets. The extension says the format.
pub fn names(base: &BasketLayout, format: &str) -> [String; 2] {
    let extension = match base {
        BasketLayout::Lines { separator: Separator::Char(','), .. } => "csv",
        BasketLayout::Lines { .. } => "dat",
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
