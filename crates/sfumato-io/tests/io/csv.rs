//! The CSV reader compared with a naive one, in tiny blocks and with any number of threads; and
//! every mistake with its message.

use std::io::Write;
use std::path::Path;

use proptest::prelude::*;
use sfumato_core::Result;
use sfumato_core::column::RawTable;
use sfumato_core::observer::Unobserved;
use sfumato_io::{Block, ReadOptions, read, scan, select_all};

/// A naive parser with a simple state machine, one byte at a time. Returns rows of fields, for
/// texts without mistakes.
fn naive(text: &str, delimiter: char) -> Vec<Vec<String>> {
    let text = text.strip_prefix('\u{FEFF}').unwrap_or(text);
    let chars: Vec<char> = text.chars().collect();
    let (mut rows, mut row, mut field) = (Vec::new(), Vec::new(), String::new());
    let mut quoted_field = false;
    let mut i = 0;
    while i < chars.len() {
        if field.is_empty() && !quoted_field && chars[i] == '"' {
            quoted_field = true;
            i += 1;
            loop {
                if chars[i] != '"' {
                    field.push(chars[i]);
                } else if chars.get(i + 1) == Some(&'"') {
                    field.push('"');
                    i += 1;
                } else {
                    i += 1;
                    break;
                }
                i += 1;
            }
            continue;
        }
        let end = chars[i] == '\n' || (chars[i] == '\r' && chars.get(i + 1) == Some(&'\n'));
        if chars[i] == delimiter || end {
            row.push(std::mem::take(&mut field));
            quoted_field = false;
            if end {
                rows.push(std::mem::take(&mut row));
                i += usize::from(chars[i] == '\r');
            }
        } else {
            field.push(chars[i]);
        }
        i += 1;
    }
    if !field.is_empty() || !row.is_empty() || quoted_field {
        row.push(field);
        rows.push(row);
    }
    let width = rows.first().map_or(0, Vec::len);
    rows.retain(|row| width == 1 || row.len() > 1 || !row[0].is_empty());
    rows
}

fn rows_of(table: &RawTable) -> Vec<Vec<String>> {
    let row = |r| table.columns.iter().map(|c| c.values.get(c.codes.get(r)).to_owned()).collect();
    (0..table.n_rows).map(row).collect()
}

fn write(folder: &Path, name: &str, bytes: &[u8]) -> String {
    let path = folder.join(name);
    std::fs::write(&path, bytes).unwrap();
    path.to_str().unwrap().to_owned()
}

fn read_bytes(bytes: &[u8], block_bytes: usize) -> Result<RawTable> {
    let folder = tempfile::tempdir().unwrap();
    let path = write(folder.path(), "t.csv", bytes);
    let options = ReadOptions { block_bytes, ..ReadOptions::default() };
    read(&path, &options, &mut select_all, &Unobserved).map_err(|mut e| {
        e.place.file = Some("t.csv".into());
        e
    })
}

/// A table as text, with some unneeded quotes and mixed line ends.
fn table() -> impl Strategy<Value = (String, char)> {
    let cell = prop_oneof![
        4 => "[a-c]{0,3}",
        1 => "[a-z]{10,30}",
        2 => "[ab,;\"\n\r\u{e9}]{0,6}",
        1 => "[0-9]{1,2}\"[a-z]",
    ];
    let delimiter = prop_oneof![Just(','), Just(';'), Just('\t')];
    (1usize..5, 0usize..25, delimiter).prop_flat_map(move |(width, height, delimiter)| {
        let cells = proptest::collection::vec((cell.clone(), any::<bool>()), width * height);
        let ends = proptest::collection::vec(any::<bool>(), height + 1);
        (cells, ends, any::<(bool, bool)>()).prop_map(move |(cells, ends, (mark, cut))| {
            let mut text = String::from(if mark { "\u{FEFF}" } else { "" });
            let names: Vec<String> = (0..width).map(|i| format!("c{i}")).collect();
            text.push_str(&names.join(&delimiter.to_string()));
            text.push_str(if ends[0] { "\r\n" } else { "\n" });
            for (row, end) in cells.chunks(width).zip(&ends[1..]) {
                let row: Vec<String> = row
                    .iter()
                    .map(|(cell, quote)| {
                        let special =
                            cell.contains([delimiter, '\n', '\r']) || cell.starts_with('"');
                        let quote = *quote || special || (width == 1 && cell.is_empty());
                        if quote {
                            format!("\"{}\"", cell.replace('"', "\"\""))
                        } else {
                            cell.clone()
                        }
                    })
                    .collect();
                text.push_str(&row.join(&delimiter.to_string()));
                text.push_str(if *end { "\r\n" } else { "\n" });
            }
            if cut && text.ends_with('\n') && height > 0 {
                text.pop();
                // A bare CR before the end of the file would be a character of the cell.
                if text.ends_with('\r') {
                    text.pop();
                }
            }
            (text, delimiter)
        })
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(300))]
    #[test]
    fn same_as_naive_in_any_blocks_and_threads((text, delimiter) in table(), block in 1usize..200) {
        let folder = tempfile::tempdir().unwrap();
        let path = write(folder.path(), "t.csv", text.as_bytes());
        let expected = naive(&text, delimiter);
        let mut results = Vec::new();
        for (threads, block_bytes) in [(1, block), (2, block), (2, 1), (1, 1 << 20)] {
            let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
            let options =
                ReadOptions { delimiter: Some(delimiter as u8), block_bytes, ..Default::default() };
            let table =
                pool.install(|| read(&path, &options, &mut select_all, &Unobserved)).unwrap();
            prop_assert_eq!(&table.header, &expected[0]);
            prop_assert_eq!(rows_of(&table), &expected[1..]);
            prop_assert_eq!(table.source.bytes, text.len() as u64);
            results.push(table);
        }
        for other in &results[1..] {
            for (a, b) in results[0].columns.iter().zip(&other.columns) {
                prop_assert_eq!(&a.codes, &b.codes);
                prop_assert_eq!(&a.values, &b.values);
            }
            prop_assert_eq!(&results[0].source.sha256, &other.source.sha256);
        }
    }

    #[test]
    fn any_bytes_are_read_or_refused_alike(
        bytes in proptest::collection::vec(prop_oneof![
            4 => proptest::sample::select(b"a,\"\n\r;x".to_vec()), 1 => any::<u8>()], 0..60),
        block in 1usize..20,
    ) {
        let mut text = b"p,q\n".to_vec();
        text.extend(bytes);
        let whole = read_bytes(&text, 1 << 20);
        let blocks = read_bytes(&text, block);
        match (whole, blocks) {
            (Ok(a), Ok(b)) => prop_assert_eq!(rows_of(&a), rows_of(&b)),
            (Err(a), Err(b)) => prop_assert_eq!(a, b),
            (a, b) => prop_assert!(false, "{:?} and {:?}", a.is_ok(), b.is_ok()),
        }
    }
}

#[test]
fn every_mistake_is_told_exactly() {
    let cases: &[(&[u8], &str)] = &[
        (b"", "t.csv: the file is empty"),
        (b"\xEF\xBB\xBF", "t.csv: the file is empty"),
        (b"\n\r\n\n", "t.csv: the file has no header, only blank lines"),
        (b"a,b,c\n1,2,3\n1,2\n", "t.csv:3: line has 2 fields, the header has 3"),
        (b"a,b\n\"x\ny\",2\n\n1,2,3\n", "t.csv:5: line has 3 fields, the header has 2"),
        (b"a,b\n1\n", "t.csv:2: line has 1 field, the header has 2"),
        (b"a,b\n1,2\n3,\"x\ny\n", "t.csv:3:3: a quote opens here and is never closed"),
        (b"a,b\n1,\"x\" \n", "t.csv:2:6: there is text after a closing quote"),
        (b"a,b\n\"x\n\"\"y\"z,1\n", "t.csv:3:5: there is text after a closing quote"),
        (b"a,b\n1,2\n3,\xE9t\xE9\n", "t.csv:3:3: byte 0xe9 isn't UTF-8"),
        (b"a,\xFF\n1,2\n", "t.csv:1:3: byte 0xff isn't UTF-8"),
        (b"a,b\n1,\0\n", "t.csv:2:3: there is a NUL byte in the text"),
        (b"a\0,\0b\0\n\0a\0,\0b\0\n\0", "t.csv:1:2: this looks like UTF-16"),
        (b"a,b,a\n", "t.csv:1: columns 1 and 3 are both named 'a'"),
        (b"a,,c\n", "t.csv:1: column 2 has no name in the header"),
        (b"\"a,b\n1,2\n", "t.csv:1:1: a quote opens here and is never closed"),
        // The first mistake in the file is told, whichever block finishes first.
        (b"a,b\n1,2\n3\n4,\xFF\n\"", "t.csv:3: line has 1 field, the header has 2"),
        (b"a,b\n1,2\n4,\xFF\n3\n", "t.csv:3:3: byte 0xff isn't UTF-8"),
    ];
    for (bytes, message) in cases {
        for block in [1, 3, 1 << 20] {
            let error = read_bytes(bytes, block).unwrap_err();
            assert_eq!(
                error.to_string(),
                *message,
                "{:?} in blocks of {block}",
                bytes.escape_ascii().to_string()
            );
        }
    }
}

#[test]
fn a_late_mistake_in_a_large_file() {
    let mut text = b"a,b\n".to_vec();
    for i in 0..30_000 {
        writeln!(text, "{i},\"x{}\"", i % 7).unwrap();
    }
    let good = read_bytes(&text, 1000).unwrap();
    assert_eq!(good.n_rows, 30_000);
    assert_eq!(good.columns[0].values.len(), 30_000);
    assert_eq!(good.columns[1].values.len(), 7);
    text.extend_from_slice(b"oops\n");
    text.extend_from_slice(b"1,\xFF\n");
    let error = read_bytes(&text, 1000).unwrap_err();
    assert_eq!(error.to_string(), "t.csv:30002: line has 1 field, the header has 2");
}

#[test]
fn a_record_without_end_is_bounded() {
    let folder = tempfile::tempdir().unwrap();
    let mut text = b"a,b\n1,2\n3,\"".to_vec();
    text.extend(std::iter::repeat_n(b'x', 200_000));
    let path = write(folder.path(), "t.csv", &text);
    let options = ReadOptions { block_bytes: 100, max_record_bytes: 1000, ..Default::default() };
    let error = read(&path, &options, &mut select_all, &Unobserved).unwrap_err();
    assert_eq!(error.message, "a record is longer than 1000 bytes");
    assert_eq!(error.place.line, Some(3));
}

#[test]
fn shapes_that_are_fine() {
    let table = read_bytes(b"a,b\n", 10).unwrap();
    assert_eq!((table.n_rows, table.columns.len()), (0, 2));
    let table = read_bytes(b"a,b", 10).unwrap();
    assert_eq!(table.n_rows, 0);
    let table = read_bytes(b"a;b\r\n\r\n1;2\n\n\n", 10).unwrap();
    assert_eq!(rows_of(&table), [["1", "2"]]);
    assert_eq!((table.source.delimiter, table.source.crlf), (Some(b';'), true));
    let table = read_bytes(b"only\n1\n\n2\n", 10).unwrap();
    assert_eq!(rows_of(&table), [["1"], [""], ["2"]]);
    let wide: String = (0..20_000).map(|i| format!("column{i},")).collect::<String>() + "end\n";
    let table = read_bytes((wide.clone() + &wide).as_bytes(), 100).unwrap();
    assert_eq!((table.n_rows, table.header.len()), (1, 20_001));
}

#[test]
fn only_selected_columns_are_handed_over() {
    let folder = tempfile::tempdir().unwrap();
    let path = write(folder.path(), "t.csv", b"a,b,c\n1,x,2\n3,y,2\n5,x,4\n");
    let options = ReadOptions { block_bytes: 6, ..Default::default() };
    let mut select = |header: &[String]| Ok(header.iter().map(|name| name != "a").collect());
    let mut rows = 0;
    let mut codes = vec![Vec::new(); 2];
    let mut sink = |block: &Block<'_>| {
        assert_eq!(block.first_row, rows);
        rows += block.n_rows as u64;
        for (all, new) in codes.iter_mut().zip(block.columns) {
            assert_eq!(new.len(), block.n_rows);
            all.extend_from_slice(new);
        }
        Ok(())
    };
    let scanned = scan(&path, &options, &mut select, &mut sink, &Unobserved).unwrap();
    assert_eq!(codes, [[0, 1, 0], [0, 0, 1]]);
    assert_eq!(scanned.header, ["a", "b", "c"]);
    assert_eq!(scanned.selected, [1, 2]);
    assert_eq!(scanned.dictionaries[0].iter().collect::<Vec<_>>(), ["x", "y"]);
    assert_eq!((scanned.n_rows, rows), (3, 3));
    let mut refuse = |_: &[String]| Err(sfumato_core::Error::params("no role"));
    let error = scan(&path, &options, &mut refuse, &mut sink_of_nothing, &Unobserved).unwrap_err();
    assert_eq!(error.message, "no role");
    let mut none = |header: &[String]| Ok(vec![false; header.len()]);
    let table = read(&path, &options, &mut none, &Unobserved).unwrap();
    assert_eq!((table.n_rows, table.columns.len()), (3, 0));
}

fn sink_of_nothing(_: &Block<'_>) -> Result<()> {
    Ok(())
}

#[test]
fn compressed_files() {
    let folder = tempfile::tempdir().unwrap();
    let gz = |text: &[u8]| {
        let mut encoder = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
        encoder.write_all(text).unwrap();
        encoder.finish().unwrap()
    };
    let members = [gz(b"a,b\n1,2\n"), gz(b"3,4\n")].concat();
    let frames = [
        zstd::encode_all(&b"a,b\n1,2\n"[..], 1).unwrap(),
        zstd::encode_all(&b"3,4\n"[..], 1).unwrap(),
    ]
    .concat();
    for (name, bytes, compression) in [
        ("t.csv.gz", &members, "gzip"),
        ("t.csv.zst", &frames, "zstd"),
        ("unnamed", &members, "gzip"),
    ] {
        let path = write(folder.path(), name, bytes);
        let table = read(&path, &ReadOptions::default(), &mut select_all, &Unobserved).unwrap();
        assert_eq!(rows_of(&table), [["1", "2"], ["3", "4"]]);
        assert_eq!(table.source.compression.as_deref(), Some(compression));
        assert_eq!(table.source.bytes, bytes.len() as u64);
        assert_eq!(table.source.format, "csv");
        for cut in [bytes.len() - 1, bytes.len() - 9, 25] {
            let path = write(folder.path(), name, &bytes[..cut]);
            let error =
                read(&path, &ReadOptions::default(), &mut select_all, &Unobserved).unwrap_err();
            assert_eq!(error.message, format!("the {compression} data is cut short"), "{cut}");
        }
    }
    let path = write(folder.path(), "t.csv.gz", b"a,b\n1,2\n");
    let error = read(&path, &ReadOptions::default(), &mut select_all, &Unobserved).unwrap_err();
    assert_eq!(error.message, "this isn't a gzip file, though its name says so");
}

#[test]
fn no_file_and_no_table() {
    let folder = tempfile::tempdir().unwrap();
    let of =
        |path: &str| read(path, &ReadOptions::default(), &mut select_all, &Unobserved).unwrap_err();
    assert_eq!(of("no/such.csv").to_string(), "no/such.csv: no such file");
    assert_eq!(
        of(folder.path().to_str().unwrap()).message,
        "this is a folder, and it has no tables in it"
    );
    let options = ReadOptions { delimiter: Some(b'"'), ..Default::default() };
    let path = write(folder.path(), "t.csv", b"a,b\n");
    let error = read(&path, &options, &mut select_all, &Unobserved).unwrap_err();
    assert_eq!(error.message, "a delimiter can't be a quote, a line end or NUL");
}

#[test]
fn hash_of_a_known_text() {
    let table = read_bytes(b"abc", 10).unwrap();
    assert_eq!(
        table.source.sha256,
        "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"
    );
}

#[test]
fn a_stopped_run() {
    struct Stopped;
    impl sfumato_core::observer::Observer for Stopped {
        fn begin(&self, _: &str, _: u64, _: sfumato_core::observer::Unit) {}
        fn advance(&self, _: u64) {}
        fn end(&self) {}
        fn cancelled(&self) -> bool {
            true
        }
    }
    let folder = tempfile::tempdir().unwrap();
    let path = write(folder.path(), "t.csv", b"a,b\n1,2\n");
    let error = read(&path, &ReadOptions::default(), &mut select_all, &Stopped).unwrap_err();
    assert_eq!(error.kind, sfumato_core::ErrorKind::Cancelled);
}
