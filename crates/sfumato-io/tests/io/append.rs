//! Files written piece by piece have the same rows as files written at once, whatever the pieces
//! and their dictionaries.

use std::path::Path;

use proptest::prelude::*;
use sfumato_core::ErrorKind;
use sfumato_core::column::{Codes, Dictionary};
use sfumato_core::observer::Unobserved;
use sfumato_io::*;

const NAMES: [&str; 4] = ["all.parquet", "all.arrow", "all.csv", "all.jsonl.gz"];

/// A piece of a column: with its own texts in its own order, and one text that no row has.
fn piece(cells: &[Option<String>], turn: usize) -> (Dictionary, Codes, Option<u32>) {
    let mut distinct: Vec<&Option<String>> = cells.iter().collect();
    distinct.sort_unstable();
    distinct.dedup();
    let n = distinct.len().max(1);
    distinct.rotate_left(turn % n);
    let mut dictionary: Dictionary =
        distinct.iter().map(|text| text.as_deref().unwrap_or("")).collect();
    dictionary.push("UNUSED");
    let code = |cell: &Option<String>| distinct.iter().position(|d| *d == cell).unwrap() as u32;
    let null = distinct.iter().position(|d| d.is_none()).map(|code| code as u32);
    (dictionary, Codes::from_iter(n + 1, cells.iter().map(code)), null)
}

fn write_pieces(path: &Path, pieces: &[Vec<Option<String>>], native_type: Option<&str>) {
    let options = WriteOptions::for_destination(path.to_str().unwrap()).unwrap();
    let out = AtomicFile::create(path, false).unwrap();
    let header = [("texts", None), ("typed", native_type)];
    let mut writer = ReleaseWriter::create(out, &header, &options).unwrap();
    for (turn, cells) in pieces.iter().enumerate() {
        let (values, codes, null) = piece(cells, turn);
        let column = |(name, native_type)| WriteColumn {
            name,
            values: &values,
            null,
            native_type,
            source: &codes,
        };
        writer.append(&header.map(column), cells.len(), &Unobserved).unwrap();
    }
    writer.finish().unwrap().commit().unwrap();
}

fn read_cells(path: &Path) -> Vec<Vec<Option<String>>> {
    let table = read(path.to_str().unwrap(), &ReadOptions::default(), &mut select_all, &Unobserved)
        .unwrap();
    let column = |c: &sfumato_core::column::RawColumn| {
        c.codes
            .iter()
            .map(|code| (c.null != Some(code)).then(|| c.values.get(code).to_owned()))
            .collect()
    };
    table.columns.iter().map(column).collect()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(40))]
    #[test]
    fn pieces_hold_the_rows(
        pieces in prop::collection::vec(prop::collection::vec(prop::option::of(0u32..300), 0..120),
            0..6),
    ) {
        let folder = tempfile::tempdir().unwrap();
        let pieces: Vec<Vec<Option<String>>> =
            pieces.iter().map(|cells| cells.iter().map(|c| c.map(|n| n.to_string())).collect())
                .collect();
        let all: Vec<Option<String>> = pieces.concat();
        for name in NAMES {
            let path = folder.path().join(name);
            write_pieces(&path, &pieces, Some("Int64"));
            if name.ends_with("jsonl.gz") && all.is_empty() {
                continue;
            }
            let expected: Vec<Option<String>> = match name {
                // CSV has no null.
                "all.csv" =>
                    all.iter().map(|cell| Some(cell.clone().unwrap_or_default())).collect(),
                _ => all.clone(),
            };
            let bytes = std::fs::read(&path).unwrap();
            prop_assert!(memchr::memmem::find(&bytes, b"UNUSED").is_none());
            prop_assert_eq!(read_cells(&path), vec![expected.clone(), expected], "{}", name);
        }
    }
}

#[test]
fn dictionaries_that_grow_too_large() {
    let folder = tempfile::tempdir().unwrap();
    // The second piece takes the dictionary past its limit; few texts follow, some of them known
    // before.
    let long = |i: usize| (!i.is_multiple_of(17)).then(|| format!("{i}{}", "x".repeat(i % 5000)));
    let pieces: Vec<Vec<Option<String>>> = vec![
        (0..300).map(|i| (i % 7 != 0).then(|| format!("short {}", i % 9))).collect(),
        (0..2500).map(long).collect(),
        (0..300).map(|i| Some(format!("short {}", i % 9))).collect(),
        vec![None; 40],
    ];
    let path = folder.path().join("all.parquet");
    write_pieces(&path, &pieces, None);
    let all = pieces.concat();
    assert!(read_cells(&path) == vec![all.clone(), all]);
}

#[test]
fn groups_span_pieces() {
    let folder = tempfile::tempdir().unwrap();
    let values: Dictionary = (0..1000).map(|i| format!("v{i}")).collect();
    let n = 300_000;
    let path = folder.path().join("all.parquet");
    let options = WriteOptions::for_destination("all.parquet").unwrap();
    let out = AtomicFile::create(&path, false).unwrap();
    let mut writer = ReleaseWriter::create(out, &[("a", Some("LargeUtf8"))], &options).unwrap();
    let code = |i: usize| (i * i % 1009 % 1000) as u32;
    for first in (0..5 * n).step_by(n) {
        let codes = Codes::from_iter(1000, (first..first + n).map(code));
        let column = WriteColumn {
            name: "a",
            values: &values,
            null: None,
            native_type: Some("LargeUtf8"),
            source: &codes,
        };
        writer.append(&[column], n, &Unobserved).unwrap();
    }
    writer.finish().unwrap().commit().unwrap();
    let file = std::fs::File::open(&path).unwrap();
    let reader = parquet::file::reader::SerializedFileReader::new(file).unwrap();
    let metadata = parquet::file::reader::FileReader::metadata(&reader);
    let rows: Vec<i64> = metadata.row_groups().iter().map(|group| group.num_rows()).collect();
    assert_eq!(rows, [1 << 20, 5 * n as i64 - (1 << 20)]);
    let mut at = 0;
    let mut sink = |block: &Block<'_>| {
        for code_read in &block.columns[0] {
            assert_eq!(block.dictionaries[0].get(*code_read), values.get(code(at)));
            at += 1;
        }
        Ok(())
    };
    scan(path.to_str().unwrap(), &ReadOptions::default(), &mut select_all, &mut sink, &Unobserved)
        .unwrap();
    assert_eq!(at, 5 * n);
}

#[test]
fn other_columns_are_refused() {
    let folder = tempfile::tempdir().unwrap();
    let (values, codes, null) = piece(&[Some("a".into())], 0);
    for name in NAMES {
        let path = folder.path().join(name);
        let options = WriteOptions::for_destination(name).unwrap();
        let out = AtomicFile::create(&path, false).unwrap();
        let mut writer = ReleaseWriter::create(out, &[("a", None)], &options).unwrap();
        let column =
            WriteColumn { name: "b", values: &values, null, native_type: None, source: &codes };
        let error = writer.append(&[column], 1, &Unobserved).unwrap_err();
        assert_eq!(error.kind, ErrorKind::Internal);
        drop(writer);
        assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 0);
        let out = AtomicFile::create(&path, false).unwrap();
        assert!(ReleaseWriter::create(out, &[], &options).is_err());
    }
}
