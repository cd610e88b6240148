//! Documents in a column of a table whose format isn't text: Parquet, Arrow, or batches in memory.

use std::sync::Arc;

use sfumato_core::column::{Codes, Dictionary, RawColumn};
use sfumato_core::observer::Unobserved;
use sfumato_core::{Error, FastMap, Result};
use sfumato_engine::input::read_options;
use sfumato_engine::verify::failed_verification;
use sfumato_io::{Output, WriteColumn, WriteOptions, read as read_table, select_all, write_rows};

use super::corpus::{Corpus, Document, Frame, replace};
use super::json_lines::Fields;
use super::span::Replaced;
use crate::job::Job;

/// The text of a cell; empty where it is missing.
fn cell(column: &RawColumn, row: usize) -> &str {
    match column.codes.get(row) {
        code if column.null == Some(code) => "",
        code => column.values.get(code),
    }
}

/// Read the documents of a table.
pub(super) fn read(job: &Job, path: &str, fields: Fields<'_>) -> Result<Corpus> {
    let options = read_options(&job.input)?;
    let table = read_table(path, &options, &mut select_all, &Unobserved)?;
    let place = |name: &str| {
        let found = table.columns.iter().position(|column| column.name == name);
        found.ok_or_else(|| Error::input(format!("there is no column '{name}'")))
    };
    let text_at = place(fields.text)?;
    let subject = fields.subject.map(place).transpose()?;
    let label = fields.label.map(place).transpose()?;
    let documents = (0..table.n_rows)
        .map(|row| {
            let of = |at: usize| cell(&table.columns[at], row).to_string();
            Document {
                name: (row + 1).to_string(),
                text: of(text_at),
                subject: subject.map(of),
                label: label.map(of),
            }
        })
        .collect();
    let names = table.columns.iter().map(|column| column.name.clone());
    let others = names.filter(|name| name != fields.text).collect();
    let format = match table.source.format.as_str() {
        "parquet" => "parquet",
        _ => "arrow",
    };
    let (bytes, sha256) = (table.source.bytes, table.source.sha256.clone());
    let frame = Frame::Table { table: Arc::new(table), text_at };
    Ok(Corpus { documents, frame, format, others, bytes, sha256 })
}

impl Corpus {
    /// Write the table of documents with parts of their texts replaced.
    pub fn write_table(
        &self,
        replaced: &[Vec<Replaced>],
        out: Output,
        options: &WriteOptions,
    ) -> Result<Output> {
        let Frame::Table { table, text_at } = &self.frame else {
            return Err(Error::internal("these documents aren't in a table"));
        };
        let (mut values, mut codes) = (Dictionary::new(), Vec::new());
        let mut known: FastMap<Option<String>, u32> = FastMap::default();
        let own = &table.columns[*text_at];
        let mut null = None;
        for (row, (document, replaced)) in self.documents.iter().zip(replaced).enumerate() {
            let is_null = own.null == Some(own.codes.get(row));
            let text = (!is_null).then(|| replace(&document.text, replaced));
            codes.push(*known.entry(text.clone()).or_insert_with(|| {
                let code = values.push(text.as_deref().unwrap_or(""));
                null = null.or(is_null.then_some(code));
                code
            }));
        }
        let codes = Codes::from_iter(values.len().max(1), codes.into_iter());
        let text = RawColumn { codes, values, null, ..own.clone() };
        let column = |at: usize| if at == *text_at { &text } else { &table.columns[at] };
        let columns: Vec<WriteColumn<'_>> = (0..table.columns.len())
            .map(column)
            .map(|column| WriteColumn {
                name: &column.name,
                values: &column.values,
                null: column.null,
                native_type: column.native_type.as_deref(),
                source: &column.codes,
            })
            .collect();
        write_rows(out, &columns, table.n_rows, options, &Unobserved)
    }

    /// Refuse a table whose other columns aren't those of the original.
    pub fn compare_columns(&self, original: &Corpus) -> Result<()> {
        let (Frame::Table { table, text_at }, Frame::Table { table: before, .. }) =
            (&self.frame, &original.frame)
        else {
            return Ok(());
        };
        let is_same = table.header == before.header
            && table.n_rows == before.n_rows
            && (0..table.columns.len()).filter(|at| at != text_at).all(|at| {
                let (one, other) = (&table.columns[at], &before.columns[at]);
                (0..table.n_rows).all(|row| {
                    let is_null = |column: &RawColumn| column.null == Some(column.codes.get(row));
                    cell(one, row) == cell(other, row) && is_null(one) == is_null(other)
                })
            });
        match is_same {
            true => Ok(()),
            false => Err(failed_verification("columns beside the text aren't what they were")),
        }
    }
}
