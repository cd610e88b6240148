//! Arrow IPC (Feather 2) without leftovers: plain arrays, no dictionaries, no metadata.

use std::io::Write;
use std::path::Path;

use arrow_array::RecordBatch;
use arrow_ipc::CompressionType;
use arrow_ipc::writer::{FileWriter, IpcWriteOptions};
use arrow_schema::ArrowError;
use rayon::prelude::*;
use sfumato_core::observer::Observer;
use sfumato_core::{Error, Result};

use crate::atomic::AtomicFile;
use crate::scan::check_cancelled;
use crate::writers::columns::ready;
use crate::writers::{WriteColumn, blocks};

/// Rows of a batch.
const ROWS: usize = 1 << 16;

/// Write rows as an Arrow IPC file.
pub(crate) fn write(
    out: &mut AtomicFile,
    columns: &[WriteColumn<'_>],
    n_rows: usize,
    observer: &dyn Observer,
) -> Result<()> {
    let destination = out.destination().to_owned();
    let failed = |e: ArrowError| write_error(&destination, e);
    let (columns, schema) = ready(columns)?;
    let options =
        IpcWriteOptions::default().try_with_compression(Some(CompressionType::ZSTD)).map_err(failed)?;
    let mut writer = FileWriter::try_new_with_options(&mut *out, &schema, options).map_err(failed)?;
    for rows in blocks(0..n_rows, ROWS) {
        check_cancelled(observer)?;
        let arrays: Vec<Result<_>> = columns.par_iter().map(|column| column.rows(rows.clone())).collect();
        let arrays = arrays.into_iter().collect::<Result<Vec<_>>>()?;
        let batch = RecordBatch::try_new(schema.clone(), arrays).map_err(failed)?;
        writer.write(&batch).map_err(failed)?;
        observer.advance(rows.len() as u64);
    }
    writer.finish().map_err(failed)?;
    drop(writer);
    out.flush().map_err(|source| out.error(&source))
}

fn write_error(destination: &Path, error: ArrowError) -> Error {
    match &error {
        ArrowError::IoError(_, source) => Error::io(destination, "write", source),
        _ => Error::unsupported(format!("can't write Arrow: {error}"))
            .in_file(destination.display().to_string()),
    }
}
