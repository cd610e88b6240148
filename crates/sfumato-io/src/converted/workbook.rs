//! A sheet of a workbook: .xlsx, .xlsm, .xlsb, .xls, .ods. Dates become dates, whatever form the
//! sheet shows them in, and formulas are what they came to when the file was saved.

use std::borrow::Cow;

use calamine::{Data, Reader as _, open_workbook_auto};
use sfumato_core::{Error, Result};

use super::{Rows, choose};

/// Copy a sheet.
pub(super) fn copy(path: &str, sheet: Option<&str>, rows: &mut Rows) -> Result<()> {
    let damaged = |error: &dyn std::fmt::Display| {
        Error::input(format!("this workbook can't be read: {error}")).in_file(path)
    };
    let mut book = open_workbook_auto(path).map_err(|error| damaged(&error))?;
    let name = choose(path, "sheet", &book.sheet_names(), sheet)?;
    let range = book.worksheet_range(&name).map_err(|error| damaged(&error))?;
    if range.is_empty() {
        return Err(Error::input(format!("the sheet '{name}' is empty")).in_file(path));
    }
    for (number, row) in range.rows().enumerate() {
        // Rows without anything in them are layout, not records.
        if row.iter().all(|cell| matches!(cell, Data::Empty)) {
            continue;
        }
        if let Some(column) = row.iter().position(|cell| matches!(cell, Data::Error(_))) {
            return Err(Error::input("a formula of this workbook came to an error")
                .in_file(path)
                .at_line(number as u64 + 1)
                .at_column(column as u64 + 1)
                .hint("correct it in the workbook, or delete the cell"));
        }
        rows.push(row.iter().map(text))?;
    }
    Ok(())
}

/// A cell as text.
fn text(cell: &Data) -> Cow<'_, str> {
    match cell {
        Data::Empty | Data::Error(_) => Cow::Borrowed(""),
        Data::String(text) | Data::DateTimeIso(text) | Data::DurationIso(text) => {
            Cow::Borrowed(text)
        }
        Data::Int(number) => Cow::Owned(number.to_string()),
        Data::Float(number) => Cow::Owned(number.to_string()),
        Data::Bool(yes) => Cow::Borrowed(if *yes { "true" } else { "false" }),
        Data::DateTime(moment) => {
            let (year, month, day, hour, minute, second, _) = moment.to_ymd_hms_milli();
            let time = format!("{hour:02}:{minute:02}:{second:02}");
            let date = format!("{year:04}-{month:02}-{day:02}");
            Cow::Owned(match moment.as_f64() {
                days if days < 1.0 || moment.is_duration() => time,
                days if days.fract() == 0.0 => date,
                _ => format!("{date}T{time}"),
            })
        }
    }
}
