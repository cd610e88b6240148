//! Writes a column of lists in a Parquet or Arrow file. Batches are made in parallel, and written
//! in order.

use std::ops::Range;
use std::sync::Arc;

use arrow_array::builder::{Int64Builder, ListBuilder, StringBuilder};
use arrow_array::{ArrayRef, Int64Array, RecordBatch};
use arrow_schema::{DataType, Field, Schema, SchemaRef};
use parquet::arrow::ArrowWriter;
use sfumato_core::{Error, Result};

use crate::baskets::write::Job;
use crate::format::Format;
use crate::output::Output;
use crate::pipeline;
use crate::scan::check_cancelled;
use crate::writers::blocks;
use crate::writers::ipc::IpcWriter;
use crate::writers::parquet::{Shared, options, write_error};

/// The number of records in a batch.
const RECORDS: usize = 1 << 13;

pub(super) fn write(out: Output, column: &str, key: Option<&str>, job: &Job<'_>) -> Result<Output> {
    let items = Items::new(job)?;
    let item = Field::new("item", items.data_type(), true);
    let key = key.filter(|_| job.is_keyed()).map(|key| Field::new(key, DataType::Int64, true));
    let fields = key.into_iter().chain([Field::new(column, DataType::List(item.into()), true)]);
    let schema: SchemaRef = Schema::new(fields.collect::<Vec<Field>>()).into();
    match job.options.file.format {
        Format::ArrowIpc => {
            let mut writer = IpcWriter::create(out, schema.clone())?;
            each_batch(&items, &schema, job, &mut |batch| writer.write(batch))?;
            writer.finish()
        }
        Format::Parquet => {
            let destination = out.destination().to_owned();
            let failed = |e| write_error(&destination, e);
            let out = Shared::new(out);
            let options = options().map_err(failed)?;
            let mut writer =
                ArrowWriter::try_new_with_options(out.clone(), schema.clone(), options)
                    .map_err(failed)?;
            each_batch(&items, &schema, job, &mut |batch| writer.write(batch).map_err(failed))?;
            writer.close().map_err(failed)?;
            out.into_file()
        }
        other => Err(Error::unsupported(format!("a {other} file has no lists"))
            .hint("name the output .parquet or .arrow")),
    }
}

fn each_batch(
    items: &Items<'_>,
    schema: &SchemaRef,
    job: &Job<'_>,
    write: &mut dyn FnMut(&RecordBatch) -> Result<()>,
) -> Result<()> {
    let work = |records: Range<usize>| {
        let mut arrays: Vec<ArrayRef> = Vec::new();
        if schema.fields().len() > 1 {
            let keys = records.clone().filter_map(|record| job.records.key(record)).map(i64::from);
            arrays.push(Arc::new(Int64Array::from_iter_values(keys)));
        }
        arrays.push(items.lists(records, job)?);
        RecordBatch::try_new(schema.clone(), arrays)
            .map_err(|e| Error::internal(format!("lists don't fit their schema: {e}")))
    };
    pipeline::ordered(
        pipeline::blocks_in_flight(),
        |feed| {
            blocks(0..job.n_records, RECORDS).for_each(|records| {
                feed.job(records);
            })
        },
        &work,
        &mut |batch: Result<RecordBatch>| {
            check_cancelled(job.observer)?;
            let batch = batch?;
            write(&batch)?;
            job.observer.advance(batch.num_rows() as u64);
            Ok(())
        },
    )
}

/// The value of each code.
enum Items<'a> {
    Texts(&'a [String]),
    Numbers(Vec<i64>),
}

impl<'a> Items<'a> {
    fn new(job: &Job<'a>) -> Result<Self> {
        if !job.options.numeric {
            return Ok(Items::Texts(job.names));
        }
        let number = |name: &String| {
            name.parse()
                .map_err(|_| Error::unsupported(format!("item '{name}' is no number of 64 bits")))
        };
        Ok(Items::Numbers(job.names.iter().map(number).collect::<Result<_>>()?))
    }

    fn data_type(&self) -> DataType {
        match self {
            Items::Texts(_) => DataType::Utf8,
            Items::Numbers(_) => DataType::Int64,
        }
    }

    fn lists(&self, records: Range<usize>, job: &Job<'_>) -> Result<ArrayRef> {
        let mut codes = Vec::new();
        let mut ends = Vec::with_capacity(records.len());
        for record in records {
            job.records.append(record, &mut codes);
            ends.push(codes.len());
        }
        let mut from = 0;
        match self {
            Items::Numbers(numbers) => {
                let mut lists = ListBuilder::new(Int64Builder::with_capacity(codes.len()));
                for to in ends {
                    codes[from..to]
                        .iter()
                        .for_each(|code| lists.values().append_value(numbers[*code as usize]));
                    lists.append(true);
                    from = to;
                }
                Ok(Arc::new(lists.finish()))
            }
            Items::Texts(texts) => {
                let bytes: usize = codes.iter().map(|code| texts[*code as usize].len()).sum();
                if bytes > i32::MAX as usize {
                    return Err(Error::resources("the names of some records take more than 2 GiB"));
                }
                let mut lists = ListBuilder::new(StringBuilder::with_capacity(codes.len(), bytes));
                for to in ends {
                    codes[from..to]
                        .iter()
                        .for_each(|code| lists.values().append_value(&texts[*code as usize]));
                    lists.append(true);
                    from = to;
                }
                Ok(Arc::new(lists.finish()))
            }
        }
    }
}
