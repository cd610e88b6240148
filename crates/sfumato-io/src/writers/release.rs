//! Writes a file of rows piece by piece. Each piece has texts of its own, so that the texts of all
//! rows are never in memory at once.

use arrow_schema::{Schema, SchemaRef};
use sfumato_core::memory::{Accountant, Reservation};
use sfumato_core::observer::{Observer, Unit};
use sfumato_core::{Error, Result};

use crate::format::Format;
use crate::output::Output;
use crate::pipeline;
use crate::writers::columns::field;
use crate::writers::ipc::IpcWriter;
use crate::writers::parquet::ParquetWriter;
use crate::writers::text::{self, TextWriter};
use crate::writers::{WriteColumn, WriteOptions};

/// Writes rows to a file that isn't committed. If it is dropped before the end, nothing is left.
pub struct ReleaseWriter {
    header: Vec<(String, Option<String>)>,
    writer: Writer,
    /// The memory of rows that wait to be written.
    memory: Option<Reservation>,
}

enum Writer {
    Text(TextWriter),
    Parquet(Box<ParquetWriter>),
    Ipc(Box<IpcWriter>),
}

impl ReleaseWriter {
    /// Begin a file with columns of these names and types (as Arrow names them; `None` is text).
    pub fn create(
        out: impl Into<Output>,
        header: &[(&str, Option<&str>)],
        options: &WriteOptions,
    ) -> Result<ReleaseWriter> {
        if header.is_empty() {
            return Err(Error::params("there is no column to write"));
        }
        let out = out.into();
        let writer = match options.format {
            Format::Csv | Format::JsonLines => {
                Writer::Text(TextWriter::create(out, header, options)?)
            }
            Format::Parquet => {
                Writer::Parquet(Box::new(ParquetWriter::create(out, schema(header)?)?))
            }
            Format::ArrowIpc => Writer::Ipc(Box::new(IpcWriter::create(out, schema(header)?)?)),
        };
        let header =
            header.iter().map(|(name, native)| ((*name).to_owned(), native.map(str::to_owned)));
        Ok(ReleaseWriter { header: header.collect(), writer, memory: None })
    }

    /// Tell an accountant how much memory rows take that wait to be written.
    #[must_use]
    pub fn counted(mut self, memory: &Accountant) -> Self {
        self.memory = Some(memory.book("rows that wait to be written", 0));
        self
    }

    /// Append the first `n_rows` rows of these columns, which must be those of the header.
    /// Dictionaries may differ between calls. Rows are reported to the observer, within a step that
    /// the caller begins and ends.
    pub fn append(
        &mut self,
        columns: &[WriteColumn<'_>],
        n_rows: usize,
        observer: &dyn Observer,
    ) -> Result<()> {
        let same = |((name, native), column): (&(String, Option<String>), &WriteColumn<'_>)| {
            name == column.name && native.as_deref() == column.native_type
        };
        if columns.len() != self.header.len() || !self.header.iter().zip(columns).all(same) {
            return Err(Error::internal("rows were appended to a file with other columns"));
        }
        let texts: usize = columns.iter().map(|column| column.values.bytes()).sum();
        self.count(texts as u64);
        match &mut self.writer {
            Writer::Text(writer) => writer.append(columns, n_rows, observer),
            Writer::Parquet(writer) => writer.append(columns, n_rows, observer),
            Writer::Ipc(writer) => writer.append(columns, n_rows, observer),
        }?;
        self.count(0);
        Ok(())
    }

    /// Enter what is held: what every format holds of the rows that are appended, and what the
    /// writer of the format holds.
    fn count(&mut self, formatted: u64) {
        let Some(memory) = &mut self.memory else { return };
        let held = match (&self.writer, formatted) {
            // Nothing of the last rows is kept; while some are appended, blocks of them are.
            (Writer::Text(_) | Writer::Ipc(_), 0) => 0,
            (Writer::Text(_), _) => text::HELD * pipeline::blocks_in_flight() as u64,
            (Writer::Ipc(_), _) => 0,
            (Writer::Parquet(writer), _) => writer.held(),
        };
        memory.rebook(held + formatted);
    }

    /// End the file. All bytes are with the operating system then.
    pub fn finish(self) -> Result<Output> {
        let mut out = match self.writer {
            Writer::Text(writer) => writer.finish(),
            Writer::Parquet(writer) => writer.finish()?,
            Writer::Ipc(writer) => writer.finish()?,
        };
        out.flush_all()?;
        Ok(out)
    }
}

fn schema(header: &[(&str, Option<&str>)]) -> Result<SchemaRef> {
    let fields = header.iter().map(|(name, native_type)| field(name, *native_type));
    Ok(Schema::new(fields.collect::<Result<Vec<_>>>()?).into())
}

/// Write the first `n_rows` rows, in their order. The file isn't committed.
pub fn write_rows(
    out: impl Into<Output>,
    columns: &[WriteColumn<'_>],
    n_rows: usize,
    options: &WriteOptions,
    observer: &dyn Observer,
) -> Result<Output> {
    let header: Vec<(&str, Option<&str>)> =
        columns.iter().map(|column| (column.name, column.native_type)).collect();
    observer.begin("write", n_rows as u64, Unit::Rows);
    let result = ReleaseWriter::create(out, &header, options).and_then(|mut writer| {
        writer.append(columns, n_rows, observer)?;
        writer.finish()
    });
    observer.end();
    result
}
