//! A table or view of a SQLite database, or what a query of it gives.

use std::borrow::Cow;

use rusqlite::types::ValueRef;
use rusqlite::{Connection, OpenFlags};
use sfumato_core::{Error, Result};

use super::{Rows, choose, is_query};

/// Copy a table.
pub(super) fn copy(path: &str, part: Option<&str>, rows: &mut Rows) -> Result<()> {
    let failed = |error: rusqlite::Error| {
        Error::input(format!("this database can't be read: {error}")).in_file(path)
    };
    let flags = OpenFlags::SQLITE_OPEN_READ_ONLY | OpenFlags::SQLITE_OPEN_NO_MUTEX;
    let database = Connection::open_with_flags(path, flags).map_err(failed)?;
    let query = match part.filter(|part| is_query(part)) {
        Some(query) => query.to_string(),
        None => {
            let mut listed = database
                .prepare(
                    "select name from sqlite_master where type in ('table', 'view') and name not \
                     like 'sqlite_%' order by name",
                )
                .map_err(failed)?;
            let names = listed.query_map([], |row| row.get::<_, String>(0)).map_err(failed)?;
            let names = names.collect::<rusqlite::Result<Vec<String>>>().map_err(failed)?;
            let name = choose(path, "table", &names, part)?;
            format!("select * from \"{}\"", name.replace('"', "\"\""))
        }
    };
    let mut asked = database.prepare(&query).map_err(failed)?;
    let header: Vec<String> = asked.column_names().map(String::from).collect();
    rows.push(header.iter().map(|name| Cow::Borrowed(name.as_str())))?;
    let mut found = asked.query([]).map_err(failed)?;
    let mut number = 0;
    while let Some(row) = found.next().map_err(failed)? {
        number += 1;
        let mut cells = Vec::with_capacity(header.len());
        for (column, name) in header.iter().enumerate() {
            let cell = row.get_ref(column).map_err(failed)?;
            cells.push(text(cell).ok_or_else(|| {
                Error::input(format!("row {number} of column '{name}' is no text"))
                    .in_file(path)
                    .hint("leave the column out: 'FILE#select a, b from table'")
            })?);
        }
        rows.push(cells.into_iter())?;
    }
    Ok(())
}

/// A cell as text. `None` for bytes that are none.
fn text(cell: ValueRef<'_>) -> Option<Cow<'_, str>> {
    Some(match cell {
        ValueRef::Null => Cow::Borrowed(""),
        ValueRef::Integer(number) => Cow::Owned(number.to_string()),
        ValueRef::Real(number) => Cow::Owned(number.to_string()),
        ValueRef::Text(bytes) | ValueRef::Blob(bytes) => {
            Cow::Borrowed(std::str::from_utf8(bytes).ok()?)
        }
    })
}
