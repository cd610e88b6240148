//! The joint table: the columns of notes, and beside them what texts say that their row doesn't.
//! Models of tables are judged on it, and attacks on tables are played on it.

use std::collections::BTreeSet;
use std::sync::Arc;

use arrow_array::{ArrayRef, StringArray};
use rayon::prelude::*;
use sfumato_core::Result;
use sfumato_core::column::RawTable;
use sfumato_core::dataset::Role;
use sfumato_engine::audit::AuditRequest;
use sfumato_engine::context::Context;
use sfumato_engine::form::Form;
use sfumato_io::Loan;
use sfumato_table::audit::Opened as OpenedTable;
use sfumato_table::job::{ColumnSpec, Columns};
use sfumato_table::kind::Tables;

use super::GENERALIZED;
use crate::data::{Extractor, Noted, Part, cell, lent, lent_columns};
use crate::job::Job;

/// The name of the column that says which note a row is; it is never written.
pub const RECORD: &str = "#record";
/// The name of the column that says whom a note is about; it is never written.
pub const PERSON: &str = "#person";

/// What a text says of an attribute and its row doesn't, for every attribute and row.
pub struct Leftovers {
    /// Names of columns, and what they say; only of attributes of which some text says more.
    pub columns: Vec<(String, Vec<String>)>,
    /// How many rows say more in their text.
    pub rows: u64,
}

/// The published cells of the attributes in a row; none where the column isn't published.
pub type Cells<'a> = Vec<Option<&'a str>>;

/// The parts of a text that say more of the person than the cells do.
pub fn says_more<'a>(
    extractor: &'a Extractor,
    text: &'a str,
    cells: &'a Cells<'_>,
) -> impl Iterator<Item = Part> + use<'a> {
    let is_more = move |part: &Part| {
        !part.of.is_empty()
            && !part.of.iter().any(|at| {
                let attribute = &extractor.attributes[*at];
                let inner = &text[part.span.start..part.span.end];
                cells[*at].is_some_and(|cell| {
                    !cell.is_empty() && attribute.value_of_cell(cell) == attribute.value(inner)
                })
            })
            && !is_within_mark(text, part)
            && !cells.iter().flatten().any(|cell| is_within(text, part, cell))
    };
    extractor.find(text, None).into_iter().filter(is_more)
}

/// Whether a part lies in a place where the text repeats a cell.
fn is_within(text: &str, part: &Part, cell: &str) -> bool {
    let (start, end) = (part.span.start, part.span.end);
    cell.chars().count() > 1
        && cell.len() >= end - start
        && text.match_indices(cell).any(|(at, _)| at <= start && end <= at + cell.len())
}

/// Whether a part is the word of a mark such as `[AGE]`.
fn is_within_mark(text: &str, part: &Part) -> bool {
    let inner = &text[part.span.start..part.span.end];
    let inner = inner.trim_matches(['[', ']']);
    let is_word = |c: char| c.is_ascii_uppercase() || c.is_ascii_digit() || c == '_';
    let before = text[..part.span.start].trim_end_matches(is_word);
    let after = text[part.span.end..].trim_start_matches(is_word);
    let is_open = before.ends_with('[') || text[part.span.start..].starts_with('[');
    let is_closed = after.starts_with(']') || text[..part.span.end].ends_with(']');
    !inner.is_empty() && inner.chars().all(is_word) && is_open && is_closed
}

/// What texts say of attributes that their rows don't.
pub fn leftovers(extractor: &Extractor, table: &RawTable, texts: &[String]) -> Leftovers {
    let place = |name: &str| table.columns.iter().position(|column| column.name == name);
    let places: Vec<Option<usize>> =
        extractor.attributes.iter().map(|attribute| place(&attribute.name)).collect();
    let said: Vec<Vec<BTreeSet<String>>> = texts
        .par_iter()
        .enumerate()
        .map(|(row, text)| {
            let cells: Cells<'_> = places
                .iter()
                .map(|place| place.map(|place| cell(&table.columns[place], row)))
                .collect();
            let mut said = vec![BTreeSet::new(); extractor.attributes.len()];
            for part in says_more(extractor, text, &cells) {
                let at = part.of[0];
                let inner = &text[part.span.start..part.span.end];
                said[at].insert(extractor.attributes[at].value(inner));
            }
            said
        })
        .collect();
    let rows = said.iter().filter(|said| said.iter().any(|one| !one.is_empty())).count() as u64;
    let of_attribute = |at: usize| -> Vec<String> {
        said.iter().map(|row| row[at].iter().cloned().collect::<Vec<_>>().join("; ")).collect()
    };
    let columns = (0..extractor.attributes.len())
        .map(|at| (column_of(&extractor.attributes[at].name), of_attribute(at)))
        .filter(|(_, texts)| texts.iter().any(|text| !text.is_empty()))
        .collect();
    Leftovers { columns, rows }
}

/// The column of what texts say of an attribute and rows don't.
pub fn column_of(attribute: &str) -> String {
    format!("text: {attribute}")
}

/// Texts as a column to be lent; an empty one is missing.
pub fn texts_of<'a>(texts: impl Iterator<Item = &'a str>) -> ArrayRef {
    Arc::new(texts.map(|text| Some(text).filter(|text| !text.is_empty())).collect::<StringArray>())
}

/// Lend the joint table of notes, and say what its columns are. `people` says whom rows are about.
pub fn joint(
    job: &Job,
    table: &RawTable,
    leftovers: &[(String, Vec<String>)],
    more: Vec<(String, ArrayRef)>,
    people: Option<&[u32]>,
) -> Result<(Loan, Columns)> {
    let quasi = |name: &str| {
        let spec = job.spec_of(name);
        ColumnSpec { role: Role::Quasi, ..spec }
    };
    let mut columns: Vec<(String, ArrayRef)> = Vec::new();
    let mut specs: Vec<(String, ColumnSpec)> = Vec::new();
    for column in &table.columns {
        let Some(spec) = job.columns.get(&column.name) else { continue };
        if matches!(spec.role, Role::Quasi | Role::Sensitive) {
            columns.push((column.name.clone(), lent(column, table.n_rows)));
            specs.push((column.name.clone(), spec.clone()));
        }
    }
    for (name, column) in more {
        if !columns.iter().any(|(known, _)| *known == name) {
            specs.push((name.clone(), quasi(&name)));
            columns.push((name, column));
        }
    }
    for (name, texts) in leftovers {
        columns.push((name.clone(), texts_of(texts.iter().map(String::as_str))));
        specs.push((name.clone(), ColumnSpec::of_role(Role::Quasi)));
    }
    if let Some(people) = people {
        let texts: Vec<String> = people.iter().map(u32::to_string).collect();
        columns.push((PERSON.into(), texts_of(texts.iter().map(String::as_str))));
        specs.push((PERSON.into(), ColumnSpec::of_role(Role::Subject)));
    }
    Ok((lent_columns(columns)?, Columns(specs)))
}

/// The columns that only the text of notes has, as far as the file hasn't them.
pub fn of_text(noted: &Noted) -> Vec<(String, ArrayRef)> {
    let attributes = noted.extractor.attributes.iter().zip(&noted.view.shown);
    attributes
        .filter_map(|(attribute, shown)| {
            let texts = shown.as_ref()?.iter().map(String::as_str);
            Some((attribute.name.clone(), texts_of(texts)))
        })
        .collect()
}

/// Read a joint table as an audit does.
pub fn open_joint(
    job: &Job,
    (loan, columns): (&Loan, Columns),
    context: &Context<'_>,
) -> Result<OpenedTable> {
    let mut job = job.of_table(loan.name(), "", columns);
    // Models are bound to what was read.
    job.privacy.models.clear();
    let request = AuditRequest { job, manifest: None, original: None, memory: None, spill: None };
    Form::<Tables<'static>>::open(&GENERALIZED, &request, context)
}

/// The joint table of the original: rows, and what only their texts say.
pub fn open_original(job: &Job, noted: &Noted, context: &Context<'_>) -> Result<OpenedTable> {
    let people = people_of(noted);
    let (loan, columns) = joint(job, &noted.table, &[], of_text(noted), people)?;
    open_joint(job, (&loan, columns), context)
}

/// Whom notes are about, where that isn't each another.
pub fn people_of(noted: &Noted) -> Option<&[u32]> {
    let linked = &noted.view.linked;
    (linked.people < noted.len() as u64).then_some(&linked.person[..])
}
