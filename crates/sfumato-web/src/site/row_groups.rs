//! Some of the rows of a large Parquet file, from all over it: the first of groups of rows that are
//! evenly spread.

use std::fs::File;
use std::path::Path;

use arrow_array::RecordBatch;
use parquet::arrow::arrow_reader::ParquetRecordBatchReaderBuilder;
use sfumato_core::{Error, Result};

/// How many groups are looked at, and how many rows of all of them together.
const GROUPS: usize = 8;
const ROWS: usize = 64 << 10;

/// Rows of a file, and of how many they are.
pub(crate) fn spread(path: &Path) -> Result<(Vec<RecordBatch>, usize)> {
    let open = || File::open(path).map_err(|error| Error::io(path, "open", &error));
    let wrong = |error: &dyn std::fmt::Display| {
        Error::input(format!("this Parquet file can't be read: {error}"))
    };
    let builder = ParquetRecordBatchReaderBuilder::try_new(open()?).map_err(|e| wrong(&e))?;
    let about = builder.metadata().file_metadata().num_rows().max(0) as usize;
    let groups = builder.metadata().num_row_groups();
    let taken = groups.clamp(1, GROUPS);
    let mut batches = Vec::new();
    for place in (0..taken).map(|place| place * groups / taken).filter(|place| *place < groups) {
        let builder = ParquetRecordBatchReaderBuilder::try_new(open()?).map_err(|e| wrong(&e))?;
        let each = ROWS / taken;
        let reader = builder
            .with_row_groups(vec![place])
            .with_batch_size(each)
            .with_limit(each)
            .build()
            .map_err(|e| wrong(&e))?;
        for batch in reader {
            batches.push(batch.map_err(|e| wrong(&e))?);
        }
    }
    Ok((batches, about))
}
