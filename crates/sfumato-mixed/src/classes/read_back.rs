//! Reads a draft back and compares it with the original: columns are those that the verifier of
//! tables let pass, and what is published of items is true of each record.

use sfumato_core::Result;
use sfumato_core::column::RawTable;
use sfumato_engine::context::Context;
use sfumato_engine::draft::Draft;
use sfumato_engine::form::Written;
use sfumato_engine::verify::{cant_read_back, failed_verification};
use sfumato_io::ReadOptions;
use sfumato_table::sealed::cell;

use super::Classes;
use super::judged::Judged;
use super::write::header;
use crate::data::{MixedData, Rows, read_raw};
use crate::kind::Mixed;

/// What the bytes of a release say.
pub struct Read {
    /// Its columns without the items.
    pub table: RawTable,
    /// What is judged.
    pub judged: Judged,
}

/// Read a draft back and compare it with the original.
pub fn read_back(
    written: &Written<'_, Mixed, Classes>,
    draft: &Draft,
    context: &Context<'_>,
) -> Result<Read> {
    let (data, decision) = (written.data, written.decision());
    let options = &written.witness.options;
    let options = ReadOptions {
        format: Some(options.format),
        delimiter: Some(options.delimiter),
        header: Some(true),
        ..ReadOptions::default()
    };
    let path = draft.path()?.display().to_string();
    let items = (&data.items_name[..], written.witness.separator);
    let raw = read_raw(&path, &options, items, &[], context.observer).map_err(cant_read_back)?;
    let sealed = &decision.sealed;
    if raw.table.header != header(data, &sealed.header) || raw.table.n_rows != sealed.rows.len() {
        return Err(failed_verification("it hasn't the rows and columns that were decided"));
    }
    let rows = data.units.split(&raw.names, &raw.sets).map_err(cant_read_back)?;
    let columns: Vec<_> = sealed.header.iter().map(|name| raw.table.column(name)).collect();
    for (row, (record, cells)) in sealed.rows.iter().enumerate() {
        let wrong = |what: &str| Err(failed_verification(&format!("row {}: {what}", row + 1)));
        let is_cell = |(column, text): (&Option<_>, &Option<String>)| {
            let found = column.map(|column| cell(column, row).unwrap_or_default());
            found == Some(text.as_deref().unwrap_or_default())
        };
        if !columns.iter().zip(cells).all(is_cell) {
            return wrong("a cell isn't what the table had there");
        }
        if let Err(what) = is_true(data, *record, &rows, row) {
            return wrong(what);
        }
    }
    let mut judged = Judged::of(written.job, &raw.table, rows, None, context)?;
    judged.models = Some(written.job.models()?.0);
    Ok(Read { table: raw.table, judged })
}

/// Whether the items of a row are true of a record: each unit stands for an item that the record
/// has, each item is there at most once, and sensitive items are the record's own.
fn is_true(
    data: &MixedData,
    record: usize,
    rows: &Rows,
    row: usize,
) -> std::result::Result<(), &'static str> {
    let units = rows.units.set(row);
    let own = data.quasi.set(record);
    match &data.tree {
        None => {
            if !units.iter().all(|unit| own.binary_search(unit).is_ok()) {
                return Err("it has an item that its record hasn't");
            }
        }
        Some(tree) => {
            let leaves: Vec<u32> = own.iter().filter_map(|item| tree.leaf(*item)).collect();
            let below = |node: &u32| leaves.iter().any(|leaf| tree.covers(*node, *leaf));
            if !units.iter().all(below) {
                return Err("it has a node above nothing that its record has");
            }
            let above = |leaf: &u32| units.iter().filter(|node| tree.covers(**node, *leaf)).count();
            if leaves.iter().any(|leaf| above(leaf) > 1) {
                return Err("it has an item twice");
            }
        }
    }
    let secret = |sets: &Option<sfumato_core::transactions::Transactions>, at: usize| {
        sets.as_ref().map(|sets| sets.set(at)).unwrap_or_default()
    };
    match secret(&rows.sensitive, row) == secret(&data.sensitive, record) {
        true => Ok(()),
        false => Err("its sensitive items aren't those of its record"),
    }
}
