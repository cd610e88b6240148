//! Writes rows with their texts, in the format that the name of the release asks for.

use sfumato_core::column::{Codes, Dictionary};
use sfumato_core::{FastMap, Result};
use sfumato_engine::context::Context;
use sfumato_engine::draft::Draft;
use sfumato_io::{WriteColumn, WriteOptions, write_rows};
use sfumato_table::forms::generalized::apply::open;
use sfumato_text::data::replace;

use super::{Decision, Row};
use crate::data::Noted;
use crate::job::Job;

/// How a draft was written.
pub struct Witness {
    /// The options with which it was written.
    pub options: WriteOptions,
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
    fn new<'a>(
        name: &str,
        native_type: Option<String>,
        texts: impl Iterator<Item = Option<&'a str>>,
    ) -> Column {
        let mut values = Dictionary::new();
        let mut known: FastMap<Option<&'a str>, u32> = FastMap::default();
        let mut null = None;
        let mut codes = Vec::new();
        for text in texts {
            codes.push(*known.entry(text).or_insert_with(|| {
                let code = values.push(text.unwrap_or(""));
                null = null.or(text.is_none().then_some(code));
                code
            }));
        }
        let codes = Codes::from_iter(values.len().max(1), codes.into_iter());
        Column { name: name.into(), values, codes, null, native_type }
    }
}

/// The names of the columns of a release, the text where it was, columns of the view at the end.
pub fn header(noted: &Noted, sealed: &[String]) -> Vec<String> {
    let text = &noted.table.columns[noted.text_at].name;
    let of_file = noted.table.columns.iter().map(|column| &column.name);
    let mut header: Vec<String> =
        of_file.filter(|name| *name == text || sealed.contains(name)).cloned().collect();
    header.extend(sealed.iter().filter(|name| !header.contains(name)).cloned().collect::<Vec<_>>());
    header
}

/// Write a draft.
pub fn write(
    job: &Job,
    noted: &Noted,
    decision: &Decision,
    context: &Context<'_>,
) -> Result<(Draft, Witness)> {
    let table_job = job.of_table(&job.input.path, &job.output.path, job.columns.clone());
    let (mut draft, options) = open(&table_job, &noted.table.source)?;
    let rows = &decision.rows;
    let text_name = &noted.table.columns[noted.text_at].name;
    let texts: Vec<String> =
        rows.iter().map(|row| replace(&noted.texts[row.record], &row.replaced)).collect();
    let is_quasi =
        |name: &str| noted.extractor.attributes.iter().any(|attribute| attribute.name == name);
    let native = |name: &str| {
        let column = noted.table.columns.iter().find(|column| column.name == name);
        column.and_then(|column| column.native_type.clone()).filter(|_| !is_quasi(name))
    };
    let columns: Vec<Column> = header(noted, &decision.sealed.header)
        .iter()
        .map(|name| match name == text_name {
            true => Column::new(name, None, texts.iter().map(|text| Some(text.as_str()))),
            false => {
                let at = decision.sealed.header.iter().position(|known| known == name);
                let cell = |row: &'_ Row| row.cells.get(at?)?.as_deref().map(str::to_string);
                let cells: Vec<Option<String>> = rows.iter().map(cell).collect();
                // The texts live as long as the loop, and the column owns what it needs.
                Column::new(name, native(name), cells.iter().map(Option::as_deref))
            }
        })
        .collect();
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
    draft.write(|file| write_rows(file, &written, rows.len(), &options, context.observer))?;
    Ok((draft, Witness { options }))
}
