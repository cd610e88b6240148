//! The files of a bucket release: their names and layouts.

use sfumato_core::{Error, Result};
use sfumato_io::{BasketLayout, Separator};

/// The columns of the counts, after the column of groups.
pub const COUNTS: [&str; 3] = ["records", "item", "count"];

/// The layout of records with their groups, for a release of records with a layout. A long table
/// has no place for a record without items, so such data become lines.
pub fn keyed(layout: &BasketLayout, group: &str) -> Result<BasketLayout> {
    let check_free = |column: &str| match column == group {
        false => Ok(()),
        true => Err(Error::unsupported(format!(
            "the data have a column '{group}', and groups need that name"
        ))
        .hint("say another with --group-column")),
    };
    Ok(match layout {
        BasketLayout::Lines { separator, .. } => {
            BasketLayout::Lines { separator: *separator, key: true }
        }
        BasketLayout::Long { .. } | BasketLayout::Queries { .. } => {
            BasketLayout::Lines { separator: Separator::Char(','), key: true }
        }
        BasketLayout::List { column, .. } => {
            check_free(column)?;
            BasketLayout::List { column: column.clone(), key: Some(group.into()) }
        }
        BasketLayout::Table { columns, rest, .. } => {
            columns.iter().try_for_each(|column| check_free(&column.name))?;
            BasketLayout::Table { columns: columns.clone(), rest: *rest, key: Some(group.into()) }
        }
    })
}

/// The names of the files of records and of counts. The extension says the format.
pub fn names(layout: &BasketLayout, format: &str) -> (String, String) {
    let extension = match format {
        "parquet" => "parquet",
        "arrow-ipc" | "arrow" | "ipc" => "arrow",
        "jsonl" => "jsonl",
        _ => "csv",
    };
    match layout {
        BasketLayout::Lines { separator: Separator::Char(','), .. } => {
            ("quasi.csv".into(), "sensitive.csv".into())
        }
        BasketLayout::Lines { .. } => ("quasi.dat".into(), "sensitive.csv".into()),
        _ => (format!("quasi.{extension}"), format!("sensitive.{extension}")),
    }
}
