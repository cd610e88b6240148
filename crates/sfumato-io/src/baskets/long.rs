//! Long tables: one row for each item of each record.

use rayon::prelude::*;
use sfumato_core::column::{Codes, Dictionary, RawColumn, RawTable};
use sfumato_core::dataset::Canonical;
use sfumato_core::observer::Observer;
use sfumato_core::{Error, FastSet, Result};

use crate::baskets::pieces::{Meaning, NONE, Piece, Pieces};
use crate::baskets::{BasketLayout, BasketOptions, ReadBaskets, columns, item};
use crate::scan;

/// The number of records in a piece.
pub(super) const RECORDS: usize = 1 << 16;

/// Read a long table.
pub(crate) fn read(
    path: &str,
    id: &str,
    item: &str,
    utility: Option<&str>,
    options: &BasketOptions,
    observer: &dyn Observer,
) -> Result<ReadBaskets> {
    let mut select = |header: &[String]| {
        columns::select(header, [id, item].into_iter().chain(utility), &options.dropped)
    };
    let read = scan::read(path, &options.file, &mut select, observer)
        .and_then(|table| of_table(table, id, item, utility, options));
    read.map_err(|mut error| {
        error.place.file.get_or_insert_with(|| crate::input::display_name(path).to_owned());
        error
    })
}

fn of_table(
    table: RawTable,
    id: &str,
    item: &str,
    utility: Option<&str>,
    options: &BasketOptions,
) -> Result<ReadBaskets> {
    let missing: FastSet<&str> = options.missing.iter().map(String::as_str).chain([""]).collect();
    let column = |name: &str| {
        table.column(name).ok_or_else(|| Error::internal(format!("column '{name}' wasn't read")))
    };
    let (ids, items) = (column(id)?, column(item)?);
    let (record_of, n_records) = records_of(ids, &missing, options.records)?;
    let mut pieces = Pieces::new();
    let item_of = items_of(items, &missing, &mut pieces)?;
    let utilities = match utility {
        Some(name) => Some(utilities_of(column(name)?, items, &item_of, &missing)?),
        None => None,
    };
    // Rows in the order of records: how many each has, where each begins, and the items to their
    // places.
    let mut ends = vec![0u64; n_records + 1];
    let rows = || ids.codes.iter().map(|id| record_of[id as usize]).zip(items.codes.iter());
    let mut absent = 0;
    for (record, code) in rows() {
        match item_of[code as usize] {
            NONE => absent += 1,
            _ => ends[record as usize + 1] += 1,
        }
    }
    for i in 0..n_records {
        ends[i + 1] += ends[i];
    }
    let mut sorted = vec![0u32; ends[n_records] as usize];
    let mut next = ends.clone();
    for (record, code) in rows() {
        let item = item_of[code as usize];
        if item != NONE {
            sorted[next[record as usize] as usize] = item;
            next[record as usize] += 1;
        }
    }
    drop(next);
    let found: Vec<Piece> = (0..n_records)
        .into_par_iter()
        .step_by(RECORDS)
        .map(|first| piece(first..(first + RECORDS).min(n_records), &ends, &sorted))
        .collect();
    drop(sorted);
    found.into_iter().try_for_each(|piece| pieces.add(piece))?;
    let numeric = items.native_type.as_deref().is_some_and(|native| native.contains("Int"));
    let joined = pieces.finish()?;
    let utilities = utilities.map(|by_item| {
        let mut by_code = vec![None; joined.names.len()];
        by_item
            .into_iter()
            .zip(&joined.code_of)
            .for_each(|(utility, code)| by_code[*code as usize] = utility);
        by_code
    });
    let keys = (options.keep_keys && options.records.is_none()).then(|| match Canonical::default()
        .number(&ids.values)
    {
        Some(alike) => alike.first.iter().map(|at| ids.values.get(*at)).collect(),
        None => ids.values.clone(),
    });
    Ok(ReadBaskets {
        names: joined.names,
        sets: joined.sets,
        keys,
        utilities,
        repeated: joined.repeated,
        missing: absent,
        numeric,
        release_layout: BasketLayout::Long { id: id.into(), item: item.into(), utility: None },
        source: table.source,
    })
}

/// The record of each code of an id, and the number of records.
pub(super) fn records_of(
    ids: &RawColumn,
    missing: &FastSet<&str>,
    numbered: Option<u64>,
) -> Result<(Vec<u32>, usize)> {
    // Spellings of one id are one record: two records would be two people.
    let alike = if numbered.is_none() { Canonical::default().number(&ids.values) } else { None };
    let n_ids = alike.as_ref().map_or(ids.values.len(), |alike| alike.first.len());
    let n = numbered.unwrap_or(n_ids as u64);
    if n > u64::from(u32::MAX) {
        return Err(Error::resources("there are more than 4,294,967,295 records"));
    }
    let mut records = Vec::with_capacity(ids.values.len());
    for (code, text) in (0..).zip(ids.values.iter()) {
        let wrong = |message: &str| {
            let row = ids.codes.iter().position(|other| other == code).unwrap_or(0) + 1;
            Error::input(format!("row {row} {message} in column '{}'", ids.name))
        };
        if ids.null == Some(code) || missing.contains(text) || missing.contains(text.trim()) {
            return Err(wrong("has no id"));
        }
        records.push(match numbered {
            None => alike.as_ref().map_or(code, |alike| alike.of_text[code as usize]),
            Some(n) => match item::number(text.as_bytes()) {
                Some(number) if (1..=n).contains(&number) => (number - 1) as u32,
                _ => return Err(wrong(&format!("has no number from 1 to {n}"))),
            },
        });
    }
    Ok((records, n as usize))
}

/// The item of each code, or [`NONE`] if it means missing.
fn items_of(items: &RawColumn, missing: &FastSet<&str>, pieces: &mut Pieces) -> Result<Vec<u32>> {
    let of_code =
        |(code, text): (u32, &str)| match items.null == Some(code) || missing.contains(text) {
            true => Ok(NONE),
            false => pieces.item(text),
        };
    (0..).zip(items.values.iter()).map(of_code).collect()
}

/// The utility of each item. All rows of an item with a utility must have the same.
fn utilities_of(
    utilities: &RawColumn,
    items: &RawColumn,
    item_of: &[u32],
    missing: &FastSet<&str>,
) -> Result<Vec<Option<f64>>> {
    let n_items = item_of.iter().filter(|item| **item != NONE).count();
    let mut found: Vec<Option<f64>> = vec![None; n_items];
    let values: Vec<Option<&str>> = (0..)
        .zip(utilities.values.iter())
        .map(|(code, text)| {
            (utilities.null != Some(code) && !missing.contains(text)).then_some(text)
        })
        .collect();
    let numbers: Vec<Option<f64>> =
        values.iter().map(|text| text.and_then(|text| text.trim().parse().ok())).collect();
    for (row, (item, utility)) in (1..).zip(items.codes.iter().zip(utilities.codes.iter())) {
        let item = item_of[item as usize];
        if item == NONE || values[utility as usize].is_none() {
            continue;
        }
        let wrong = |message: &str| {
            Error::input(format!("row {row}: {message} in column '{}'", utilities.name))
        };
        let Some(number) = numbers[utility as usize].filter(|n: &f64| n.is_finite() && *n >= 0.0)
        else {
            return Err(wrong("what an item is worth must be a number of at least 0"));
        };
        if found[item as usize].replace(number).is_some_and(|before| before != number) {
            return Err(wrong("an item is worth something else than in an earlier row"));
        }
    }
    Ok(found)
}

/// Some records, with each item once.
pub(super) fn piece(records: std::ops::Range<usize>, ends: &[u64], sorted: &[u32]) -> Piece {
    let all = ends[records.end] - ends[records.start];
    let (mut codes, mut lengths) =
        (Vec::with_capacity(all as usize), Vec::with_capacity(records.len()));
    let mut set = Vec::new();
    for record in records {
        set.clear();
        set.extend_from_slice(&sorted[ends[record] as usize..ends[record + 1] as usize]);
        set.sort_unstable();
        set.dedup();
        lengths.push(set.len() as u32);
        codes.extend_from_slice(&set);
    }
    let repeated = all - codes.len() as u64;
    let (codes, keys) = (Codes::U32(codes), Dictionary::new());
    Piece { codes, lengths, meaning: Meaning::Items, keys, repeated, missing: 0 }
}
