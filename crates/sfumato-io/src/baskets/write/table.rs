//! Writes one row per record: 0 and 1 in columns that are items, and values or nothing in columns
//! that have values.

use sfumato_core::column::{Codes, Dictionary};
use sfumato_core::{Error, FastMap, Result};

use crate::baskets::table::check_names;
use crate::baskets::write::Job;
use crate::baskets::{ItemColumn, ItemKind};
use crate::output::Output;
use crate::scan::check_cancelled;
use crate::writers::{ReleaseWriter, WriteColumn, blocks};

/// The number of cells in memory at a time.
const CELLS: usize = 1 << 23;
/// The code of a cell without an item, which is written as 0 or as nothing.
const ABSENT: u32 = 0;

/// The column of an item, and its code there.
type Cell = (usize, u32);

pub(super) fn write(
    out: Output,
    columns: &[ItemColumn],
    key: Option<&str>,
    job: &Job<'_>,
) -> Result<Output> {
    check_names(columns)?;
    let (cells, values) = cells(columns, job.names)?;
    let key = key.filter(|_| job.is_keyed());
    let types: Vec<Option<&str>> =
        columns.iter().map(|column| (column.kind == ItemKind::OneHot).then_some("Int8")).collect();
    let header: Vec<(&str, Option<&str>)> =
        columns.iter().map(|column| column.name.as_str()).zip(types.iter().copied()).collect();
    // The key comes first.
    let keyed: Vec<(&str, Option<&str>)> =
        key.map(|key| (key, Some("Int64"))).into_iter().chain(header.iter().copied()).collect();
    let mut writer = ReleaseWriter::create(out, &keyed, &job.options.file)?;
    let rows = (CELLS / columns.len()).clamp(1, 1 << 16);
    let mut codes = Vec::new();
    for records in blocks(0..job.n_records, rows) {
        check_cancelled(job.observer)?;
        let mut table = vec![vec![ABSENT; records.len()]; columns.len()];
        for (row, record) in records.clone().enumerate() {
            codes.clear();
            job.records.append(record, &mut codes);
            for code in &codes {
                let (column, cell) = cells[*code as usize];
                if std::mem::replace(&mut table[column][row], cell) != ABSENT {
                    let message =
                        format!("a record has two values of column '{}'", columns[column].name);
                    return Err(
                        Error::unsupported(message).hint("write lists or a row for each item")
                    );
                }
            }
        }
        let sources: Vec<Codes> = table.into_iter().map(Codes::U32).collect();
        let keys: Dictionary = records
            .clone()
            .filter_map(|record| job.records.key(record))
            .map(|key| key.to_string())
            .collect();
        let row_numbers = Codes::U32((0..records.len() as u32).collect());
        let native_type = Some("Int64");
        let of_key = key.map(|name| WriteColumn {
            name,
            values: &keys,
            null: None,
            native_type,
            source: &row_numbers,
        });
        let of_items = header.iter().zip(values.iter().zip(&sources));
        let columns: Vec<WriteColumn<'_>> = of_key
            .into_iter()
            .chain(of_items.map(|(&(name, native_type), (values, source))| {
                let null = native_type.is_none().then_some(ABSENT);
                WriteColumn { name, values, null, native_type, source }
            }))
            .collect();
        writer.append(&columns, records.len(), job.observer)?;
    }
    writer.finish()
}

/// The column of each item and its code there, and the texts of each column.
fn cells(columns: &[ItemColumn], names: &[String]) -> Result<(Vec<Cell>, Vec<Dictionary>)> {
    let places: FastMap<&str, usize> =
        columns.iter().map(|column| column.name.as_str()).zip(0..).collect();
    let mut values: Vec<Dictionary> = columns
        .iter()
        .map(|column| match column.kind {
            ItemKind::OneHot => ["0", "1"].into_iter().collect(),
            _ => [""].into_iter().collect(),
        })
        .collect();
    let mut cells = Vec::with_capacity(names.len());
    for name in names {
        let one_hot =
            places.get(name.as_str()).filter(|place| columns[**place].kind == ItemKind::OneHot);
        let valued = name.match_indices('=').find_map(|(at, _)| {
            let place = *places.get(&name[..at])?;
            (columns[place].kind != ItemKind::OneHot).then_some((place, &name[at + 1..]))
        });
        cells.push(match (one_hot, valued) {
            (Some(place), _) => (*place, 1),
            (None, Some((place, value))) if !value.is_empty() => (place, values[place].push(value)),
            _ => {
                return Err(Error::unsupported(format!(
                    "item '{name}' belongs to no column of the table"
                )));
            }
        });
    }
    Ok((cells, values))
}
