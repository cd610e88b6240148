//! The records of one batch of lists.

use arrow_array::cast::AsArray;
use arrow_array::types::{Int64Type, UInt64Type};
use arrow_array::{Array, ArrayRef, RecordBatch};
use arrow_cast::cast;
use arrow_schema::DataType;
use sfumato_core::column::{Codes, Dictionary};
use sfumato_core::{Error, FastMap, FastSet, Result};

use crate::baskets::BasketOptions;
use crate::baskets::pieces::{Meaning, Piece, SMALL};

/// The start and the end of the values of a list. `None` if the list is null.
type Span = Option<(usize, usize)>;

/// How to read batches.
pub(crate) struct Lists<'a> {
    column: &'a str,
    key: Option<&'a str>,
    missing: FastSet<&'a str>,
    missing_numbers: FastSet<i128>,
}

impl<'a> Lists<'a> {
    pub(crate) fn new(column: &'a str, key: Option<&'a str>, options: &'a BasketOptions) -> Self {
        let missing: FastSet<&str> =
            options.missing.iter().map(String::as_str).chain([""]).collect();
        let missing_numbers = missing.iter().filter_map(|text| text.parse().ok()).collect();
        Lists { column, key, missing, missing_numbers }
    }

    /// The records of a batch, and whether their items are numbers.
    pub(crate) fn piece(&self, batch: &RecordBatch, first_row: u64) -> Result<(Piece, bool)> {
        let lists = self.array(batch, self.column)?;
        let (values, ends) = elements(lists, self.column)?;
        let numeric = values.data_type().is_integer();
        let mut found =
            if numeric { self.numbers(&values, &ends)? } else { self.texts(&values, &ends)? };
        if let Some(key) = self.key {
            found.keys = keys(self.array(batch, key)?, key, first_row)?;
        }
        Ok((found, numeric))
    }

    fn array<'b>(&self, batch: &'b RecordBatch, name: &str) -> Result<&'b ArrayRef> {
        batch
            .column_by_name(name)
            .ok_or_else(|| Error::internal(format!("column '{name}' wasn't read")))
    }

    fn numbers(&self, values: &ArrayRef, ends: &[Span]) -> Result<Piece> {
        let failed = |e| Error::internal(format!("numbers can't be read: {e}"));
        let numbers: Vec<Option<i128>> = match values.data_type() {
            DataType::UInt64 => {
                values.as_primitive::<UInt64Type>().iter().map(|n| n.map(i128::from)).collect()
            }
            _ => {
                let wide = cast(values, &DataType::Int64).map_err(failed)?;
                wide.as_primitive::<Int64Type>().iter().map(|n| n.map(i128::from)).collect()
            }
        };
        let item = |at: usize| numbers[at].filter(|number| !self.missing_numbers.contains(number));
        let small = |number: i128| (0..SMALL as i128).contains(&number);
        if (0..numbers.len()).filter_map(item).all(small) {
            let mut seen = vec![false; SMALL];
            let code = |number: i128, seen: &mut Vec<bool>| {
                seen[number as usize] = true;
                number as u32
            };
            let mut piece = collect(ends, |at| item(at).map(|number| code(number, &mut seen)));
            let seen = (0..SMALL).filter(|number| seen[*number]).map(|number| number as u16);
            piece.meaning = Meaning::Numbers(seen.collect());
            return Ok(piece);
        }
        Ok(named(ends, item, |number| number.to_string()))
    }

    fn texts(&self, values: &ArrayRef, ends: &[Span]) -> Result<Piece> {
        let wide = cast(values, &DataType::LargeUtf8)
            .map_err(|e| Error::internal(format!("texts can't be read: {e}")))?;
        let texts = wide.as_string::<i64>();
        if let Some(bad) = texts.iter().flatten().find(|text| text.contains('\0')) {
            return Err(Error::input(format!(
                "an item of {} bytes has NUL in its name",
                bad.len()
            )));
        }
        let item = |at: usize| {
            (!texts.is_null(at))
                .then(|| texts.value(at))
                .filter(|text| !self.missing.contains(text))
        };
        Ok(named(ends, item, str::to_owned))
    }
}

/// The records of lists whose items are numbered in the order in which they are first seen. Values
/// in no list get no number.
fn named<T: std::hash::Hash + Eq + Copy>(
    ends: &[Span],
    item: impl Fn(usize) -> Option<T>,
    name: impl Fn(T) -> String,
) -> Piece {
    let (mut index, mut names): (FastMap<T, u32>, Vec<Option<String>>) =
        (FastMap::default(), Vec::new());
    let mut code = |item: T| {
        *index.entry(item).or_insert_with(|| {
            names.push(Some(name(item)));
            names.len() as u32 - 1
        })
    };
    let mut piece = collect(ends, |at| item(at).map(&mut code));
    piece.meaning = Meaning::Texts(names);
    piece
}

/// The values of all lists, and where the values of each list are.
fn elements(lists: &ArrayRef, column: &str) -> Result<(ArrayRef, Vec<Span>)> {
    let span = |row: usize, from: usize, to: usize| (!lists.is_null(row)).then_some((from, to));
    let pairs = |offsets: Vec<usize>| {
        (0..lists.len()).map(|row| span(row, offsets[row], offsets[row + 1])).collect::<Vec<_>>()
    };
    let (values, ends) = match lists.data_type() {
        DataType::List(_) => {
            let lists = lists.as_list::<i32>();
            let offsets = lists.value_offsets().iter().map(|at| *at as usize).collect();
            (lists.values().clone(), pairs(offsets))
        }
        DataType::LargeList(_) => {
            let lists = lists.as_list::<i64>();
            let offsets = lists.value_offsets().iter().map(|at| *at as usize).collect();
            (lists.values().clone(), pairs(offsets))
        }
        other => {
            return Err(Error::input(format!(
                "column '{column}' has no lists, it is of type {other}"
            )));
        }
    };
    let inner = values.data_type();
    let text = |inner: &DataType| {
        matches!(inner, DataType::Utf8 | DataType::LargeUtf8 | DataType::Utf8View)
    };
    let of_texts = text(inner) || matches!(inner, DataType::Dictionary(_, of) if text(of));
    if !(inner.is_integer() || of_texts) {
        let message = format!("column '{column}' has lists of type {inner}, which are no items");
        return Err(Error::input(message).hint("items are texts or whole numbers"));
    }
    Ok((values, ends))
}

/// The records of lists, with each item once. The caller decides what the codes mean.
fn collect(ends: &[Span], mut code: impl FnMut(usize) -> Option<u32>) -> Piece {
    let (mut codes, mut lengths) = (Vec::new(), Vec::with_capacity(ends.len()));
    let (mut repeated, mut missing) = (0, 0);
    let mut set: Vec<u32> = Vec::new();
    for span in ends {
        let (from, to) = span.unwrap_or((0, 0));
        set.clear();
        set.extend((from..to).filter_map(&mut code));
        missing += (to - from - set.len()) as u64;
        let before = set.len();
        set.sort_unstable();
        set.dedup();
        repeated += (before - set.len()) as u64;
        lengths.push(set.len() as u32);
        codes.extend_from_slice(&set);
    }
    let n_codes = codes.iter().max().map_or(0, |code| *code as usize + 1);
    let codes = Codes::from_iter(n_codes, codes.into_iter());
    Piece { codes, lengths, meaning: Meaning::Items, keys: Dictionary::new(), repeated, missing }
}

fn keys(array: &ArrayRef, column: &str, first_row: u64) -> Result<Dictionary> {
    let wide = cast(array, &DataType::LargeUtf8)
        .map_err(|e| Error::input(format!("column '{column}' can't be keys: {e}")))?;
    let mut keys = Dictionary::new();
    for (row, key) in (first_row + 1..).zip(wide.as_string::<i64>().iter()) {
        match key.filter(|key| !key.is_empty()) {
            Some(key) => keys.push(key),
            None => return Err(Error::input(format!("row {row} has no key in column '{column}'"))),
        };
    }
    Ok(keys)
}
