//! Reads Parquet: every selected column is decoded and encoded by a worker of its own, in steps of
//! some rows.
//!
//! Columns that aren't selected are never decoded. Memory holds one step and the dictionaries.

use std::io::{self, Read};
use std::sync::Arc;

use arrow_array::{ArrayRef, RecordBatch};
use arrow_schema::{DataType, FieldRef, Schema};
use bytes::Bytes;
use parquet::arrow::ProjectionMask;
use parquet::arrow::arrow_reader::{
    ArrowReaderMetadata, ArrowReaderOptions, ParquetRecordBatchReader,
    ParquetRecordBatchReaderBuilder,
};
use parquet::errors::ParquetError;
use parquet::file::reader::{ChunkReader, Length};
use sfumato_core::column::Provenance;
use sfumato_core::observer::{Observer, Unit};
use sfumato_core::{Error, Result};

use crate::decoder::guarded;
use crate::format::Format;
use crate::input::Input;
use crate::options::ReadOptions;
use crate::readers::arrow::{Columns, native_types};
use crate::scan::{Scanned, Select, Target, check_header, select_columns};
use crate::seekable::Seekable;

/// Read a Parquet file.
pub(crate) fn scan(
    input: Input,
    options: &ReadOptions,
    select: &mut Select<'_>,
    target: Target<'_>,
    observer: &dyn Observer,
) -> Result<Scanned> {
    let name = input.name().to_owned();
    let bad = |e: &dyn std::fmt::Display| {
        Error::input(format!("this Parquet file can't be read: {e}")).in_file(name.as_str())
    };
    if input.format != Some(Format::Parquet) || !input.proven {
        return Err(Error::input("this isn't a Parquet file").in_file(name.as_str()));
    }
    let mut source = Provenance {
        path: input.path.clone(),
        format: Format::Parquet.name().into(),
        compression: input.compression.map(|c| c.name().into()),
        ..Provenance::default()
    };
    let (seekable, hashing) = input.into_seekable()?;
    let file = ParquetFile::new(seekable);
    let metadata =
        guarded(|| ArrowReaderMetadata::load(&file, Default::default()).map_err(|e| bad(&e)))
            .map_err(|e| e.in_file(name.as_str()))?;
    let schema = metadata.schema().clone();
    let header: Vec<String> = schema.fields().iter().map(|field| field.name().clone()).collect();
    check_header(&header).map_err(|e| e.in_file(name.as_str()))?;
    let selected = select_columns(select, &header)?;
    let mut columns = Columns::new(&schema, &selected, target, &options.memory)
        .map_err(|e| e.in_file(name.as_str()))?;
    let metadata = guarded(|| Ok(with_dictionaries(metadata)))?;
    let rows = metadata.metadata().file_metadata().num_rows().max(0) as usize;
    let readers = selected.iter().map(|&column| {
        let mask = ProjectionMask::roots(metadata.parquet_schema(), [column]);
        ParquetRecordBatchReaderBuilder::new_with_metadata(file.clone(), metadata.clone())
            .with_projection(mask)
            .with_batch_size(options.batch_rows.max(1))
            .build()
    });
    let mut readers: Vec<ParquetRecordBatchReader> = guarded(|| {
        let readers: Result<Vec<_>, ParquetError> = readers.collect();
        readers.map_err(|e| bad(&e))
    })?;
    observer.begin("read", rows as u64, Unit::Rows);
    let next = |reader: &mut ParquetRecordBatchReader| -> Result<Option<ArrayRef>> {
        let batch: Option<RecordBatch> = reader.next().transpose().map_err(|e| bad(&e))?;
        Ok(batch.map(|batch| batch.column(0).clone()))
    };
    let mut result = Ok(true);
    while matches!(result, Ok(true)) {
        result = columns.step(&mut readers, next, observer);
    }
    let result = result.and_then(|_| columns.finish(selected.is_empty().then_some(rows), observer));
    observer.end();
    let read = result.map_err(|mut e| {
        e.place.file.get_or_insert_with(|| name.clone());
        e
    })?;
    let meter = hashing.finish()?;
    source.bytes = meter.bytes();
    source.sha256 = meter.sha256();
    Ok(Scanned {
        native_types: native_types(&schema, &selected),
        header,
        selected,
        dictionaries: read.dictionaries,
        nulls: read.nulls,
        n_rows: read.n_rows,
        source,
    })
}

/// The same file with text columns read as dictionaries: a dictionary page is decoded once, and its
/// rows stay numbers.
fn with_dictionaries(metadata: ArrowReaderMetadata) -> ArrowReaderMetadata {
    let wanted = |field: &FieldRef| {
        let texts = match field.data_type() {
            DataType::Utf8 | DataType::Utf8View => DataType::Utf8,
            DataType::LargeUtf8 => DataType::LargeUtf8,
            _ => return field.clone(),
        };
        let numbered = DataType::Dictionary(DataType::Int32.into(), texts.into());
        Arc::new(field.as_ref().clone().with_data_type(numbered))
    };
    let fields: Vec<FieldRef> = metadata.schema().fields().iter().map(wanted).collect();
    let schema = Schema::new_with_metadata(fields, metadata.schema().metadata().clone());
    let options = ArrowReaderOptions::new().with_schema(Arc::new(schema));
    // A file that can't be read that way is read as it is.
    ArrowReaderMetadata::try_new(metadata.metadata().clone(), options).unwrap_or(metadata)
}

/// A file that several column readers share, each with a position of its own.
#[derive(Clone)]
pub(crate) struct ParquetFile(Arc<Seekable>);

impl ParquetFile {
    pub(crate) fn new(file: Seekable) -> Self {
        ParquetFile(Arc::new(file))
    }
}

impl Length for ParquetFile {
    fn len(&self) -> u64 {
        self.0.len()
    }
}

impl ChunkReader for ParquetFile {
    type T = io::BufReader<FileFrom>;

    fn get_read(&self, start: u64) -> Result<Self::T, ParquetError> {
        Ok(io::BufReader::new(FileFrom { file: self.0.clone(), at: start }))
    }

    fn get_bytes(&self, start: u64, length: usize) -> Result<Bytes, ParquetError> {
        if start.saturating_add(length as u64) > self.0.len() {
            return Err(ParquetError::EOF("it ends too early".into()));
        }
        let mut bytes = vec![0; length];
        let mut filled = 0;
        while filled < length {
            match self.0.read_at(&mut bytes[filled..], start + filled as u64)? {
                0 => return Err(ParquetError::EOF("it ends too early".into())),
                n => filled += n,
            }
        }
        Ok(bytes.into())
    }
}

/// A reader that starts at a place of a file.
pub(crate) struct FileFrom {
    file: Arc<Seekable>,
    at: u64,
}

impl Read for FileFrom {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let n = self.file.read_at(buffer, self.at)?;
        self.at += n as u64;
        Ok(n)
    }
}
