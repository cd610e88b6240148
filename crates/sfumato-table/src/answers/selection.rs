//! Which rows a query selects, and what their numbers add up to.

use sfumato_core::column::{RawColumn, RawTable};
use sfumato_core::dataset::ValueKind;
use sfumato_core::workload::{Bound, Condition};
use sfumato_core::{Error, Result};

use crate::query::Query;

fn column<'a>(table: &'a RawTable, name: &str) -> Result<&'a RawColumn> {
    table.column(name).ok_or_else(|| {
        let known: Vec<&str> = table.columns.iter().map(|column| column.name.as_str()).collect();
        Error::params(format!("the file has no column '{name}'"))
            .hint(format!("it has {}", known.join(", ")))
    })
}

/// The rows that a query selects.
pub fn selected(table: &RawTable, query: &Query) -> Result<Vec<u32>> {
    let mut is_selected = vec![true; table.n_rows];
    for condition in query.predicate.iter().flat_map(|predicate| &predicate.conditions) {
        let column = column(table, &condition.column)?;
        let fits = fitting(column, condition)?;
        for (row, selected) in is_selected.iter_mut().enumerate() {
            *selected &= fits[column.codes.get(row) as usize];
        }
    }
    Ok((0..table.n_rows as u32).filter(|row| is_selected[*row as usize]).collect())
}

/// For each value of a column, whether it meets a condition. Missing values meet none.
fn fitting(column: &RawColumn, condition: &Condition) -> Result<Vec<bool>> {
    let is_missing =
        |(code, text): &(u32, &str)| Some(*code) == column.null || text.trim().is_empty();
    let values: Vec<(u32, &str)> = (0u32..).zip(column.values.iter()).collect();
    let texts: Vec<&str> =
        values.iter().filter(|value| !is_missing(value)).map(|(_, text)| *text).collect();
    let kind = ValueKind::infer(texts.iter().copied());
    let key = |text: &str| {
        kind.parse(text).ok_or_else(|| {
            Error::params(format!(
                "'{text}' isn't a value of column '{}', whose type is {}",
                column.name,
                kind.name()
            ))
        })
    };
    let within = |low: Option<(i64, bool)>, high: Option<(i64, bool)>| {
        let is_in = |value: &(u32, &str)| {
            !is_missing(value)
                && kind.parse(value.1).is_some_and(|key| {
                    low.is_none_or(|(low, with)| key > low || with && key == low)
                        && high.is_none_or(|(high, with)| key < high || with && key == high)
                })
        };
        values.iter().map(is_in).collect::<Vec<bool>>()
    };
    Ok(match &condition.bound {
        Bound::Is(text) if !kind.is_ordered() => {
            values.iter().map(|value| !is_missing(value) && value.1 == text).collect()
        }
        Bound::Is(text) => within(Some((key(text)?, true)), Some((key(text)?, true))),
        Bound::Below(text, with) => within(None, Some((key(text)?, *with))),
        Bound::Above(text, with) => within(Some((key(text)?, *with)), None),
        Bound::Between(low, high) => within(Some((key(low)?, true)), Some((key(high)?, true))),
    })
}

/// A sum: exact where numbers are whole or decimal.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Sum {
    /// So many units of 10^-scale.
    Exact(i128, u8),
    /// Added in floating point.
    Float(f64),
}

impl Sum {
    /// The sum as a number.
    pub fn as_f64(self) -> f64 {
        match self {
            Sum::Exact(sum, scale) => sum as f64 / 10f64.powi(i32::from(scale)),
            Sum::Float(sum) => sum,
        }
    }
    /// The sum, if it is whole.
    pub fn whole(self) -> Option<i64> {
        match self {
            Sum::Exact(sum, 0) => i64::try_from(sum).ok(),
            _ => None,
        }
    }
}

/// The sum of a column over some rows. No value may be missing anywhere in the column: else it
/// would depend on the data which records a sum is about.
pub fn exact_sum(table: &RawTable, name: &str, rows: &[u32]) -> Result<Sum> {
    let column = column(table, name)?;
    let kind = ValueKind::infer(column.values.iter());
    if !kind.is_number() {
        return Err(Error::params(format!(
            "column '{name}' isn't one of numbers without missing values: it has no sum"
        ))
        .hint("leave out the records without a value, or fill them in"));
    }
    let keys: Vec<i64> = column.values.iter().filter_map(|text| kind.parse(text)).collect();
    let of_row = |row: &u32| keys[column.codes.get(*row as usize) as usize];
    Ok(match kind {
        ValueKind::Integer => Sum::Exact(rows.iter().map(|row| i128::from(of_row(row))).sum(), 0),
        ValueKind::Decimal { scale } => {
            Sum::Exact(rows.iter().map(|row| i128::from(of_row(row))).sum(), scale)
        }
        _ => Sum::Float(rows.iter().map(|row| kind.number(of_row(row))).sum()),
    })
}
