//! Writes a file of rows piece by piece. Each piece has texts of its own, so that the texts of all
//! rows are never in memory at once.

use arrow_schema::{Schema, SchemaRef};
use sfumato_core::observer::{Observer, Unit};
use sfumato_core::{Error, Result};

use crate::format::Format;
use crate::output::Output;
use crate::writers::columns::field;
use crate::writers::ipc::IpcWriter;
use crate::writers::parquet::ParquetWriter;
use crate::writers::text::TextWriter;
use crate::writers::{WriteColumn, WriteOptions};

/// Writes rows to a file that isn't committed. If it is dropped before the end, nothing is left.
pub struct ReleaseWriter {
    header: Vec<(String, Option<String>)>,
    writer: Writer,
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
        Ok(ReleaseWriter { header: header.collect(), writer })
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
        match &mut self.writer {
            Writer::Text(writer) => writer.append(columns, n_rows, observer),
            Writer::Parquet(writer) => writer.append(columns, n_rows, observer),
            Writer::Ipc(writer) => writer.append(columns, n_rows, observer),
        }
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
