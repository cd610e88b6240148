//! The files of a bucket release: what they are called, and how records lie in them.

use sfumato_core::{Error, Result};
use sfumato_io::{BasketForm, Separator};

/// The columns of the counts, after that of groups.
pub const COUNTS: [&str; 3] = ["records", "item", "count"];

/// How records with their groups lie in the file, for a release whose records alone would lie so. A
/// row for each item has no place for a record without items, so that such data become lines.
pub fn keyed(form: &BasketForm, group: &str) -> Result<BasketForm> {
    let check_free = |column: &str| match column == group {
        false => Ok(()),
        true => Err(Error::unsupported(format!(
            "the data have a column '{group}', and groups need that name"
        ))
        .hint("say another with --group-column")),
    };
    Ok(match form {
        BasketForm::Lines { separator, .. } => {
            BasketForm::Lines { separator: *separator, key: true }
        }
        BasketForm::Long { .. } => BasketForm::Lines { separator: Separator::Char(','), key: true },
        BasketForm::List { column, .. } => {
            check_free(column)?;
            BasketForm::List { column: column.clone(), key: Some(group.into()) }
        }
        BasketForm::Table { columns, rest, .. } => {
            columns.iter().try_for_each(|column| check_free(&column.name))?;
            BasketForm::Table { columns: columns.clone(), rest: *rest, key: Some(group.into()) }
        }
    })
}

/// What the file of records is called, and that of counts; the extension says the format.
pub fn names(form: &BasketForm, format: &str) -> (String, String) {
    let extension = match format {
        "parquet" => "parquet",
        "arrow-ipc" | "arrow" | "ipc" => "arrow",
        "jsonl" => "jsonl",
        _ => "csv",
    };
    match form {
        BasketForm::Lines { separator: Separator::Char(','), .. } => {
            ("quasi.csv".into(), "sensitive.csv".into())
        }
        BasketForm::Lines { .. } => ("quasi.dat".into(), "sensitive.csv".into()),
        _ => (format!("quasi.{extension}"), format!("sensitive.{extension}")),
    }
}
