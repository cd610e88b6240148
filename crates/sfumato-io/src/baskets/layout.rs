//! The layouts of files of baskets.

use sfumato_core::{Error, Result};

/// The separator between the items of a line.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Separator {
    /// One or more spaces or tabs, as in FIMI files.
    Blank,
    /// A character. Blanks around an item don't belong to it, unless the character is a blank.
    Char(char),
}

/// The kind of items that a column of a table becomes.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum ItemKind {
    /// One item, named like the column. It is in a record if the cell is 1 or true, and not if the
    /// cell is 0, false or missing.
    OneHot,
    /// An item for each value: `column=value`.
    Categorical,
    /// An item for each range of numbers: `column=[20, 25)`.
    Bucket {
        /// The width of a range. Ranges begin at multiples of it.
        width: f64,
    },
}

/// A column of a table that becomes items.
#[derive(Debug, Clone, PartialEq)]
pub struct ItemColumn {
    /// The column's name.
    pub name: String,
    /// The kind of items that the column becomes.
    pub kind: ItemKind,
}

/// The layout of a file of baskets.
#[derive(Debug, Clone, PartialEq)]
pub enum BasketLayout {
    /// One record per line. A blank line is a record without items.
    Lines {
        /// The separator between items.
        separator: Separator,
        /// Whether the first field of a line is a key and not an item.
        key: bool,
    },
    /// A table with one row for each item of each record. Records come in the order in which their
    /// ids first occur; a row whose item is missing makes a record without adding an item. In a
    /// written file, ids are the numbers from 1 on, and a record without items has no row.
    Long {
        /// The column with the id of the record.
        id: String,
        /// The column with the item.
        item: String,
        /// The column with the utility of the item, which must be the same in all rows of an item.
        /// It isn't written.
        utility: Option<String>,
    },
    /// A column of lists in a Parquet or Arrow file. A null is a record without items.
    List {
        /// The column of lists of texts or whole numbers.
        column: String,
        /// The column of keys.
        key: Option<String>,
    },
    /// A log of queries, one row for each: a record is the terms of all queries of a user. A
    /// release of it is written as lines.
    Queries {
        /// The column with the user.
        user: String,
        /// The column with the text of the query.
        query: String,
    },
    /// A table with one row per record, whose columns become items.
    Table {
        /// The columns that become items.
        columns: Vec<ItemColumn>,
        /// What all other columns become. `None` if there must be no others.
        rest: Option<ItemKind>,
        /// The column of keys.
        key: Option<String>,
    },
}

impl BasketLayout {
    /// The layout of FIMI files: one record per line, blanks between items, no key.
    pub const FIMI: BasketLayout = BasketLayout::Lines { separator: Separator::Blank, key: false };

    /// The name of the layout in reports.
    pub fn name(&self) -> &'static str {
        match self {
            BasketLayout::Lines { .. } => "lines",
            BasketLayout::Long { .. } => "long",
            BasketLayout::List { .. } => "list",
            BasketLayout::Queries { .. } => "queries",
            BasketLayout::Table { .. } => "table",
        }
    }

    /// Refuse a layout that no file can have.
    pub(crate) fn check(&self) -> Result<()> {
        match self {
            BasketLayout::Lines { separator: Separator::Char(separator), .. } => {
                check_separator(*separator)
            }
            BasketLayout::Lines { .. } => Ok(()),
            BasketLayout::Long { id, item, utility } => {
                all_different([id, item].into_iter().chain(utility).map(String::as_str))
            }
            BasketLayout::List { column, key } => {
                all_different([column].into_iter().chain(key).map(String::as_str))
            }
            BasketLayout::Queries { user, query } => all_different([&user[..], query].into_iter()),
            BasketLayout::Table { columns, rest, key } => {
                columns.iter().map(|column| column.kind).chain(*rest).try_for_each(check_kind)?;
                all_different(
                    columns.iter().map(|column| &column.name).chain(key).map(String::as_str),
                )
            }
        }
    }
}

fn check_separator(separator: char) -> Result<()> {
    if matches!(separator, '\n' | '\r' | '\0' | '"') {
        return Err(Error::params("a separator can't be a quote, a line end or NUL"));
    }
    Ok(())
}

fn check_kind(kind: ItemKind) -> Result<()> {
    match kind {
        ItemKind::Bucket { width } if !(width.is_finite() && width > 0.0) => {
            Err(Error::params(format!("ranges must be wider than 0, not {width}")))
        }
        _ => Ok(()),
    }
}

fn all_different<'a>(names: impl Iterator<Item = &'a str>) -> Result<()> {
    let mut seen = sfumato_core::FastSet::default();
    for name in names {
        if !seen.insert(name) {
            return Err(Error::params(format!("column '{name}' is named for two purposes")));
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn impossible_forms_are_refused() {
        let message = |layout: BasketLayout| layout.check().unwrap_err().message;
        let lines = BasketLayout::Lines { separator: Separator::Char('"'), key: false };
        assert_eq!(message(lines), "a separator can't be a quote, a line end or NUL");
        let long = BasketLayout::Long { id: "a".into(), item: "a".into(), utility: None };
        assert_eq!(message(long), "column 'a' is named for two purposes");
        for width in [0.0, -1.0, f64::NAN, f64::INFINITY] {
            let rest = Some(ItemKind::Bucket { width });
            assert!(
                message(BasketLayout::Table { columns: vec![], rest, key: None })
                    .contains("wider than 0")
            );
        }
        BasketLayout::FIMI.check().unwrap();
        assert_eq!(BasketLayout::FIMI.name(), "lines");
    }
}
