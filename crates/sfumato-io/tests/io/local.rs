//! Blocks with texts of their own hold the same rows as the whole table, for every format and size
//! of a block.

use std::path::Path;
use std::sync::Arc;

use arrow_array::types::{Int8Type, Int32Type};
use arrow_array::*;
use arrow_schema::{DataType, Field, Schema};
use parquet::arrow::ArrowWriter;
use parquet::file::properties::WriterProperties;
use proptest::prelude::*;
use sfumato_core::observer::Unobserved;
use sfumato_core::{Error, FastSet};
use sfumato_io::*;

type Rows = Vec<Vec<Option<String>>>;

/// All cells by column, and how many of them were read as numbers.
fn local(path: &Path, options: &ReadOptions) -> sfumato_core::Result<(Rows, usize, Scanned)> {
    let mut columns: Rows = Vec::new();
    let (mut integers, mut rows) = (0, 0);
    let mut sink = |block: &LocalBlock<'_>| {
        assert_eq!(block.first_row, rows);
        rows += block.n_rows as u64;
        columns.resize_with(block.columns.len(), Vec::new);
        for (column, cells) in columns.iter_mut().zip(block.columns) {
            match cells {
                LocalCells::Texts { codes, texts, null } => {
                    assert_eq!(codes.len(), block.n_rows);
                    // Every text is used, and none is there twice; null isn't the empty text.
                    let used: FastSet<u32> = codes.iter().copied().collect();
                    assert_eq!(used.len(), texts.len());
                    let distinct: FastSet<(&str, bool)> = texts
                        .iter()
                        .enumerate()
                        .map(|(i, text)| (text, *null == Some(i as u32)))
                        .collect();
                    assert_eq!(distinct.len(), texts.len());
                    let cell =
                        |code: &u32| (*null != Some(*code)).then(|| texts.get(*code).to_owned());
                    column.extend(codes.iter().map(cell));
                }
                LocalCells::Integers { values, is_null } => {
                    assert_eq!(values.len(), block.n_rows);
                    assert!(
                        is_null.is_none_or(
                            |nulls| nulls.len() == values.len() && nulls.contains(&true)
                        )
                    );
                    integers += values.len();
                    let cell = |row: usize| {
                        is_null.is_none_or(|nulls| !nulls[row]).then(|| values[row].to_string())
                    };
                    column.extend((0..values.len()).map(cell));
                }
            }
        }
        Ok(())
    };
    let scanned =
        scan_local(path.to_str().unwrap(), options, &mut select_all, &mut sink, &Unobserved)?;
    assert_eq!(scanned.n_rows as u64, rows);
    assert!(scanned.dictionaries.is_empty());
    columns.resize_with(scanned.selected.len(), Vec::new);
    Ok((columns, integers, scanned))
}

/// Compare blocks with the whole table. Returns how many cells were read as numbers.
fn compare(path: &Path, options: &ReadOptions) -> usize {
    let table = read(path.to_str().unwrap(), options, &mut select_all, &Unobserved).unwrap();
    let (columns, integers, scanned) = local(path, options).unwrap();
    for (column, cells) in table.columns.iter().zip(&columns) {
        let expected: Vec<Option<String>> = column
            .codes
            .iter()
            .map(|code| (column.null != Some(code)).then(|| column.values.get(code).to_owned()))
            .collect();
        assert!(*cells == expected, "column {} of {}", column.name, path.display());
    }
    let types: Vec<Option<String>> = table.columns.iter().map(|c| c.native_type.clone()).collect();
    assert_eq!(scanned.native_types, types);
    assert_eq!(
        (scanned.header, scanned.source.sha256, scanned.source.bytes),
        (table.header, table.source.sha256.clone(), table.source.bytes)
    );
    let unhashed = local(path, &ReadOptions { hash: false, ..options.clone() }).unwrap();
    assert!(unhashed.0 == columns);
    assert_eq!(
        (unhashed.2.source.sha256.as_str(), unhashed.2.source.bytes),
        ("", table.source.bytes)
    );
    integers
}

fn batch(n: usize) -> RecordBatch {
    let every = |step: usize, value: i64| {
        move |i: usize| (!i.is_multiple_of(step)).then_some(value + i as i64)
    };
    let texts: Vec<Option<String>> =
        (0..n).map(|i| (i % 11 != 3).then(|| format!("text {}", i * i % 301))).collect();
    let repeated =
        StringArray::from(vec![Some("a"), None, Some("a"), Some(""), Some("never used")]);
    let keys = Int8Array::from_iter((0..n).map(|i| (i % 7 != 0).then_some((i % 4) as i8)));
    let dictionary = DictionaryArray::<Int8Type>::try_new(keys, Arc::new(repeated)).unwrap();
    let columns: Vec<(&str, ArrayRef)> = vec![
        ("i64", Arc::new((0..n).map(every(5, i64::MIN)).collect::<Int64Array>())),
        ("full", Arc::new((0..n as i64).collect::<Int64Array>())),
        ("i32", Arc::new((0..n).map(|i| Some(i as i32 - 50)).collect::<Int32Array>())),
        (
            "u32",
            Arc::new(
                (0..n).map(|i| (i != 2).then_some(u32::MAX - i as u32)).collect::<UInt32Array>(),
            ),
        ),
        ("u64", Arc::new((0..n).map(|i| Some(u64::MAX - i as u64 % 3)).collect::<UInt64Array>())),
        (
            "f64",
            Arc::new(
                (0..n).map(|i| (i % 3 > 0).then_some(i as f64 / 8.0)).collect::<Float64Array>(),
            ),
        ),
        ("date", Arc::new((0..n).map(|i| Some(i as i32 % 40)).collect::<Date32Array>())),
        ("bool", Arc::new((0..n).map(|i| Some(i % 2 == 0)).collect::<BooleanArray>())),
        ("utf8", Arc::new(StringArray::from(texts.clone()))),
        ("large", Arc::new(LargeStringArray::from(texts.clone()))),
        ("view", Arc::new(StringViewArray::from(texts))),
        ("dictionary", Arc::new(dictionary)),
    ];
    let fields: Vec<Field> =
        columns.iter().map(|(n, a)| Field::new(*n, a.data_type().clone(), true)).collect();
    RecordBatch::try_new(Arc::new(Schema::new(fields)), columns.into_iter().map(|c| c.1).collect())
        .unwrap()
}

#[test]
fn typed_files() {
    let folder = tempfile::tempdir().unwrap();
    let n = 1000;
    let batch = batch(n);
    let parquet = folder.path().join("a.parquet");
    // Small groups, pages and dictionaries: some pages have one, some don't, and blocks span them.
    let properties = WriterProperties::builder()
        .set_max_row_group_row_count(Some(300))
        .set_data_page_row_count_limit(70)
        .set_write_batch_size(10)
        .set_dictionary_page_size_limit(600)
        .build();
    // A dictionary whose values repeat is more than the writer of Parquet keeps apart.
    let plain = batch.project(&(0..11).collect::<Vec<_>>()).unwrap();
    let file = std::fs::File::create(&parquet).unwrap();
    let mut writer = ArrowWriter::try_new(file, plain.schema(), Some(properties)).unwrap();
    writer.write(&plain).unwrap();
    writer.close().unwrap();
    let arrow = folder.path().join("a.arrow");
    let file = std::fs::File::create(&arrow).unwrap();
    let mut writer = arrow_ipc::writer::FileWriter::try_new(file, &batch.schema()).unwrap();
    writer.write(&batch.slice(0, 400)).unwrap();
    writer.write(&batch.slice(400, 600)).unwrap();
    writer.finish().unwrap();
    for batch_rows in [1, 97, 1000, 1 << 16] {
        let options = ReadOptions { batch_rows, ..ReadOptions::default() };
        assert_eq!(compare(&parquet, &options), 4 * n);
        assert_eq!(compare(&arrow, &options), 4 * n);
    }
    let types = local(&parquet, &ReadOptions::default()).unwrap().2.native_types;
    assert_eq!(
        types[8..],
        [Some("Utf8".into()), Some("LargeUtf8".into()), Some("Utf8View".into())]
    );
}

#[test]
fn no_column_still_has_rows() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.parquet");
    let batch = batch(10).project(&[0, 8]).unwrap();
    let mut writer =
        ArrowWriter::try_new(std::fs::File::create(&path).unwrap(), batch.schema(), None).unwrap();
    writer.write(&batch).unwrap();
    writer.close().unwrap();
    let mut none = |header: &[String]| Ok(vec![false; header.len()]);
    let mut sink = |_: &LocalBlock<'_>| Err(Error::input("there is nothing to see"));
    let path = path.to_str().unwrap();
    let scanned =
        scan_local(path, &ReadOptions::default(), &mut none, &mut sink, &Unobserved).unwrap();
    assert_eq!(scanned.n_rows, 10);
    let error = scan_local(path, &ReadOptions::default(), &mut select_all, &mut sink, &Unobserved)
        .unwrap_err();
    assert_eq!(error.message, "there is nothing to see");
    assert_eq!(error.place.file.as_deref(), Some(path));
}

#[test]
fn lines_with_nulls_and_mistakes() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.jsonl");
    std::fs::write(
        &path,
        "{\"a\":1,\"b\":\"\"}\n{\"a\":null}\n\n{\"b\":\"\\u00e9\\n\",\"a\":1.5}\n",
    )
    .unwrap();
    for block_bytes in [1, 20, 1000] {
        compare(&path, &ReadOptions { block_bytes, ..ReadOptions::default() });
    }
    let bad = folder.path().join("bad.csv");
    std::fs::write(&bad, b"a,b\n1,2\n3,\xFF\n").unwrap();
    let error = local(&bad, &ReadOptions::default()).unwrap_err();
    assert_eq!((error.message.as_str(), error.place.line), ("byte 0xff isn't UTF-8", Some(3)));
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(60))]
    #[test]
    fn csv_blocks_hold_the_rows(
        cells in prop::collection::vec(("[ab0-9]{0,3}",
            "[x\",\n\u{e9}]{0,20}"), 0..60), block_bytes in 1usize..200,
        threads in 1usize..4,
    ) {
        let quote = |text: &str| format!("\"{}\"", text.replace('"', "\"\""));
        let text: String = cells.iter().map(|(a, b)| format!("{a},{}\n", quote(b))).collect();
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.csv");
        std::fs::write(&path, format!("p,q\n{text}")).unwrap();
        let options = ReadOptions { block_bytes, delimiter: Some(b','), ..ReadOptions::default() };
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        prop_assert_eq!(pool.install(|| compare(&path, &options)), 0);
    }

    #[test]
    fn arrow_batches_hold_the_rows(
        values in prop::collection::vec(prop::option::of(0i32..5), 1..50), batch_rows in 1usize..20,
            threads in 1usize..4,
    ) {
        let texts: DictionaryArray<Int32Type> =
            values.iter().map(|v| v.map(|v| ["", "a", "b",
                "a long text of many bytes", "c"][v as usize])).collect();
        let numbers: Int32Array = values.iter().copied().collect();
        let schema = Schema::new(vec![
            Field::new("t", texts.data_type().clone(), true),
            Field::new("n", DataType::Int32, true),
        ]);
        let batch = RecordBatch::try_new(Arc::new(schema),
            vec![Arc::new(texts), Arc::new(numbers)]).unwrap();
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.arrow");
        let file = std::fs::File::create(&path).unwrap();
        let mut writer = arrow_ipc::writer::StreamWriter::try_new(file, &batch.schema()).unwrap();
        writer.write(&batch).unwrap();
        writer.finish().unwrap();
        let options = ReadOptions { batch_rows, ..ReadOptions::default() };
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        prop_assert_eq!(pool.install(|| compare(&path, &options)), values.len());
    }
}
