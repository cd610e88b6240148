//! Applies a recoding: formats the published values and writes the rows to a temporary file.
//!
//! Nothing here decides anything, and nothing here makes the file visible under its final name.

use std::borrow::Cow;
use std::ops::Range;

use rayon::prelude::*;

use sfumato_core::column::{Code, Codes, Dictionary, Provenance};
use sfumato_core::dataset::{Column, Role, Table};
use sfumato_core::memory::Accountant;
use sfumato_core::observer::{Observer, Unit};
use sfumato_core::recoding::{Recoding, Value};
use sfumato_core::{Result, with_codes};
use sfumato_io::{
    ColumnSource, Format, ReleaseWriter, Sink, WriteColumn, WriteOptions, delimiter_of_destination,
};

use crate::forms::generalized::statistics::{FileColumn, Forms, StatisticColumn, Statistics};
use crate::job::Job;
use sfumato_engine::draft::Draft;
use sfumato_engine::paths::resolve;

/// How a draft is read back: how many rows it has, and how it was written.
#[derive(Debug, Clone)]
pub struct Layout {
    /// The number of rows, which are the first ones of the reordered table.
    pub n_rows: usize,
    /// The options with which it was written.
    pub options: WriteOptions,
}

/// Appends partitions to the one file of a draft.
#[derive(Default)]
pub struct Appender(Option<ReleaseWriter>);

impl Appender {
    /// Append the first so many rows of some columns. The columns of the first partition are the
    /// header. Where there is a limit, its books are told what waits to be written.
    pub fn append(
        &mut self,
        draft: &mut Draft,
        rendered: &[Rendered<'_>],
        n_rows: usize,
        (options, books): (&WriteOptions, Option<&Accountant>),
        observer: &dyn Observer,
    ) -> Result<()> {
        let columns = write_columns(rendered);
        let writer = match &mut self.0 {
            Some(writer) => writer,
            None => {
                let header: Vec<(&str, Option<&str>)> =
                    columns.iter().map(|column| (column.name, column.native_type)).collect();
                let writer = ReleaseWriter::create(draft.begin()?, &header, options)?;
                self.0.insert(match books {
                    Some(books) => writer.counted(books),
                    None => writer,
                })
            }
        };
        observer.begin("write", n_rows as u64, Unit::Rows);
        let result = writer.append(&columns, n_rows, observer);
        observer.end();
        result
    }

    /// All partitions are written.
    pub fn end(&mut self, draft: &mut Draft) -> Result<()> {
        match self.0.take() {
            Some(writer) => draft.end(writer.finish()?),
            None => Ok(()),
        }
    }
}

/// An empty draft of one file for a job, and how to write it.
pub fn open(job: &Job, source: &Provenance) -> Result<(Draft, WriteOptions)> {
    let destination = resolve(&job.base, &job.output.path);
    let (format, compression) = Sink::of(&destination).format(&source.format)?;
    let options = WriteOptions {
        format,
        compression,
        delimiter: match delimiter_of_destination(&destination) {
            b'\t' => b'\t',
            _ => source.delimiter.unwrap_or(b','),
        },
        crlf: source.crlf,
    };
    Ok((Draft::file(&destination)?, options))
}

/// A column that is ready to be written: the text of each code, and the code of each row.
pub struct Rendered<'a> {
    name: Cow<'a, str>,
    values: Cow<'a, Dictionary>,
    null: Option<u32>,
    native_type: Option<&'a str>,
    source: Box<dyn ColumnSource + Send + 'a>,
}

impl Rendered<'_> {
    fn as_write_column(&self) -> WriteColumn<'_> {
        WriteColumn {
            name: &self.name,
            values: &self.values,
            null: self.null,
            native_type: self.native_type,
            source: self.source.as_ref(),
        }
    }
}

/// The columns as a writer takes them.
pub fn write_columns<'a>(rendered: &'a [Rendered<'_>]) -> Vec<WriteColumn<'a>> {
    rendered.iter().map(Rendered::as_write_column).collect()
}

/// Render all columns of a release.
pub fn render<'a>(
    table: &'a Table,
    recoding: &'a dyn Recoding,
    forms: &Forms,
    statistics: &'a Statistics,
    format: Format,
) -> Vec<Rendered<'a>> {
    let quasi: Vec<usize> =
        (0..table.columns.len()).filter(|c| table.columns[*c].role == Role::Quasi).collect();
    let mut statistics = statistics.columns.iter();
    let jobs: Vec<(FileColumn, Option<&StatisticColumn>)> = forms
        .file_columns(table)
        .into_iter()
        .map(|file_column| match file_column {
            FileColumn::Cells(_) => (file_column, None),
            FileColumn::Statistic(..) => (file_column, statistics.next()),
        })
        .collect();
    jobs.par_iter()
        .map(|(file_column, statistic)| {
            let column = &table.columns[file_column.column()];
            match (statistic, quasi.iter().position(|c| *c == file_column.column())) {
                (Some(statistic), _) => {
                    publish_statistic(file_column.name(table), recoding, statistic)
                }
                (None, Some(quasi)) => publish_quasi(column, recoding, quasi, format),
                (None, None) => publish_unchanged(column, format),
            }
        })
        .collect()
}

fn publish_statistic<'a>(
    name: String,
    recoding: &'a dyn Recoding,
    statistic: &'a StatisticColumn,
) -> Rendered<'a> {
    Rendered {
        name: name.into(),
        values: Cow::Borrowed(&statistic.values),
        null: Some(statistic.values.len() as u32 - 1),
        native_type: Some(&statistic.native_type),
        source: Box::new(OfClass {
            class_of_row: recoding.class_of_row(),
            of_class: &statistic.of_class,
        }),
    }
}

fn publish_quasi<'a>(
    column: &'a Column,
    recoding: &'a dyn Recoding,
    quasi: usize,
    format: Format,
) -> Rendered<'a> {
    let recoded = recoding.column(quasi);
    let null = recoded.values.iter().position(|value| *value == Value::Missing);
    Rendered {
        name: column.name.as_str().into(),
        values: Cow::Owned(recoded.values.iter().map(|value| value.render(column)).collect()),
        null: null.map(|code| code as u32).filter(|_| has_nulls(column, format)),
        native_type: None,
        source: Box::new(OfClass {
            class_of_row: recoding.class_of_row(),
            of_class: &recoded.of_class,
        }),
    }
}

/// A column that is published as it is.
pub(crate) fn publish_unchanged(column: &Column, format: Format) -> Rendered<'_> {
    publish_from(column, format, Box::new(OfRow { column }))
}

/// A column whose texts are published as they are. A source gives the code of each row.
pub(crate) fn publish_from<'a>(
    column: &'a Column,
    format: Format,
    source: Box<dyn ColumnSource + Send + 'a>,
) -> Rendered<'a> {
    let mut values = column.domain.texts().into_owned();
    values.push(&column.missing_text);
    Rendered {
        name: column.name.as_str().into(),
        values: Cow::Owned(values),
        null: Some(column.domain.missing()).filter(|_| has_nulls(column, format)),
        native_type: column.native_type.as_deref(),
        source,
    }
}

/// A column of whole numbers.
pub(crate) fn publish_numbers<'a>(name: &'a str, numbers: &[u32]) -> Rendered<'a> {
    let mut distinct = numbers.to_vec();
    distinct.sort_unstable();
    distinct.dedup();
    let code = |number: &u32| distinct.partition_point(|known| known < number) as u32;
    Rendered {
        name: name.into(),
        values: Cow::Owned(distinct.iter().map(u32::to_string).collect()),
        null: None,
        native_type: Some("Int64"),
        source: Box::new(Codes::U32(numbers.iter().map(code).collect())),
    }
}

/// Whether missing is a null of the format. CSV has none: there the text that stood for missing in
/// the input is written.
fn has_nulls(column: &Column, format: Format) -> bool {
    format != Format::Csv || column.missing_text.is_empty()
}

/// The code of a row is that of its class.
struct OfClass<'a> {
    class_of_row: &'a [u32],
    of_class: &'a [u32],
}

impl ColumnSource for OfClass<'_> {
    fn codes(&self, rows: Range<usize>, out: &mut Vec<u32>) {
        out.extend(self.class_of_row[rows].iter().map(|class| self.of_class[*class as usize]));
    }
}

/// The code of a row is its own.
struct OfRow<'a> {
    column: &'a Column,
}

impl ColumnSource for OfRow<'_> {
    fn codes(&self, rows: Range<usize>, out: &mut Vec<u32>) {
        with_codes!(&self.column.codes, codes =>
            out.extend(codes[rows].iter().map(|code| code.widen())));
    }
}
