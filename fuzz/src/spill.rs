//! Spilled partitions and runs of records, torn and overwritten: a reader says so or hands over
//! what was written, and never panics.

use std::fs;
use std::path::Path;

use sfumato_core::memory::Accountant;
use sfumato_io::spill::Batch;
use sfumato_io::spill::{IoCounts, RunReader, RunWriter, SpillFolder, SpillReader, SpillWriter};

use crate::targets::{shape, with_file};

/// A partition without rows, one with several chunks, and a bucket of records.
pub fn samples() -> Vec<Vec<u8>> {
    let home = tempfile::tempdir().expect("a temporary folder can be made");
    let folder = SpillFolder::create(&home.path().join("o"), None, &Accountant::default())
        .expect("a spill folder can be made");
    let bytes = |path: &Path| fs::read(path).expect("a spilled file can be read");
    let partition = |n_rows: u64| {
        let mut writer =
            SpillWriter::create(&folder, &[1, 8, 3], 20).expect("a partition can be made");
        let columns = [
            (0..n_rows).collect(),
            (0..n_rows).map(|row| row << 50).collect(),
            vec![7; n_rows as usize],
        ];
        let batch = Batch { first_row: 0, n_rows: n_rows as usize, columns: &columns };
        writer.push(&batch).expect("rows can be written");
        bytes(writer.finish(false).expect("a partition can be finished").path())
    };
    let mut runs = RunWriter::create(&folder, 1).expect("buckets can be made");
    for length in [0, 1, 130, 20_000] {
        runs.push(0, &vec![b'x'; length]).expect("records can be written");
    }
    let runs = runs.finish(false).expect("buckets can be finished");
    vec![partition(0), partition(50), bytes(runs[0].path())]
}

/// Read an input as both.
pub fn feed(input: &[u8]) -> String {
    // Little memory, so that a length out of thin air is refused and not allocated.
    let (accountant, counts) = (Accountant::new(Some(8 << 20)), IoCounts::default());
    with_file(input, ".spill", |path| {
        let path = Path::new(path);
        let partition = SpillReader::open(path, &accountant, &counts).and_then(|reader| {
            let (n_columns, expected, mut n_rows) = (reader.n_columns(), reader.n_rows(), 0);
            let wanted: Vec<usize> =
                (0..n_columns).filter(|column| !input.len().is_multiple_of(column + 2)).collect();
            reader.scan(&wanted, &mut |batch| {
                let is_whole = |column: &usize| batch.columns[*column].len() == batch.n_rows;
                assert!(
                    batch.first_row == n_rows && wanted.iter().all(is_whole),
                    "a batch lacks rows"
                );
                n_rows += batch.n_rows as u64;
                Ok(())
            })?;
            assert!(n_rows == expected, "a partition lacks rows");
            Ok(n_columns)
        });
        let run = RunReader::open(path, &accountant, &counts).and_then(|mut reader| {
            let mut n_records = 0;
            while reader.next_record()?.is_some() {
                n_records += 1;
            }
            assert!(n_records == reader.n_records(), "a bucket lacks records");
            Ok(n_records)
        });
        assert!(accountant.used() == 0, "memory isn't given back");
        let partition =
            partition.map_or_else(|error| error.message, |columns| format!("{columns} columns"));
        let run = run.map_or_else(|error| error.message, |_| "records".into());
        format!("{} / {}", shape(&partition), shape(&run))
    })
}
