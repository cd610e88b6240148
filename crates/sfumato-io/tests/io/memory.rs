//! Readers and writers tell an accountant what they hold, in every format, and give all of it back.

use std::path::Path;

use sfumato_core::column::{Codes, Dictionary};
use sfumato_core::memory::Accountant;
use sfumato_core::observer::Unobserved;
use sfumato_io::*;

/// The rows of a table, which takes about this many bytes as text.
const ROWS: usize = 20_000;
const TEXT: u64 = 20 * ROWS as u64;

/// Write a table of texts that are all different, and say what was booked for that at most.
fn written(path: &Path) -> u64 {
    let texts: Dictionary = (0..ROWS).map(|row| format!("the text of {row:07}")).collect();
    let codes = Codes::U32((0..ROWS as u32).collect());
    let name = path.to_str().unwrap();
    let options = WriteOptions::for_destination(name).unwrap();
    let books = Accountant::new(None);
    let out = AtomicFile::create(path, false).unwrap();
    let column =
        WriteColumn { name: "a", values: &texts, null: None, native_type: None, source: &codes };
    let mut writer = ReleaseWriter::create(out, &[("a", None)], &options).unwrap().counted(&books);
    writer.append(&[column], ROWS, &Unobserved).unwrap();
    // Of a row group that isn't complete the format holds something, of a text nothing.
    assert_eq!(books.used() > 0, options.format == Format::Parquet, "{name}");
    let Output::File(out) = writer.finish().unwrap() else { panic!("this isn't a file") };
    out.commit().unwrap();
    assert_eq!(books.used(), 0, "{name}");
    books.peak()
}

/// Whether everything was given back. The thread that reads text ends a moment later.
fn is_given_back(books: &Accountant) -> bool {
    (0..500).any(|_| {
        let is_zero = books.used() == 0;
        if !is_zero {
            std::thread::sleep(std::time::Duration::from_millis(10));
        }
        is_zero
    })
}

/// Read a table block by block, and say what was booked for that at most.
fn read_by(path: &str, block_bytes: usize, batch_rows: usize) -> u64 {
    let books = Accountant::new(None);
    let options =
        ReadOptions { block_bytes, batch_rows, memory: books.clone(), ..ReadOptions::default() };
    let mut rows = 0;
    let mut sink = |block: &LocalBlock<'_>| {
        rows += block.n_rows;
        Ok(())
    };
    scan_local(path, &options, &mut select_all, &mut sink, &Unobserved).unwrap();
    assert_eq!(rows, ROWS, "{path}");
    assert!(is_given_back(&books), "{path}: {:?}", books.used());
    books.peak()
}

#[test]
fn what_is_read_and_written_is_booked_and_given_back() {
    let folder = tempfile::tempdir().unwrap();
    for ending in ["csv", "csv.gz", "jsonl", "parquet", "arrow"] {
        let path = folder.path().join(format!("a.{ending}"));
        let peak = written(&path);
        assert!((TEXT..20 * TEXT).contains(&peak), "{ending} is written in {peak} bytes");
        let path = path.to_str().unwrap();
        let (small, large) = (read_by(path, 1 << 12, 1 << 8), read_by(path, 8 << 20, 1 << 20));
        assert!(small > 0 && 2 * small < large, "{ending}: {small} and {large}");
        assert!((TEXT..100 * TEXT).contains(&large), "{ending} is read in {large} bytes");
    }
}

#[test]
fn what_is_read_in_vain_is_given_back() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.csv");
    std::fs::write(&path, "a,b\n1,2\n3\n").unwrap();
    let books = Accountant::new(None);
    let options = ReadOptions { memory: books.clone(), ..ReadOptions::default() };
    let mut sink = |_: &LocalBlock<'_>| Ok(());
    let path = path.to_str().unwrap();
    assert!(scan_local(path, &options, &mut select_all, &mut sink, &Unobserved).is_err());
    assert!(books.peak() > 0 && is_given_back(&books));
}
