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

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use arrow_array::types::Int64Type;
    use arrow_array::{ArrayRef, Int64Array, cast::AsArray as _};
    use parquet::arrow::ArrowWriter;
    use parquet::file::properties::WriterProperties;

    use super::*;

    /// A file of so many rows in groups, whose only column numbers them.
    fn file(folder: &Path, rows: i64, group: usize) -> std::path::PathBuf {
        let path = folder.join(format!("{rows}.parquet"));
        let numbers: ArrayRef = Arc::new(Int64Array::from_iter_values(0..rows));
        let batch = RecordBatch::try_from_iter([("row", numbers)]).unwrap();
        let groups = WriterProperties::builder().set_max_row_group_row_count(Some(group)).build();
        let out = File::create(&path).unwrap();
        let mut writer = ArrowWriter::try_new(out, batch.schema(), Some(groups)).unwrap();
        writer.write(&batch).unwrap();
        writer.close().unwrap();
        path
    }

    #[test]
    fn rows_come_from_groups_all_over() {
        let folder = tempfile::tempdir().unwrap();
        let (batches, of) = spread(&file(folder.path(), 400_000, 20_000)).unwrap();
        assert_eq!(of, 400_000);
        let rows: Vec<i64> = batches
            .iter()
            .flat_map(|batch| batch.column(0).as_primitive::<Int64Type>().values().to_vec())
            .collect();
        assert_eq!(rows.len(), ROWS);
        assert!(rows.windows(2).all(|two| two[0] < two[1]), "each once, in order");
        assert!(rows[0] == 0 && rows[rows.len() - 1] > 300_000, "{}", rows[rows.len() - 1]);
        // Of one group its beginning is taken; a file with fewer rows is taken whole.
        let (one, _) = spread(&file(folder.path(), 100_000, 1 << 20)).unwrap();
        assert_eq!(one.iter().map(RecordBatch::num_rows).sum::<usize>(), ROWS);
        let (all, of) = spread(&file(folder.path(), 50, 1 << 20)).unwrap();
        assert_eq!((all.iter().map(RecordBatch::num_rows).sum::<usize>(), of), (50, 50));
        std::fs::write(folder.path().join("torn.parquet"), "PAR1 torn").unwrap();
        assert!(spread(&folder.path().join("torn.parquet")).is_err());
    }
}
