//! Reads Arrow IPC: the file format (Feather 2) and the stream format, batch by batch, columns in
//! parallel.

mod check;
mod stream;

use std::io::{self, BufReader};

use arrow_array::{ArrayRef, RecordBatch};
use arrow_ipc::reader::FileReader;
use arrow_schema::SchemaRef;
use sfumato_core::column::Provenance;
use sfumato_core::memory::Accountant;
use sfumato_core::observer::{Observer, Unit};
use sfumato_core::{Error, Result};

use crate::decoder::guarded;
use crate::format::Format;
use crate::in_memory::Batches;
use crate::input::{Input, read_full};
use crate::options::ReadOptions;
use crate::readers::arrow::{Columns, native_types};
use crate::scan::{Scanned, Select, Target, check_header, select_columns};

/// The error for what the decoder refuses.
fn bad(e: &dyn std::fmt::Display) -> Error {
    Error::input(format!("this Arrow file can't be read: {e}"))
}

/// Read an Arrow IPC file or stream.
pub(crate) fn scan(
    input: Input,
    options: &ReadOptions,
    select: &mut Select<'_>,
    target: Target<'_>,
    observer: &dyn Observer,
) -> Result<Scanned> {
    let name = input.name().to_owned();
    scan_input(input, options, select, target, observer).map_err(|mut error| {
        error.place.file.get_or_insert(name);
        error
    })
}

fn scan_input(
    mut input: Input,
    options: &ReadOptions,
    select: &mut Select<'_>,
    target: Target<'_>,
    observer: &dyn Observer,
) -> Result<Scanned> {
    let name = input.name().to_owned();
    let mut source = Provenance {
        path: input.path.clone(),
        format: Format::ArrowIpc.name().into(),
        compression: input.compression.map(|c| c.name().into()),
        ..Provenance::default()
    };
    let start = input.peek(6)?;
    if start.starts_with(b"ARROW1") {
        let (seekable, hashing) = input.into_seekable()?;
        let cursor = || BufReader::new(seekable.cursor());
        check::check_file(&seekable)?;
        let open = |columns: Option<Vec<usize>>| {
            guarded(|| FileReader::try_new(cursor(), columns).map_err(|e| bad(&e)))
        };
        let schema = open(None)?.schema();
        let picked = Picked::new(&schema, select, target, (&name, &options.memory))?;
        let batches = open(Some(picked.selected.clone()))?.map(|batch| batch.map_err(|e| bad(&e)));
        let all = (0..picked.selected.len()).collect();
        let scanned = run(picked, batches, all, options, observer)?;
        let meter = hashing.finish()?;
        source.bytes = meter.bytes();
        source.sha256 = meter.sha256();
        return Ok(Scanned { source, ..scanned });
    }
    if !start.starts_with(&[0xFF; 4]) {
        return Err(Error::input("this isn't an Arrow file").in_file(name.as_str()));
    }
    let (meter, mut reader) = (input.meter.clone(), input.reader);
    let (batches, schema) = guarded(|| stream::Batches::open(BufReader::new(&mut reader)))?;
    let picked = Picked::new(&schema, select, target, (&name, &options.memory))?;
    let selected = picked.selected.clone();
    let scanned = run(picked, batches, selected, options, observer)?;
    // Whatever follows the end of the stream belongs to the hash of the file.
    let mut rest = vec![0; 1 << 16];
    while read_full(&mut reader, &mut rest).map_err(|e: io::Error| bad(&e))? > 0 {}
    source.bytes = meter.bytes();
    source.sha256 = meter.sha256();
    Ok(Scanned { source, ..scanned })
}

/// Read batches that are in memory. They have no bytes, and so no hash.
pub(crate) fn scan_lent(
    lent: &Batches,
    name: &str,
    options: &ReadOptions,
    select: &mut Select<'_>,
    target: Target<'_>,
    observer: &dyn Observer,
) -> Result<Scanned> {
    let picked = Picked::new(&lent.schema, select, target, (name, &options.memory))?;
    let selected = picked.selected.clone();
    let batches = lent.batches.iter().cloned().map(Ok);
    let scanned = run(picked, batches, selected, options, observer)?;
    let format = Format::ArrowIpc.name().into();
    let source =
        Provenance { path: name.into(), format, bytes: lent.size(), ..Provenance::default() };
    Ok(Scanned { source, ..scanned })
}

/// The columns that were asked for.
struct Picked<'a> {
    header: Vec<String>,
    selected: Vec<usize>,
    native_types: Vec<Option<String>>,
    columns: Columns<'a>,
    name: String,
}

impl<'a> Picked<'a> {
    fn new(
        schema: &SchemaRef,
        select: &mut Select<'_>,
        target: Target<'a>,
        (name, memory): (&str, &Accountant),
    ) -> Result<Self> {
        let header: Vec<String> =
            schema.fields().iter().map(|field| field.name().clone()).collect();
        check_header(&header).map_err(|e| e.in_file(name))?;
        let selected = select_columns(select, &header)?;
        let columns =
            Columns::new(schema, &selected, target, memory).map_err(|e| e.in_file(name))?;
        let native_types = native_types(schema, &selected);
        Ok(Picked { header, selected, native_types, columns, name: name.to_owned() })
    }
}

fn run(
    picked: Picked<'_>,
    mut batches: impl Iterator<Item = Result<RecordBatch>>,
    places: Vec<usize>,
    options: &ReadOptions,
    observer: &dyn Observer,
) -> Result<Scanned> {
    let Picked { header, selected, native_types, mut columns, name } = picked;
    observer.begin("read", 0, Unit::Rows);
    let mut rows = 0;
    let size = options.batch_rows.max(1);
    let mut each = |batch: RecordBatch| -> Result<()> {
        rows += batch.num_rows();
        for start in (0..batch.num_rows()).step_by(size) {
            let piece = batch.slice(start, size.min(batch.num_rows() - start));
            let mut arrays: Vec<Option<ArrayRef>> =
                places.iter().map(|&place| Some(piece.column(place).clone())).collect();
            columns.step(&mut arrays, |array| Ok(array.take()), observer)?;
        }
        Ok(())
    };
    let decoded = std::iter::from_fn(|| guarded(|| batches.next().transpose()).transpose());
    let result = { decoded }.try_for_each(|batch| each(batch?));
    let count =
        |columns: Columns<'_>| columns.finish(selected.is_empty().then_some(rows), observer);
    let result = result.and_then(|()| count(columns));
    observer.end();
    let read = result.map_err(|mut e| {
        e.place.file.get_or_insert(name);
        e
    })?;
    Ok(Scanned {
        header,
        selected,
        dictionaries: read.dictionaries,
        nulls: read.nulls,
        native_types,
        n_rows: read.n_rows,
        source: Provenance::default(),
    })
}
