//! Which rows a query selects, and what their numbers add up to.

use sfumato_core::column::{Codes, RawColumn, RawTable};
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

/// The numbers of a column, in order-preserving keys.
pub struct Keys<'a> {
    /// The key of each code.
    pub of_code: Vec<i64>,
    /// The code of each row.
    pub codes: &'a Codes,
    /// What kind of numbers they are.
    pub kind: ValueKind,
}

/// The numbers of a column. No value may be missing anywhere in it: else it would depend on the
/// data which records an answer is about.
pub fn keys<'a>(table: &'a RawTable, name: &str) -> Result<Keys<'a>> {
    let column = column(table, name)?;
    let kind = ValueKind::infer(column.values.iter());
    if !kind.is_number() {
        return Err(Error::params(format!(
            "column '{name}' isn't one of numbers without missing values: it has no sum and no \
             extremes"
        ))
        .hint("leave out the records without a value, or fill them in"));
    }
    let of_code = column.values.iter().filter_map(|text| kind.parse(text)).collect();
    Ok(Keys { of_code, codes: &column.codes, kind })
}

/// The sum of a column over some rows.
pub fn exact_sum(table: &RawTable, name: &str, rows: &[u32]) -> Result<Sum> {
    let Keys { of_code, codes, kind } = keys(table, name)?;
    let of_row = |row: &u32| of_code[codes.get(*row as usize) as usize];
    Ok(match kind {
        ValueKind::Integer => Sum::Exact(rows.iter().map(|row| i128::from(of_row(row))).sum(), 0),
        ValueKind::Decimal { scale } => {
            Sum::Exact(rows.iter().map(|row| i128::from(of_row(row))).sum(), scale)
        }
        _ => Sum::Float(rows.iter().map(|row| kind.number(of_row(row))).sum()),
    })
}

/// From this size on two whole numbers may be the same number in floating point.
const LARGEST: u64 = 1_000_000_000_000_000;

/// The largest or smallest value of a column over some rows.
pub fn extreme(table: &RawTable, name: &str, rows: &[u32], is_max: bool) -> Result<f64> {
    let Keys { of_code, codes, kind } = keys(table, name)?;
    let is_exact = !matches!(kind, ValueKind::Integer | ValueKind::Decimal { .. });
    if !is_exact && of_code.iter().any(|key| key.unsigned_abs() >= LARGEST) {
        return Err(Error::unsupported(format!(
            "column '{name}' has numbers of more than 15 digits, whose extremes aren't compared"
        )));
    }
    let keys = rows.iter().map(|row| of_code[codes.get(*row as usize) as usize]);
    let found = if is_max { keys.max() } else { keys.min() };
    let none = || Error::params("no record is selected, so that there is no largest or smallest");
    found.map(|key| kind.number(key)).ok_or_else(none)
}
