//! Round trips through spilled files, and the effects of damage and of a full disk.

use std::fs;
use std::io::{Seek, SeekFrom, Write};
use std::path::Path;

use proptest::prelude::*;
use sfumato_core::memory::Accountant;
use sfumato_core::{ErrorKind, Result};

use super::*;
use crate::spill::{Batch, Divide, InMemory, Tuples, divide_in_memory};

fn folder(home: &Path) -> SpillFolder {
    SpillFolder::create(&home.join("o.csv"), None, &Accountant::new(Some(64 << 20))).unwrap()
}

/// The wanted columns of all tuples.
fn columns(tuples: &dyn Tuples, n_columns: usize, wanted: &[usize]) -> Result<Vec<Vec<u64>>> {
    let mut found = vec![Vec::new(); n_columns];
    let mut n_rows = 0;
    tuples.scan(wanted, &mut |batch| {
        assert_eq!((batch.first_row, batch.columns.len()), (n_rows, n_columns));
        n_rows += batch.n_rows as u64;
        for (column, (found, words)) in found.iter_mut().zip(batch.columns).enumerate() {
            assert_eq!(words.len(), if wanted.contains(&column) { batch.n_rows } else { 0 });
            found.extend_from_slice(words);
        }
        Ok(())
    })?;
    assert_eq!(n_rows, tuples.n_rows());
    Ok(found)
}

/// Columns of words of all sizes, including constant ones.
fn words() -> impl Strategy<Value = InMemory> {
    (0usize..400, 0usize..6).prop_flat_map(|(n_rows, n_columns)| {
        let column = (0u32..65, any::<u64>()).prop_flat_map(move |(bits, least)| {
            let word = any::<u64>().prop_map(move |word| {
                let word = word.checked_shr(64 - bits).unwrap_or(0);
                least.checked_add(word).unwrap_or(word)
            });
            prop::collection::vec(word, n_rows)
        });
        prop::collection::vec(column, n_columns)
            .prop_map(move |columns| InMemory { columns, n_rows })
    })
}

fn widths(tuples: &InMemory) -> Vec<u8> {
    let width = |words: &Vec<u64>| width_of(words.iter().copied().max().unwrap_or(0));
    tuples.columns.iter().map(width).collect()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(150))]

    #[test]
    fn partitions_keep_rows_and_order(
        tuples in words(), rows_per_chunk in 1usize..200, n_parts in 1usize..6,
            picks in prop::collection::vec(any::<bool>(), 6),
        seed in any::<u64>(),
    ) {
        let n_columns = tuples.columns.len();
        let home = tempfile::tempdir().unwrap();
        let folder = folder(home.path());
        let mut route = |batch: &Batch<'_>, parts: &mut Vec<u32>| {
            let part = |row: usize| (seed.wrapping_mul(batch.first_row + row as u64
                + 1) >> 32) % n_parts as u64;
            parts.extend((0..batch.n_rows).map(|row| part(row) as u32));
            Ok(())
        };
        let wanted: Vec<usize> = (0..n_columns).filter(|column| picks[*column]).collect();
        let divide = SpillDivide::new(&folder, &widths(&tuples), rows_per_chunk).unwrap();
        let found = divide.divide(&tuples, n_parts, &mut route).unwrap();
        let expected = divide_in_memory(n_columns).divide(&tuples, n_parts, &mut route).unwrap();
        prop_assert_eq!(found.len(), n_parts);
        for (found, expected) in found.iter().zip(&expected) {
            prop_assert_eq!(found.n_rows(), expected.n_rows());
            let expected = columns(expected.as_ref(), n_columns, &wanted).unwrap();
            prop_assert_eq!(columns(found.as_ref(), n_columns, &wanted).unwrap(), expected);
        }
        drop(found);
        prop_assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 0);
        prop_assert_eq!(folder.accountant().used(), 0);
    }

    #[test]
    fn records_come_back_in_order(
        records in prop::collection::vec((0usize..3, prop::collection::vec(any::<u8>(), 0..300)),
            0..200),
        long in 0usize..(1 << 19),
    ) {
        let home = tempfile::tempdir().unwrap();
        let folder = folder(home.path());
        let mut writer = RunWriter::create(&folder, 3).unwrap();
        let long = (1, vec![7; long]);
        let records: Vec<_> = records.iter().chain([&long]).chain(&records).collect();
        records.iter().for_each(|(bucket, record)| writer.push(*bucket, record).unwrap());
        let runs = writer.finish(false).unwrap();
        for (bucket, run) in runs.iter().enumerate() {
            let again = Run::open(&folder, &run.name()).unwrap();
            let mut reader = again.read().unwrap();
            for (_, record) in records.iter().filter(|(to, _)| *to == bucket) {
                prop_assert_eq!(reader.next_record().unwrap(), Some(record.as_slice()));
            }
            prop_assert_eq!(reader.next_record().unwrap(), None);
            prop_assert_eq!(reader.next_record().unwrap(), None);
        }
        prop_assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 3);
        drop(runs);
        prop_assert_eq!((fs::read_dir(folder.path()).unwrap().count(), folder.accountant().used()),
            (0, 0));
    }
}

fn some_tuples(n_rows: usize) -> InMemory {
    let column =
        |step: u64| (0..n_rows as u64).map(|row| row.wrapping_mul(step) % 100_000).collect();
    InMemory { columns: vec![column(1), column(7919), vec![5; n_rows]], n_rows }
}

fn spilled(folder: &SpillFolder, tuples: &InMemory, rows_per_chunk: usize) -> SpillTuples {
    let mut writer = SpillWriter::create(folder, &widths(tuples), rows_per_chunk).unwrap();
    tuples.scan(&[0, 1, 2], &mut |batch| writer.push(batch)).unwrap();
    writer.finish(true).unwrap()
}

/// Check that each changed byte, and each truncation of the file, gives an error about this file.
fn every_damage_is_found(path: &Path, mut read: impl FnMut() -> Result<()>) {
    let whole = fs::read(path).unwrap();
    read().unwrap();
    let mut check = |what: &str| {
        let error = read().expect_err(what);
        assert_eq!(error.kind, ErrorKind::Io, "{what}");
        assert_eq!(error.place.file.as_deref(), path.to_str());
    };
    // In place: file systems take their time over files that are cut to nothing and written anew.
    let mut file = fs::OpenOptions::new().write(true).open(path).unwrap();
    let mut put = |at: usize, bytes: &[u8]| {
        file.seek(SeekFrom::Start(at as u64)).unwrap();
        file.write_all(bytes).unwrap();
    };
    for (at, byte) in whole.iter().enumerate() {
        put(at, &[byte ^ 1 << (at % 8)]);
        check(&format!("byte {at}"));
        put(at, &[*byte]);
    }
    put(whole.len(), &whole[whole.len() - 16..]);
    check("two ends");
    for len in (0..whole.len()).rev() {
        file.set_len(len as u64).unwrap();
        check(&format!("cut at {len}"));
    }
}

#[test]
fn damage_is_found_wherever_it_is() {
    let home = tempfile::tempdir().unwrap();
    let folder = folder(home.path());
    let tuples = some_tuples(100);
    let spilled = spilled(&folder, &tuples, 40);
    every_damage_is_found(spilled.path(), || {
        columns(&SpillTuples::open(&folder, &spilled.name())?, 3, &[0, 1, 2]).map(|_| ())
    });
    let mut writer = RunWriter::create(&folder, 1).unwrap();
    for length in 0..20 {
        writer.push(0, &vec![b'x'; length * 10]).unwrap();
    }
    let runs = writer.finish(false).unwrap();
    every_damage_is_found(runs[0].path(), || {
        let mut reader = runs[0].read()?;
        while reader.next_record()?.is_some() {}
        Ok(())
    });
}

#[test]
fn only_wanted_columns_are_read() {
    let home = tempfile::tempdir().unwrap();
    let folder = folder(home.path());
    let tuples = some_tuples(400_000);
    let spilled = spilled(&folder, &tuples, 1 << 16);
    let size = fs::metadata(spilled.path()).unwrap().len();
    assert_eq!(folder.counts().written(), size);
    let before = folder.counts().read();
    assert_eq!(columns(&spilled, 3, &[1]).unwrap()[1], tuples.columns[1]);
    let some = folder.counts().read() - before;
    assert!(some < size * 3 / 4, "{some} of {size} bytes");
    let before = folder.counts().read();
    assert_eq!(columns(&spilled, 3, &[0, 1, 2]).unwrap(), tuples.columns);
    // Once, but for the ends that tell whether a file is whole.
    assert!(folder.counts().read() - before <= size + 32);
    // A word that its column has no room for is our mistake, not data.
    let mut writer = SpillWriter::create(&folder, &[1, 1, 1], 10).unwrap();
    let error = tuples.scan(&[0, 1, 2], &mut |batch| writer.push(batch)).unwrap_err();
    assert_eq!(error.kind, ErrorKind::Internal);
}

#[test]
fn chunks_follow_from_the_budget() {
    let home = tempfile::tempdir().unwrap();
    let accountant = Accountant::new(Some(16 << 20));
    let folder = SpillFolder::create(&home.path().join("o.csv"), None, &accountant).unwrap();
    let rows = SpillDivide::rows_that_fit(&[4; 9], 20, accountant.left()).unwrap().unwrap();
    let divide = SpillDivide::new(&folder, &[4; 9], rows).unwrap();
    assert!(divide.memory(20) <= 16 << 20 && rows > 1000);
    assert_eq!(SpillDivide::rows_that_fit(&[4; 9], 64, 16 << 20).unwrap(), None);
    let nothing = InMemory { columns: vec![Vec::new(); 9], n_rows: 0 };
    let error = divide.divide_into_files(&nothing, 64, &mut |_, _| Ok(())).unwrap_err();
    assert_eq!(error.kind, ErrorKind::Resources);
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 0);
    let parts = divide.divide_into_files(&nothing, 20, &mut |_, _| Ok(())).unwrap();
    assert!(parts.iter().all(|part| part.n_rows() == 0));
    assert!(accountant.peak() <= 16 << 20);
}

#[test]
fn many_threads_write_no_more_at_once_than_there_is_memory_for() {
    let tuples = some_tuples(3_000);
    let route = |batch: &Batch<'_>, parts: &mut Vec<u32>| {
        parts.extend((0..batch.n_rows).map(|row| row as u32 % 4));
        Ok(())
    };
    let divided = |threads: usize, limit: Option<u64>| {
        let home = tempfile::tempdir().unwrap();
        let accountant = Accountant::new(limit);
        let folder = SpillFolder::create(&home.path().join("o.csv"), None, &accountant).unwrap();
        let divide = SpillDivide::new(&folder, &widths(&tuples), 1 << 16).unwrap();
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        let found = pool.install(|| {
            let parts = divide.divide_into_files(&tuples, 4, &mut { route })?;
            parts.iter().map(|part| columns(part, 3, &[0, 1, 2])).collect::<Result<Vec<_>>>()
        });
        (found, divide.memory(4), accountant.peak())
    };
    let (one, least, _) = divided(1, None);
    let one = one.unwrap();
    // The least that one writer takes is enough for any number of threads.
    for threads in [1, 8, 64] {
        let (parts, planned, peak) = divided(threads, Some(least));
        assert_eq!(parts.unwrap(), one, "{threads} threads");
        assert!(planned == least && peak <= least, "{threads}: {planned} {peak}");
    }
    let (plenty, planned, peak) = divided(8, Some(16 * least));
    assert!(plenty.unwrap() == one && planned == least && peak > least);
    let (none, ..) = divided(8, Some(least - 1));
    assert_eq!(none.unwrap_err().kind, ErrorKind::Resources);
}

#[test]
fn a_bad_route_leaves_nothing() {
    let home = tempfile::tempdir().unwrap();
    let folder = folder(home.path());
    let tuples = some_tuples(10_000);
    let divide = SpillDivide::new(&folder, &widths(&tuples), 100).unwrap();
    let mut route = |batch: &Batch<'_>, parts: &mut Vec<u32>| {
        parts.extend((0..batch.n_rows).map(|row| (batch.first_row / 5000) as u32 + row as u32 % 2));
        Ok(())
    };
    assert_eq!(
        divide.divide_into_files(&tuples, 2, &mut route).unwrap_err().kind,
        ErrorKind::Internal
    );
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 0);
}

#[cfg(target_os = "linux")]
#[test]
fn a_full_disk_says_what_was_wanted() {
    let home = tempfile::tempdir().unwrap();
    let folder = folder(home.path());
    // Files are opened anew for every block: from now on these are a device that is always full.
    let fill = |path: &Path| {
        fs::remove_file(path).unwrap();
        std::os::unix::fs::symlink("/dev/full", path).unwrap();
    };
    let tuples = some_tuples(1000);
    let mut writer = SpillWriter::create(&folder, &widths(&tuples), 100).unwrap();
    fill(writer.path());
    tuples.scan(&[0, 1, 2], &mut |batch| writer.push(batch)).unwrap();
    let path = writer.path().display().to_string();
    let error = writer.finish(false).unwrap_err();
    assert_eq!((error.kind.exit_code(), error.place.file.as_deref()), (4, Some(path.as_str())));
    assert!(
        error.message.starts_with("no space left: wanted ")
            && error.message.ends_with(" more bytes")
    );
    // An error in the thread that writes for a division is reported in the same way.
    let many = some_tuples(400_000);
    let mut route = |batch: &Batch<'_>, parts: &mut Vec<u32>| {
        if batch.first_row == 0 {
            fs::read_dir(folder.path()).unwrap().for_each(|entry| fill(&entry.unwrap().path()));
        }
        parts.resize(batch.n_rows, 0);
        Ok(())
    };
    let divide = SpillDivide::new(&folder, &widths(&many), 60_000).unwrap();
    let error = divide.divide_into_files(&many, 1, &mut route).unwrap_err();
    assert_eq!(error.kind, ErrorKind::Resources);
    assert!(error.message.starts_with("no space left: wanted "), "{error}");
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 0);
}
