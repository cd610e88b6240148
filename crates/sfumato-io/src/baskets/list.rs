//! Columns of lists in Parquet and Arrow files.

mod batch;

use std::io::{self, BufReader};
use std::sync::Arc;

use arrow_array::RecordBatch;
use arrow_ipc::reader::{FileReader, StreamReader};
use arrow_schema::{ArrowError, Schema};
use parquet::arrow::ProjectionMask;
use parquet::arrow::arrow_reader::{ArrowReaderMetadata, ParquetRecordBatchReaderBuilder};
use rayon::prelude::*;
use sfumato_core::column::Provenance;
use sfumato_core::observer::{Observer, Unit};
use sfumato_core::{Error, Result};

use crate::baskets::list::batch::Lists;
use crate::baskets::pieces::{Joined, Piece, Pieces};
use crate::baskets::{BasketLayout, BasketOptions, ReadBaskets, columns};
use crate::format::Format;
use crate::in_memory::{self, Batches, Readable};
use crate::input::{Input, Meter, display_name, read_full};
use crate::readers::parquet::ParquetFile;
use crate::scan::{check_cancelled, check_header};

/// The columns that were asked for.
struct Asked<'a> {
    column: &'a str,
    key: Option<&'a str>,
    options: &'a BasketOptions,
    observer: &'a dyn Observer,
    name: String,
}

/// Read a column of lists.
pub(crate) fn read(
    path: &str,
    column: &str,
    key: Option<&str>,
    options: &BasketOptions,
    observer: &dyn Observer,
) -> Result<ReadBaskets> {
    let name = display_name(path).to_owned();
    let asked = Asked { column, key, options, observer, name };
    if let Some(Readable::Batches(lent)) = in_memory::find(path) {
        let format = Format::ArrowIpc.name().into();
        let source = Provenance { path: path.into(), format, ..Provenance::default() };
        return asked.read_from(source, || asked.batches(&lent));
    }
    let input = Input::open(path, options.file.hash)?;
    let format = match input.format.filter(|_| input.proven) {
        Some(format @ (Format::Parquet | Format::ArrowIpc)) => format,
        _ => {
            return Err(Error::input(
                "lists are read from Parquet and Arrow files, and this is neither",
            )
            .in_file(asked.name));
        }
    };
    let source = Provenance {
        path: input.path.clone(),
        format: format.name().into(),
        compression: input.compression.map(|c| c.name().into()),
        ..Provenance::default()
    };
    asked.read_from(source, || match format {
        Format::Parquet => asked.parquet(input),
        _ => asked.arrow(input),
    })
}

impl Asked<'_> {
    /// Read, and say where the records came from.
    fn read_from(
        &self,
        mut source: Provenance,
        read: impl FnOnce() -> Result<(Joined, bool, Meter)>,
    ) -> Result<ReadBaskets> {
        let (joined, numeric, meter) = read().map_err(|mut error| {
            error.place.file.get_or_insert_with(|| self.name.clone());
            error
        })?;
        source.bytes = meter.bytes();
        source.sha256 = meter.sha256();
        Ok(ReadBaskets {
            names: joined.names,
            sets: joined.sets,
            keys: (self.key.is_some() && self.options.keep_keys).then_some(joined.keys),
            utilities: None,
            repeated: joined.repeated,
            missing: joined.missing,
            numeric,
            release_layout: BasketLayout::List { column: self.column.into(), key: None },
            source,
        })
    }

    /// Batches in memory have no bytes, and so no hash.
    fn batches(&self, lent: &Batches) -> Result<(Joined, bool, Meter)> {
        self.places(&lent.schema)?;
        let rows = lent.batches.iter().map(|batch| batch.num_rows() as u64).sum();
        let (joined, numeric) = self.run(rows, lent.batches.iter().cloned().map(Ok))?;
        Ok((joined, numeric, Meter::of_size(lent.size())))
    }

    /// The places of the lists and, if they are kept, of the keys.
    fn places(&self, schema: &Schema) -> Result<(usize, Option<usize>)> {
        let header: Vec<String> =
            schema.fields().iter().map(|field| field.name().clone()).collect();
        check_header(&header)?;
        columns::select(&header, [self.column].into_iter().chain(self.key), &self.options.dropped)?;
        let place = |name: &str| {
            header
                .iter()
                .position(|other| other == name)
                .ok_or_else(|| columns::no_such_column(name, &header))
        };
        let key = self.key.filter(|_| self.options.keep_keys).map(place).transpose()?;
        Ok((place(self.column)?, key))
    }

    fn parquet(&self, input: Input) -> Result<(Joined, bool, Meter)> {
        let bad = |e: &dyn std::fmt::Display| {
            Error::input(format!("this Parquet file can't be read: {e}"))
        };
        let (seekable, hashing) = input.into_seekable()?;
        let file = ParquetFile::new(seekable);
        let metadata = ArrowReaderMetadata::load(&file, Default::default()).map_err(|e| bad(&e))?;
        let (lists, key) = self.places(metadata.schema())?;
        let mask = ProjectionMask::roots(metadata.parquet_schema(), [lists].into_iter().chain(key));
        let rows = metadata.metadata().file_metadata().num_rows().max(0) as u64;
        let batches = ParquetRecordBatchReaderBuilder::new_with_metadata(file, metadata)
            .with_projection(mask)
            .with_batch_size(self.options.file.batch_rows.clamp(1, 1 << 14))
            .build()
            .map_err(|e| bad(&e))?;
        let (joined, numeric) = self.run(rows, batches.map(|batch| batch.map_err(|e| bad(&e))))?;
        Ok((joined, numeric, hashing.finish()?))
    }

    fn arrow(&self, mut input: Input) -> Result<(Joined, bool, Meter)> {
        let bad = |e: ArrowError| Error::input(format!("this Arrow file can't be read: {e}"));
        if input.peek(6)?.starts_with(b"ARROW1") {
            let (seekable, hashing) = input.into_seekable()?;
            let cursor = || BufReader::new(seekable.cursor());
            let schema = FileReader::try_new(cursor(), None).map_err(bad)?.schema();
            let (lists, key) = self.places(&schema)?;
            let places = [lists].into_iter().chain(key).collect();
            let batches = FileReader::try_new(cursor(), Some(places)).map_err(bad)?;
            let (joined, numeric) = self.run(0, batches.map(|batch| batch.map_err(bad)))?;
            return Ok((joined, numeric, hashing.finish()?));
        }
        let (meter, mut reader) = (input.meter.clone(), input.reader);
        let batches = StreamReader::try_new(BufReader::new(&mut reader), None).map_err(bad)?;
        self.places(&batches.schema())?;
        let (joined, numeric) = self.run(0, batches.map(|batch| batch.map_err(bad)))?;
        // Whatever follows the end of the stream belongs to the hash of the file.
        let mut rest = vec![0; 1 << 16];
        while read_full(&mut reader, &mut rest).map_err(|e: io::Error| bad(e.into()))? > 0 {}
        Ok((joined, numeric, meter))
    }

    /// Read some batches at a time: one thread decodes them, and all threads make sets of them.
    fn run(
        &self,
        rows: u64,
        mut batches: impl Iterator<Item = Result<RecordBatch>>,
    ) -> Result<(Joined, bool)> {
        self.observer.begin("read", rows, Unit::Rows);
        let result = self.pieces(&mut batches);
        self.observer.end();
        let (pieces, numeric) = result?;
        Ok((pieces.finish()?, numeric))
    }

    fn pieces(
        &self,
        batches: &mut dyn Iterator<Item = Result<RecordBatch>>,
    ) -> Result<(Pieces, bool)> {
        let lists = Arc::new(Lists::new(
            self.column,
            self.key.filter(|_| self.options.keep_keys),
            self.options,
        ));
        let mut pieces = Pieces::new();
        let (mut numeric, mut first_row) = (false, 0);
        loop {
            check_cancelled(self.observer)?;
            let group: Vec<RecordBatch> =
                batches.take(2 * rayon::current_num_threads()).collect::<Result<_>>()?;
            if group.is_empty() {
                return Ok((pieces, numeric));
            }
            let starts = group.iter().scan(first_row, |row, batch| {
                let start = *row;
                *row += batch.num_rows() as u64;
                Some(start)
            });
            let starts: Vec<u64> = starts.collect();
            let found: Vec<Result<(Piece, bool)>> = group
                .par_iter()
                .zip(starts)
                .map(|(batch, first_row)| lists.piece(batch, first_row))
                .collect();
            for (batch, found) in group.iter().zip(found) {
                let (piece, of_numbers) = found?;
                numeric = of_numbers;
                pieces.add(piece)?;
                first_row += batch.num_rows() as u64;
                self.observer.advance(batch.num_rows() as u64);
            }
        }
    }
}
