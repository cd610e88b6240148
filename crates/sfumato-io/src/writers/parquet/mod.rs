//! Writes Parquet without leftovers: no statistics, no indexes, no metadata of other tools.
//! Dictionary pages are made by the encoders from the rows they see, so they hold no other values.
//!
//! A row group may span several appends; its finished pages stay in memory until it is closed.

mod hybrid;
mod texts;

use std::io::{self, Write};
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

use arrow_schema::{DataType, Field, SchemaRef};
use bytes::Bytes;
use parquet::arrow::ArrowWriter;
use parquet::arrow::arrow_writer::{
    ArrowColumnChunk, ArrowColumnWriter, ArrowRowGroupWriterFactory, ArrowWriterOptions,
    compute_leaves,
};
use parquet::basic::{Compression, ZstdLevel};
use parquet::column::writer::ColumnCloseResult;
use parquet::errors::ParquetError;
use parquet::file::properties::{EnabledStatistics, WriterProperties};
use parquet::file::writer::SerializedFileWriter;
use rayon::prelude::*;
use sfumato_core::observer::Observer;
use sfumato_core::{Error, Result};

use crate::output::Output;
use crate::scan::check_cancelled;
use crate::writers::columns::ReadyColumn;
use crate::writers::parquet::texts::{Known, TextChunk};
use crate::writers::{WriteColumn, blocks};

/// The number of rows of a row group: enough to compress well, and few enough to keep encoded in
/// memory.
const GROUP: usize = 1 << 20;
/// The number of columns from which on a row group has fewer rows, so that wide ones take no more
/// memory.
const FEW_COLUMNS: usize = 16;
/// The number of rows that are encoded at a time.
const ROWS: usize = 1 << 16;
/// The compression level of Zstandard.
const LEVEL: i32 = 3;

/// A Parquet file that is being written.
pub(crate) struct ParquetWriter {
    file: SerializedFileWriter<Shared>,
    out: Shared,
    factory: ArrowRowGroupWriterFactory,
    schema: SchemaRef,
    destination: PathBuf,
    /// The columns of the current group, and its number of rows.
    group: Option<(Vec<Chunk>, usize)>,
    n_groups: usize,
}

/// A file that is kept here while the library writes to it. The library would return the file, but
/// not the error of its last write.
#[derive(Clone)]
pub(crate) struct Shared(Arc<Mutex<Output>>);

impl Shared {
    pub(crate) fn new(out: Output) -> Self {
        Shared(Arc::new(Mutex::new(out)))
    }

    /// The file, which nobody else writes to any more.
    pub(crate) fn into_file(self) -> Result<Output> {
        let out = Arc::into_inner(self.0)
            .ok_or_else(|| Error::internal("a finished file is still being written"))?;
        Ok(out.into_inner().unwrap_or_else(PoisonError::into_inner))
    }
}

impl Write for Shared {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).flush()
    }
}

/// One column of a row group.
enum Chunk {
    Texts(Box<TextChunk>),
    Typed(Box<ArrowColumnWriter>),
}

enum ClosedChunk {
    Texts(Bytes, ColumnCloseResult),
    Typed(ArrowColumnChunk),
}

/// One column of an append.
enum Ready<'a> {
    Texts(WriteColumn<'a>, Known),
    Typed(ReadyColumn<'a>),
}

/// The options of all our Parquet files.
pub(crate) fn options() -> Result<ArrowWriterOptions, ParquetError> {
    let properties = WriterProperties::builder()
        .set_created_by("sfumato".into())
        .set_compression(Compression::ZSTD(ZstdLevel::try_new(LEVEL)?))
        .set_statistics_enabled(EnabledStatistics::None)
        .set_write_page_header_statistics(false)
        .set_offset_index_disabled(true)
        .set_bloom_filter_enabled(false)
        .set_key_value_metadata(None)
        .build();
    Ok(ArrowWriterOptions::new().with_properties(properties))
}

fn is_text(field: &Field) -> bool {
    matches!(field.data_type(), DataType::Utf8 | DataType::LargeUtf8 | DataType::Utf8View)
}

impl ParquetWriter {
    pub(crate) fn create(out: Output, schema: SchemaRef) -> Result<Self> {
        let destination = out.destination().to_owned();
        let failed = |e: ParquetError| write_error(&destination, e);
        let options = options().map_err(failed)?;
        let out = Shared::new(out);
        let writer = ArrowWriter::try_new_with_options(out.clone(), schema.clone(), options)
            .map_err(failed)?;
        let (file, factory) = writer.into_serialized_writer().map_err(failed)?;
        Ok(ParquetWriter { file, out, factory, schema, destination, group: None, n_groups: 0 })
    }

    /// Append rows. Columns are encoded in parallel.
    pub(crate) fn append(
        &mut self,
        columns: &[WriteColumn<'_>],
        n_rows: usize,
        observer: &dyn Observer,
    ) -> Result<()> {
        let fields = self.schema.fields();
        let typed = columns.iter().zip(fields).map(|(column, field)| match is_text(field) {
            true => Ok(Ready::Texts(*column, Known::nothing(column))),
            false => ReadyColumn::new(*column).map(Ready::Typed),
        });
        let mut columns = typed.collect::<Result<Vec<Ready<'_>>>>()?;
        let group = GROUP * FEW_COLUMNS / columns.len().max(FEW_COLUMNS);
        let mut at = 0;
        while at < n_rows {
            let (mut chunks, held) = match self.group.take() {
                Some(group) => group,
                None => (self.open_group()?, 0),
            };
            let rows = at..n_rows.min(at + group - held);
            let destination = &self.destination;
            columns
                .par_iter_mut()
                .zip(&mut chunks)
                .zip(&self.schema.fields()[..])
                .map(|((column, chunk), field)| {
                    encode(column, chunk, field, rows.clone(), destination, observer)
                })
                .collect::<Vec<Result<()>>>()
                .into_iter()
                .collect::<Result<()>>()?;
            self.group = Some((chunks, held + rows.len()));
            if held + rows.len() == group {
                self.close_group()?;
                // The next group has texts of its own.
                for column in &mut columns {
                    if let Ready::Texts(column, known) = column {
                        *known = Known::nothing(column);
                    }
                }
            }
            observer.advance(rows.len() as u64);
            at = rows.end;
        }
        Ok(())
    }

    /// Write what is left and the end of the file.
    pub(crate) fn finish(mut self) -> Result<Output> {
        self.close_group()?;
        self.file.close().map_err(|e| write_error(&self.destination, e))?;
        self.out.into_file()
    }

    /// The bytes of the row group that isn't complete yet.
    pub(crate) fn held(&self) -> u64 {
        let held = |chunk: &Chunk| match chunk {
            Chunk::Texts(chunk) => chunk.held(),
            Chunk::Typed(chunk) => chunk.memory_size(),
        };
        let chunks = self.group.iter().flat_map(|(chunks, _)| chunks);
        chunks.map(|chunk| held(chunk) as u64).sum()
    }

    fn open_group(&mut self) -> Result<Vec<Chunk>> {
        let typed = self.factory.create_column_writers(self.n_groups);
        let typed = typed.map_err(|e| write_error(&self.destination, e))?;
        let chunks = typed.into_iter().zip(self.schema.fields()).enumerate();
        chunks
            .map(|(place, (typed, field))| match is_text(field) {
                true => {
                    Ok(Chunk::Texts(TextChunk::new(self.file.schema_descr().column(place))?.into()))
                }
                false => Ok(Chunk::Typed(typed.into())),
            })
            .collect()
    }

    fn close_group(&mut self) -> Result<()> {
        let Some((chunks, _)) = self.group.take() else { return Ok(()) };
        let failed = |e: ParquetError| write_error(&self.destination, e);
        let close = |chunk: Chunk| match chunk {
            Chunk::Texts(chunk) => {
                chunk.close().map(|(bytes, close)| ClosedChunk::Texts(bytes, close))
            }
            Chunk::Typed(chunk) => chunk.close().map(ClosedChunk::Typed),
        };
        let chunks: Vec<Result<ClosedChunk, ParquetError>> =
            chunks.into_par_iter().map(close).collect();
        let mut group = self.file.next_row_group().map_err(failed)?;
        for chunk in chunks {
            match chunk.map_err(failed)? {
                ClosedChunk::Texts(bytes, close) => group.append_column(&bytes, close),
                ClosedChunk::Typed(chunk) => chunk.append_to_row_group(&mut group),
            }
            .map_err(failed)?;
        }
        group.close().map_err(failed)?;
        self.n_groups += 1;
        Ok(())
    }
}

fn encode(
    column: &mut Ready<'_>,
    chunk: &mut Chunk,
    field: &Field,
    rows: Range<usize>,
    destination: &Path,
    observer: &dyn Observer,
) -> Result<()> {
    let failed = |e: ParquetError| write_error(destination, e);
    let mut codes = Vec::new();
    for rows in blocks(rows, ROWS) {
        check_cancelled(observer)?;
        match (&mut *column, &mut *chunk) {
            (Ready::Texts(column, known), Chunk::Texts(chunk)) => {
                codes.clear();
                column.source.codes(rows, &mut codes);
                chunk.append(column, known, &codes).map_err(failed)?;
            }
            (Ready::Typed(column), Chunk::Typed(chunk)) => {
                let array = column.rows(rows)?;
                for leaf in compute_leaves(field, &array).map_err(failed)? {
                    chunk.write(&leaf).map_err(failed)?;
                }
            }
            _ => return Err(Error::internal("a column changed its type between two appends")),
        }
    }
    Ok(())
}

/// The error of a failed write: usually the disk, or else a type that Parquet doesn't have.
pub(crate) fn write_error(destination: &Path, error: ParquetError) -> Error {
    if let ParquetError::External(source) = &error
        && let Some(source) = source.downcast_ref::<std::io::Error>()
    {
        return Error::io(destination, "write", source);
    }
    Error::unsupported(format!("can't write Parquet: {error}"))
        .in_file(destination.display().to_string())
}
