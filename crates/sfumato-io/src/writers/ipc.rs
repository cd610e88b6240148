//! Writes Arrow IPC (Feather 2) without leftovers: plain arrays, no dictionaries, no metadata.

use std::path::{Path, PathBuf};

use arrow_array::RecordBatch;
use arrow_ipc::CompressionType;
use arrow_ipc::writer::{FileWriter, IpcWriteOptions};
use arrow_schema::{ArrowError, SchemaRef};
use rayon::prelude::*;
use sfumato_core::observer::Observer;
use sfumato_core::{Error, Result};

use crate::output::Output;
use crate::scan::check_cancelled;
use crate::writers::columns::ReadyColumn;
use crate::writers::{WriteColumn, blocks};

/// The number of rows in a batch.
const ROWS: usize = 1 << 16;

/// An Arrow IPC file that is being written.
pub(crate) struct IpcWriter {
    writer: FileWriter<Output>,
    schema: SchemaRef,
    destination: PathBuf,
}

impl IpcWriter {
    pub(crate) fn create(out: Output, schema: SchemaRef) -> Result<Self> {
        let destination = out.destination().to_owned();
        let failed = |e: ArrowError| write_error(&destination, e);
        let options = IpcWriteOptions::default()
            .try_with_compression(Some(CompressionType::ZSTD))
            .map_err(failed)?;
        let writer = FileWriter::try_new_with_options(out, &schema, options).map_err(failed)?;
        Ok(IpcWriter { writer, schema, destination })
    }

    /// Append rows, in batches that don't span several calls.
    pub(crate) fn append(
        &mut self,
        columns: &[WriteColumn<'_>],
        n_rows: usize,
        observer: &dyn Observer,
    ) -> Result<()> {
        let failed = |e: ArrowError| write_error(&self.destination, e);
        let columns =
            columns.iter().map(|&column| ReadyColumn::new(column)).collect::<Result<Vec<_>>>()?;
        for rows in blocks(0..n_rows, ROWS) {
            check_cancelled(observer)?;
            let arrays: Vec<Result<_>> =
                columns.par_iter().map(|column| column.rows(rows.clone())).collect();
            let arrays = arrays.into_iter().collect::<Result<Vec<_>>>()?;
            let batch = RecordBatch::try_new(self.schema.clone(), arrays).map_err(failed)?;
            self.writer.write(&batch).map_err(failed)?;
            observer.advance(rows.len() as u64);
        }
        Ok(())
    }

    /// Append a batch as it is.
    pub(crate) fn write(&mut self, batch: &RecordBatch) -> Result<()> {
        self.writer.write(batch).map_err(|e| write_error(&self.destination, e))
    }

    /// Write the end of the file.
    pub(crate) fn finish(self) -> Result<Output> {
        self.writer.into_inner().map_err(|e| write_error(&self.destination, e))
    }
}

fn write_error(destination: &Path, error: ArrowError) -> Error {
    match &error {
        ArrowError::IoError(_, source) => Error::io(destination, "write", source),
        _ => Error::unsupported(format!("can't write Arrow: {error}"))
            .in_file(destination.display().to_string()),
    }
}
