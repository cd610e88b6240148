//! Rows of texts, column by column: how a log is written and read back.

use std::path::Path;

use sfumato_core::column::{Codes, Dictionary, Provenance, RawTable};
use sfumato_core::observer::Observer;
use sfumato_core::{Error, Result};
use sfumato_engine::draft::Draft;
use sfumato_engine::paths::resolve;
use sfumato_io::{ReadOptions, Sink, WriteColumn, WriteOptions, select_all, write_rows};

use crate::data::Numbered;
use crate::job::Job;

/// A column to be written.
#[derive(Default)]
pub struct Column {
    texts: Numbered,
    codes: Vec<u32>,
}

/// Columns of texts to be written.
pub struct Cells {
    /// The columns.
    pub columns: Vec<Column>,
}

impl Cells {
    /// No rows of some columns yet.
    pub fn new(n_columns: usize) -> Self {
        Cells { columns: (0..n_columns).map(|_| Column::default()).collect() }
    }
    /// Append a row.
    pub fn push<'a>(&mut self, row: impl IntoIterator<Item = &'a str>) {
        for (column, text) in self.columns.iter_mut().zip(row) {
            let code = column.texts.number(text);
            column.codes.push(code);
        }
    }
    /// The number of rows.
    pub fn n_rows(&self) -> usize {
        self.columns.first().map_or(0, |column| column.codes.len())
    }
    /// A cell.
    pub fn cell(&self, row: usize, column: usize) -> &str {
        let column = &self.columns[column];
        column.texts.texts.get(column.codes[row])
    }
}

/// How a job's release is written.
pub fn write_options(job: &Job) -> Result<(WriteOptions, String)> {
    let destination = resolve(&job.base, &job.output.path);
    let sink = Sink::of(&destination);
    let named = match &sink {
        Sink::Path(_) => destination.clone(),
        Sink::Memory(_) => sink.file_name(),
        Sink::StandardOutput => "log.csv".into(),
    };
    Ok((WriteOptions::for_destination(&named)?, destination))
}

/// Write rows in an order.
pub fn write(
    job: &Job,
    header: &[&str],
    cells: &Cells,
    order: &[u32],
    observer: &dyn Observer,
) -> Result<(Draft, WriteOptions)> {
    let (options, destination) = write_options(job)?;
    let ordered: Vec<Codes> = cells
        .columns
        .iter()
        .map(|column| Codes::U32(order.iter().map(|row| column.codes[*row as usize]).collect()))
        .collect();
    let columns: Vec<WriteColumn<'_>> = header
        .iter()
        .zip(&cells.columns)
        .zip(&ordered)
        .map(|((name, column), codes)| WriteColumn {
            name,
            values: &column.texts.texts,
            null: None,
            native_type: None,
            source: codes,
        })
        .collect();
    let mut draft = Draft::file(&destination)?;
    draft.write(|file| write_rows(file, &columns, order.len(), &options, observer))?;
    Ok((draft, options))
}

/// Rows as they were read.
pub struct ReadCells {
    columns: Vec<(Codes, Dictionary)>,
    /// The number of rows.
    pub n_rows: usize,
    /// The file.
    pub source: Provenance,
}

impl ReadCells {
    /// A cell.
    pub fn cell(&self, row: usize, column: usize) -> &str {
        let (codes, texts) = &self.columns[column];
        texts.get(codes.get(row))
    }
}

/// Read rows of a log of ours. An error if its columns are others.
pub fn read(
    path: &Path,
    header: &[&str],
    options: &ReadOptions,
    observer: &dyn Observer,
) -> Result<ReadCells> {
    let path = path.display().to_string();
    let table = sfumato_io::read(&path, options, &mut select_all, observer)?;
    let RawTable { columns, n_rows, header: names, source } = table;
    if names != header {
        return Err(Error::input(format!(
            "the columns of such a log are {}, and this file has others",
            header.join(", ")
        ))
        .in_file(path));
    }
    let columns = columns.into_iter().map(|column| (column.codes, column.values)).collect();
    Ok(ReadCells { columns, n_rows, source })
}
