//! Writes rows with their items, in the format that the name of the release asks for: as lists
//! where it has lists, else as texts.

use sfumato_core::column::{Codes, Dictionary};
use sfumato_core::dataset::Role;
use sfumato_core::{FastMap, Result};
use sfumato_engine::context::Context;
use sfumato_engine::draft::Draft;
use sfumato_io::{BETWEEN, Format, LISTS, WriteColumn, WriteOptions, write_rows};
use sfumato_table::forms::generalized::apply::open;

use super::{Decision, Row};
use crate::data::{MixedData, joined};
use crate::job::{Job, SEPARATOR};

/// How a draft was written.
pub struct Witness {
    /// The options with which it was written.
    pub options: WriteOptions,
    /// The character between items. `None` if they are lists.
    pub separator: Option<char>,
}

/// A column to be written.
struct Column {
    name: String,
    values: Dictionary,
    codes: Codes,
    null: Option<u32>,
    native_type: Option<String>,
}

impl Column {
    fn new(
        name: &str,
        native_type: Option<String>,
        texts: impl Iterator<Item = Option<String>>,
    ) -> Self {
        let mut values = Dictionary::new();
        let mut known: FastMap<Option<String>, u32> = FastMap::default();
        let mut null = None;
        let mut codes = Vec::new();
        for text in texts {
            if let Some(code) = known.get(&text) {
                codes.push(*code);
                continue;
            }
            let code = values.push(text.as_deref().unwrap_or(""));
            null = null.or(text.is_none().then_some(code));
            known.insert(text, code);
            codes.push(code);
        }
        let codes = Codes::from_iter(values.len().max(1), codes.into_iter());
        Column { name: name.into(), values, codes, null, native_type }
    }
}

/// The names of the columns of a release, in the order of the file.
pub fn header(data: &MixedData, sealed: &[String]) -> Vec<String> {
    let is_shown = |name: &&String| **name == data.items_name || sealed.contains(name);
    data.table.header.iter().filter(is_shown).cloned().collect()
}

/// Write a draft.
pub fn write(
    job: &Job,
    data: &MixedData,
    decision: &Decision,
    context: &Context<'_>,
) -> Result<(Draft, Witness)> {
    let mut of_table = job.of_table(&job.input.path, Vec::new());
    of_table.output.path = job.output.path.clone();
    let (mut draft, options) = open(&of_table, &data.table.source)?;
    let has_lists = matches!(options.format, Format::Parquet | Format::ArrowIpc);
    let separator = match (has_lists, job.separator()?) {
        (true, None) => None,
        (_, said) => Some(said.or(data.separator).unwrap_or(SEPARATOR)),
    };
    let sealed = &decision.sealed;
    let mut columns: Vec<Column> = Vec::new();
    for name in header(data, &sealed.header) {
        columns.push(match sealed.header.iter().position(|known| *known == name) {
            None => items(data, &decision.rows, separator)?,
            Some(at) => {
                let is_quasi = job.columns.get(&name).is_some_and(|spec| spec.role == Role::Quasi);
                let own = data.table.column(&name).filter(|_| !is_quasi);
                let native = own.and_then(|column| column.native_type.clone());
                Column::new(&name, native, decision.rows.iter().map(|row| row.cells[at].clone()))
            }
        });
    }
    let written: Vec<WriteColumn<'_>> = columns
        .iter()
        .map(|column| WriteColumn {
            name: &column.name,
            values: &column.values,
            null: column.null,
            native_type: column.native_type.as_deref(),
            source: &column.codes,
        })
        .collect();
    let n = decision.rows.len();
    draft.write(|file| write_rows(file, &written, n, &options, context.observer))?;
    Ok((draft, Witness { options, separator }))
}

/// The column of items, with the sensitive ones among them. Names are in order, so that their order
/// tells nothing.
fn items(data: &MixedData, rows: &[Row], separator: Option<char>) -> Result<Column> {
    let secret = data.units.sensitive_names();
    let text = |row: &Row| -> Result<Option<String>> {
        let own = data.sensitive.as_ref().map(|sets| sets.set(row.record)).unwrap_or_default();
        let units = row.units.iter().map(|unit| data.units.names[*unit as usize].as_str());
        let mut names: Vec<&str> =
            units.chain(own.iter().map(|item| secret[*item as usize].as_str())).collect();
        names.sort_unstable();
        match separator {
            Some(between) => joined(&names, between).map(Some),
            None => Ok(Some(names.join(&BETWEEN.to_string()))),
        }
    };
    let texts = rows.iter().map(text).collect::<Result<Vec<_>>>()?;
    let native = separator.is_none().then(|| LISTS.to_string());
    Ok(Column::new(&data.items_name, native, texts.into_iter()))
}
