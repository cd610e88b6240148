//! Parquet without leftovers: no statistics, no indexes, no metadata of other tools. Dictionary pages are made by the
//! encoder from the rows it sees, so they hold no other values.

use std::io::Write;
use std::ops::Range;
use std::path::Path;
use std::sync::Arc;

use parquet::arrow::ArrowWriter;
use parquet::arrow::arrow_writer::{ArrowColumnChunk, ArrowColumnWriter, ArrowWriterOptions, compute_leaves};
use parquet::basic::{Compression, ZstdLevel};
use parquet::errors::ParquetError;
use parquet::file::properties::{EnabledStatistics, WriterProperties};
use rayon::prelude::*;
use sfumato_core::observer::Observer;
use sfumato_core::{Error, Result};

use crate::atomic::AtomicFile;
use crate::scan::check_cancelled;
use crate::writers::columns::{ReadyColumn, ready};
use crate::writers::{WriteColumn, blocks};

/// Rows of a row group: enough to compress well, few enough to hold encoded in memory.
const GROUP: usize = 1 << 20;
/// Rows encoded at a time.
const ROWS: usize = 1 << 16;

/// Write rows as Parquet. Columns are encoded in parallel.
pub(crate) fn write(
    out: &mut AtomicFile,
    columns: &[WriteColumn<'_>],
    n_rows: usize,
    observer: &dyn Observer,
) -> Result<()> {
    let destination = out.destination().to_owned();
    let failed = |e: ParquetError| write_error(&destination, e);
    let (columns, schema) = ready(columns)?;
    let properties = WriterProperties::builder()
        .set_created_by("sfumato".into())
        .set_compression(Compression::ZSTD(ZstdLevel::try_new(3).map_err(failed)?))
        .set_statistics_enabled(EnabledStatistics::None)
        .set_write_page_header_statistics(false)
        .set_offset_index_disabled(true)
        .set_bloom_filter_enabled(false)
        .set_key_value_metadata(None)
        .build();
    let options = ArrowWriterOptions::new().with_properties(properties);
    let writer =
        ArrowWriter::try_new_with_options(&mut *out, Arc::clone(&schema), options).map_err(failed)?;
    let (mut file, factory) = writer.into_serialized_writer().map_err(failed)?;
    for (number, group) in blocks(0..n_rows, GROUP).enumerate() {
        let writers = factory.create_column_writers(number).map_err(failed)?;
        let chunks: Vec<Result<ArrowColumnChunk>> = columns
            .par_iter()
            .zip(writers)
            .map(|(column, writer)| encode(column, writer, group.clone(), &destination, observer))
            .collect();
        let mut row_group = file.next_row_group().map_err(failed)?;
        for chunk in chunks {
            chunk?.append_to_row_group(&mut row_group).map_err(failed)?;
        }
        row_group.close().map_err(failed)?;
        observer.advance(group.len() as u64);
    }
    file.close().map_err(failed)?;
    out.flush().map_err(|source| out.error(&source))
}

fn encode(
    column: &ReadyColumn<'_>,
    mut writer: ArrowColumnWriter,
    group: Range<usize>,
    destination: &Path,
    observer: &dyn Observer,
) -> Result<ArrowColumnChunk> {
    let failed = |e: ParquetError| write_error(destination, e);
    let field = column.field();
    for rows in blocks(group, ROWS) {
        check_cancelled(observer)?;
        let array = column.rows(rows)?;
        for leaf in compute_leaves(&field, &array).map_err(failed)? {
            writer.write(&leaf).map_err(failed)?;
        }
    }
    writer.close().map_err(failed)
}

/// What a failed write means: usually the disk, else a type that Parquet doesn't have.
fn write_error(destination: &Path, error: ParquetError) -> Error {
    if let ParquetError::External(source) = &error
        && let Some(source) = source.downcast_ref::<std::io::Error>()
    {
        return Error::io(destination, "write", source);
    }
    Error::unsupported(format!("can't write Parquet: {error}")).in_file(destination.display().to_string())
}
