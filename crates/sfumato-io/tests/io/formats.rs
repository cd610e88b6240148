//! Round trips through every format, with types and nulls. A file must hold nothing but its rows.

use std::path::Path;
use std::str::FromStr;
use std::sync::Arc;

use arrow_array::types::Int32Type;
use arrow_array::*;
use arrow_schema::{DataType, Field, IntervalUnit, Schema, TimeUnit};
use parquet::arrow::ArrowWriter;
use proptest::prelude::*;
use sfumato_core::column::{Codes, Dictionary, RawTable};
use sfumato_core::observer::Unobserved;
use sfumato_io::*;

fn texts(table: &RawTable) -> Vec<Vec<Option<String>>> {
    let cell = |c: &sfumato_core::column::RawColumn, row| {
        let code = c.codes.get(row);
        (c.null != Some(code)).then(|| c.values.get(code).to_owned())
    };
    (0..table.n_rows).map(|row| table.columns.iter().map(|c| cell(c, row)).collect()).collect()
}

fn read_all(path: &Path, options: &ReadOptions) -> sfumato_core::Result<RawTable> {
    read(path.to_str().unwrap(), options, &mut select_all, &Unobserved)
}

fn write_table(table: &RawTable, dest: &Path, order: &[u32]) -> sfumato_core::Result<()> {
    let ordered: Vec<Codes> = table.columns.iter().map(|c| c.codes.gather(order)).collect();
    let columns: Vec<WriteColumn<'_>> = table
        .columns
        .iter()
        .zip(&ordered)
        .map(|(c, codes)| WriteColumn {
            name: &c.name,
            values: &c.values,
            null: c.null,
            native_type: c.native_type.as_deref(),
            source: codes,
        })
        .collect();
    let file = AtomicFile::create(dest, false)?;
    let options = WriteOptions::for_destination(dest.to_str().unwrap())?;
    write_rows(file, &columns, order.len(), &options, &Unobserved)?.commit()
}

/// One column of every type that can be read, with a null in each.
pub(crate) fn typed_batch() -> RecordBatch {
    let mut columns: Vec<(&str, ArrayRef)> = vec![
        ("bool", Arc::new(BooleanArray::from(vec![Some(true), None, Some(false)]))),
        ("i8", Arc::new(Int8Array::from(vec![Some(-128), None, Some(127)]))),
        ("i16", Arc::new(Int16Array::from(vec![Some(-1), None, Some(3)]))),
        ("i32", Arc::new(Int32Array::from(vec![Some(i32::MIN), None, Some(7)]))),
        ("i64", Arc::new(Int64Array::from(vec![Some(i64::MIN), None, Some(i64::MAX)]))),
        ("u8", Arc::new(UInt8Array::from(vec![Some(255), None, Some(0)]))),
        ("u64", Arc::new(UInt64Array::from(vec![Some(u64::MAX), None, Some(1)]))),
        ("f32", Arc::new(Float32Array::from(vec![Some(0.1), None, Some(-3.0e-30)]))),
        ("f64", Arc::new(Float64Array::from(vec![Some(0.1 + 0.2), None, Some(1e300)]))),
        ("weird", Arc::new(Float64Array::from(vec![Some(f64::INFINITY), None, Some(-0.0)]))),
        ("utf8", Arc::new(StringArray::from(vec![Some(""), None, Some("x,\"y\"\n\u{e9}")]))),
        ("large", Arc::new(LargeStringArray::from(vec![Some("a"), None, Some("b")]))),
        (
            "view",
            Arc::new(StringViewArray::from(vec![
                Some("a text longer than twelve"),
                None,
                Some("b"),
            ])),
        ),
        ("date32", Arc::new(Date32Array::from(vec![Some(0), None, Some(-719_162)]))),
        ("date64", Arc::new(Date64Array::from(vec![Some(86_400_000), None, Some(0)]))),
        ("t32", Arc::new(Time32MillisecondArray::from(vec![Some(1), None, Some(86_399_999)]))),
        (
            "t64",
            Arc::new(Time64NanosecondArray::from(vec![Some(1), None, Some(86_399_999_999_999)])),
        ),
        (
            "ts",
            Arc::new(TimestampMicrosecondArray::from(vec![
                Some(1),
                None,
                Some(-62_000_000_000_000_000),
            ])),
        ),
        (
            "ts_offset",
            Arc::new(
                TimestampSecondArray::from(vec![Some(1), None, Some(1_700_000_000)])
                    .with_timezone("+02:00"),
            ),
        ),
        (
            "ts_zone",
            Arc::new(
                TimestampNanosecondArray::from(vec![
                    Some(1),
                    None,
                    Some(1_700_000_000_123_456_789),
                ])
                .with_timezone("Europe/Berlin"),
            ),
        ),
        (
            "d128",
            Arc::new(
                Decimal128Array::from(vec![Some(-12345), None, Some(5)])
                    .with_precision_and_scale(20, 2)
                    .unwrap(),
            ),
        ),
        ("months", Arc::new(IntervalYearMonthArray::from(vec![Some(13), None, Some(-1)]))),
    ];
    let dictionary: DictionaryArray<Int32Type> =
        vec![Some("p"), None, Some("p")].into_iter().collect();
    columns.push(("dictionary", Arc::new(dictionary)));
    let fields: Vec<Field> =
        columns.iter().map(|(n, a)| Field::new(*n, a.data_type().clone(), true)).collect();
    RecordBatch::try_new(Arc::new(Schema::new(fields)), columns.into_iter().map(|c| c.1).collect())
        .unwrap()
}

fn save_parquet(batch: &RecordBatch, path: &Path) {
    let file = std::fs::File::create(path).unwrap();
    let mut writer = ArrowWriter::try_new(file, batch.schema(), None).unwrap();
    writer.write(batch).unwrap();
    writer.close().unwrap();
}

fn save_ipc(batch: &RecordBatch, path: &Path) {
    let file = std::fs::File::create(path).unwrap();
    let mut writer = arrow_ipc::writer::FileWriter::try_new(file, &batch.schema()).unwrap();
    writer.write(batch).unwrap();
    writer.finish().unwrap();
}

#[test]
fn every_type_survives() {
    let folder = tempfile::tempdir().unwrap();
    let batch = typed_batch();
    for extension in ["parquet", "arrow"] {
        let first = folder.path().join(format!("first.{extension}"));
        // Parquet has no intervals of months.
        let width = batch.num_columns();
        let kept: Vec<usize> = (0..width)
            .filter(|&i| extension == "arrow" || batch.schema().field(i).name() != "months")
            .collect();
        let batch = batch.project(&kept).unwrap();
        if extension == "parquet" {
            save_parquet(&batch, &first)
        } else {
            save_ipc(&batch, &first)
        }
        let table = read_all(&first, &ReadOptions::default()).unwrap();
        assert_eq!(table.n_rows, 3);
        assert_eq!(table.source.format, extension);
        assert_eq!(table.source.bytes, std::fs::metadata(&first).unwrap().len());
        let rows = texts(&table);
        assert!(rows[1].iter().all(Option::is_none), "{:?}", rows[1]);
        let second = folder.path().join(format!("second.{extension}"));
        write_table(&table, &second, &[0, 1, 2]).unwrap();
        let again = read_all(&second, &ReadOptions::default()).unwrap();
        assert_eq!(texts(&again), rows);
        for (a, b) in table.columns.iter().zip(&again.columns) {
            assert_eq!((&a.name, &a.native_type), (&b.name, &b.native_type));
            assert!(a.native_type.is_some(), "{}", a.name);
        }
        // Not only the texts: the values themselves.
        let values = if extension == "parquet" {
            let file = std::fs::File::open(&second).unwrap();
            let reader =
                parquet::arrow::arrow_reader::ParquetRecordBatchReader::try_new(file, 10).unwrap();
            reader.into_iter().next().unwrap().unwrap()
        } else {
            let file = std::fs::File::open(&second).unwrap();
            arrow_ipc::reader::FileReader::try_new(file, None).unwrap().next().unwrap().unwrap()
        };
        for (field, (old, new)) in
            batch.schema().fields().iter().zip(batch.columns().iter().zip(values.columns()))
        {
            if !matches!(field.data_type(), DataType::Dictionary(..)) {
                assert_eq!(old.to_data(), new.to_data(), "{extension} {}", field.name());
            }
        }
    }
}

#[test]
fn texts_of_types() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("t.arrow");
    save_ipc(&typed_batch(), &path);
    let table = read_all(&path, &ReadOptions::default()).unwrap();
    let of = |name: &str, row| {
        let column = table.column(name).unwrap();
        column.values.get(column.codes.get(row)).to_owned()
    };
    assert_eq!(of("f64", 0), "0.30000000000000004");
    assert_eq!(of("f32", 0), "0.1");
    assert_eq!(of("bool", 2), "false");
    assert_eq!(of("d128", 0), "-123.45");
    assert_eq!(of("date32", 0), "1970-01-01");
    assert_eq!(of("ts", 0), "1970-01-01T00:00:00.000001");
    assert_eq!(of("ts_offset", 0), "1970-01-01T02:00:01+02:00");
    assert_eq!(of("ts_zone", 0), "1970-01-01T00:00:00.000000001Z");
    assert_eq!(
        table.column("ts_zone").unwrap().native_type.as_deref(),
        Some("Timestamp(ns, \"Europe/Berlin\")")
    );
    assert_eq!(table.column("dictionary").unwrap().native_type.as_deref(), Some("Utf8"));
}

#[test]
fn native_types_can_be_parsed_back() {
    let types = [
        DataType::Int64,
        DataType::Date64,
        DataType::Decimal128(20, -2),
        DataType::Decimal256(76, 10),
        DataType::Time64(TimeUnit::Microsecond),
        DataType::Timestamp(TimeUnit::Microsecond, None),
        DataType::Timestamp(TimeUnit::Nanosecond, Some("UTC".into())),
        DataType::Interval(IntervalUnit::MonthDayNano),
        DataType::Duration(TimeUnit::Second),
    ];
    for data_type in types {
        assert_eq!(DataType::from_str(&data_type.to_string()).unwrap(), data_type);
    }
}

/// A table with many rows, nulls, repeated and unique values, which every format can hold.
fn mixed(n: usize) -> RecordBatch {
    let ids = Int64Array::from_iter_values((0..n as i64).map(|i| i * 7));
    let groups =
        StringArray::from_iter((0..n).map(|i| (i % 11 != 3).then(|| format!("group {}", i % 5))));
    let reals = Float64Array::from_iter((0..n).map(|i| (i % 7 != 0).then_some(i as f64 / 8.0)));
    let flags = BooleanArray::from_iter((0..n).map(|i| (i % 13 != 5).then_some(i % 3 == 0)));
    let columns: Vec<(&str, ArrayRef)> = vec![
        ("id", Arc::new(ids)),
        ("group", Arc::new(groups)),
        ("real", Arc::new(reals)),
        ("flag", Arc::new(flags)),
    ];
    RecordBatch::try_from_iter_with_nullable(columns.into_iter().map(|(n, a)| (n, a, true)))
        .unwrap()
}

#[test]
fn formats_agree_in_any_batches_and_threads() {
    let folder = tempfile::tempdir().unwrap();
    let first = folder.path().join("first.parquet");
    save_parquet(&mixed(5000), &first);
    let table = read_all(&first, &ReadOptions::default()).unwrap();
    let rows = texts(&table);
    assert_eq!(rows.len(), 5000);
    let order: Vec<u32> = (0..5000).rev().collect();
    for name in ["t.parquet", "t.arrow", "t.jsonl", "t.jsonl.gz", "t.jsonl.zst"] {
        let path = folder.path().join(name);
        write_table(&table, &path, &order).unwrap();
        let mut results = Vec::new();
        for (threads, small) in [(1, false), (2, true), (1, true)] {
            let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
            let options = if small {
                ReadOptions { batch_rows: 97, block_bytes: 100, ..Default::default() }
            } else {
                ReadOptions::default()
            };
            let again = pool.install(|| read_all(&path, &options)).unwrap();
            let mut again_rows = texts(&again);
            again_rows.reverse();
            assert_eq!(again_rows, rows, "{name}");
            assert_eq!(again.source.bytes, std::fs::metadata(&path).unwrap().len());
            for (a, b) in table.columns.iter().zip(&again.columns) {
                assert_eq!(a.native_type, b.native_type, "{name} {}", a.name);
            }
            results.push(again);
        }
        for other in &results[1..] {
            for (a, b) in results[0].columns.iter().zip(&other.columns) {
                assert_eq!((&a.codes, &a.values, a.null), (&b.codes, &b.values, b.null), "{name}");
            }
        }
    }
}

#[test]
fn nothing_but_the_rows_is_in_the_file() {
    let folder = tempfile::tempdir().unwrap();
    let values: Dictionary =
        ["published-value", "SECRET-UNUSED-VALUE", "another-published"].into_iter().collect();
    let numbers: Dictionary = ["1111", "987654321", "2222"].into_iter().collect();
    let codes = Codes::U8(vec![0, 0, 2, 1]);
    for view in [Some("Utf8View"), Some("LargeUtf8"), Some("Utf8"), None] {
        let column = |name, values, native_type| WriteColumn {
            name,
            values,
            null: None,
            native_type,
            source: &codes,
        };
        let columns = [column("text", &values, view), column("number", &numbers, Some("Int64"))];
        for name in ["t.parquet", "t.arrow", "t.csv", "t.jsonl"] {
            let path = folder.path().join(name);
            let file = AtomicFile::create(&path, false).unwrap();
            let options = WriteOptions::for_destination(name).unwrap();
            // The row with the secret isn't among those written.
            write_rows(file, &columns, 3, &options, &Unobserved).unwrap().commit().unwrap();
            let bytes = std::fs::read(&path).unwrap();
            let has = |needle: &[u8]| memchr::memmem::find(&bytes, needle).is_some();
            assert!(!has(b"SECRET"), "{name}");
            assert!(!has(&987_654_321i64.to_le_bytes()[..4]), "{name}");
            assert!(!has(b"pandas"), "{name}");
            let again = read_all(&path, &ReadOptions::default()).unwrap();
            assert_eq!(again.n_rows, 3);
            assert_eq!(again.columns[0].values.len(), 2, "{name}");
        }
        // What small files keep uncompressed in pages can hide behind compression: look at the
        // metadata too.
        let file = std::fs::File::open(folder.path().join("t.parquet")).unwrap();
        let reader = parquet::file::reader::SerializedFileReader::new(file).unwrap();
        let metadata = parquet::file::reader::FileReader::metadata(&reader);
        assert_eq!(metadata.file_metadata().created_by(), Some("sfumato"));
        let keys = metadata.file_metadata().key_value_metadata().unwrap();
        assert_eq!(keys.iter().map(|k| k.key.as_str()).collect::<Vec<_>>(), ["ARROW:schema"]);
        for column in metadata.row_group(0).columns() {
            assert!(column.statistics().is_none());
            assert!(column.column_index_offset().is_none());
            assert!(column.offset_index_offset().is_none());
            assert!(column.bloom_filter_offset().is_none());
        }
    }
}

#[test]
fn nested_columns_are_refused_by_name_unless_skipped() {
    let folder = tempfile::tempdir().unwrap();
    let list = ListArray::from_iter_primitive::<Int32Type, _, _>(vec![Some(vec![Some(1)])]);
    let plain = Int32Array::from(vec![1]);
    let batch = RecordBatch::try_from_iter(vec![
        ("plain", Arc::new(plain) as ArrayRef),
        ("list", Arc::new(list) as ArrayRef),
        ("raw", Arc::new(BinaryArray::from(vec![&b"x"[..]])) as ArrayRef),
    ])
    .unwrap();
    for name in ["t.parquet", "t.arrow"] {
        let path = folder.path().join(name);
        if name == "t.parquet" {
            save_parquet(&batch, &path)
        } else {
            save_ipc(&batch, &path)
        }
        let error = read_all(&path, &ReadOptions::default()).unwrap_err();
        assert!(error.message.starts_with("column 'list' has type List("), "{error}");
        let mut select = |header: &[String]| Ok(header.iter().map(|n| n == "plain").collect());
        let table = read(path.to_str().unwrap(), &ReadOptions::default(), &mut select, &Unobserved)
            .unwrap();
        assert_eq!((table.n_rows, table.columns.len()), (1, 1));
        let mut none = |header: &[String]| Ok(vec![false; header.len()]);
        let table =
            read(path.to_str().unwrap(), &ReadOptions::default(), &mut none, &Unobserved).unwrap();
        assert_eq!((table.n_rows, table.columns.len(), table.header.len()), (1, 0, 3));
    }
}

#[test]
fn damaged_files_are_errors() {
    let folder = tempfile::tempdir().unwrap();
    for name in ["t.parquet", "t.arrow"] {
        let path = folder.path().join(name);
        if name == "t.parquet" {
            save_parquet(&mixed(100), &path)
        } else {
            save_ipc(&mixed(100), &path)
        }
        let bytes = std::fs::read(&path).unwrap();
        for cut in [7, 30, bytes.len() / 2, bytes.len() - 1] {
            std::fs::write(&path, &bytes[..cut]).unwrap();
            let error = read_all(&path, &ReadOptions::default()).unwrap_err();
            assert_eq!(error.kind, sfumato_core::ErrorKind::Input, "{error}");
        }
        std::fs::write(&path, b"a,b\n1,2\n").unwrap();
        let error = read_all(&path, &ReadOptions::default()).unwrap_err();
        assert!(error.message.starts_with("this isn't a"), "{error}");
    }
    // The first bytes are believed more than the name.
    let path = folder.path().join("t.csv");
    save_parquet(&mixed(10), &path);
    assert_eq!(read_all(&path, &ReadOptions::default()).unwrap().source.format, "parquet");
}

#[test]
fn arrow_streams() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("t.arrows");
    let batch = mixed(50);
    let file = std::fs::File::create(&path).unwrap();
    let mut writer = arrow_ipc::writer::StreamWriter::try_new(file, &batch.schema()).unwrap();
    writer.write(&batch).unwrap();
    writer.write(&batch).unwrap();
    writer.finish().unwrap();
    let table = read_all(&path, &ReadOptions::default()).unwrap();
    assert_eq!(table.n_rows, 100);
    assert_eq!(table.source.bytes, std::fs::metadata(&path).unwrap().len());
}

fn read_lines(text: &str) -> sfumato_core::Result<RawTable> {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("t.jsonl");
    std::fs::write(&path, text).unwrap();
    let options = ReadOptions { block_bytes: 7, ..Default::default() };
    read_all(&path, &options).map_err(|mut e| {
        e.place.file = Some("t.jsonl".into());
        e
    })
}

#[test]
fn json_lines() {
    let table = read_lines(
        "\u{FEFF}{\"a\": 1, \"b\": \"x\\ny\"}\n\n{\"b\": null, \"c\": true}\r\n\
            {\"c\":false,\"a\":2.50,\"d\":\"\"}",
    )
    .unwrap();
    assert_eq!(table.header, ["a", "b", "c", "d"]);
    let some = |s: &str| Some(s.to_owned());
    let expected = [
        vec![some("1"), some("x\ny"), None, None],
        vec![None, None, some("true"), None],
        vec![some("2.50"), None, some("false"), some("")],
    ];
    assert_eq!(texts(&table), expected);
    let types: Vec<_> = table.columns.iter().map(|c| c.native_type.as_deref()).collect();
    assert_eq!(types, [Some("Float64"), Some("Utf8"), Some("Boolean"), Some("Utf8")]);
    // Numbers are written as they were read.
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("t.jsonl");
    write_table(&table, &path, &[2, 0]).unwrap();
    let written = std::fs::read_to_string(&path).unwrap();
    let lines = [
        "{\"a\":2.50,\"b\":null,\"c\":false,\"d\":\"\"}\n",
        "{\"a\":1,\"b\":\"x\\ny\",\"c\":null,\"d\":null}\n",
    ];
    assert_eq!(written, lines.concat());
}

#[test]
fn mistakes_in_json_lines() {
    let message = |text: &str| read_lines(text).unwrap_err().to_string();
    assert_eq!(message(""), "t.jsonl: the file has no object with a key");
    assert_eq!(message("{}\n"), "t.jsonl: the file has no object with a key");
    assert_eq!(
        message("{\"a\":\"x\\ny\"}\n{\"a\":[1]}\n"),
        "t.jsonl:2:6: 'a' holds a list or an object, not a plain value"
    );
    assert_eq!(
        message("{\"a\":1}\n\n{\"a\":1,\"a\":2}"),
        "t.jsonl:3:8: this key occurs twice in the object"
    );
    assert_eq!(message("[1]\n"), "t.jsonl:1:1: a JSON object must begin here");
    assert_eq!(message("{\"\":1}\n"), "t.jsonl: column 1 has no name in the header");
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(60))]
    #[test]
    fn csv_round_trip(
        cells in proptest::collection::vec("[ab,;\"\n\r\t|\u{e9}\u{FEFF} ]{0,5}", 1..60),
        width in 1usize..4,
        crlf in any::<bool>(),
        delimiter in prop_oneof![Just(b','), Just(b';'), Just(b'\t'), Just(b'|')],
    ) {
        let n_rows = cells.len() / width;
        let mut dictionaries = vec![Dictionary::new(); width];
        for (i, cell) in cells[..n_rows * width].iter().enumerate() {
            dictionaries[i % width].push(cell);
        }
        let codes = Codes::from_iter(n_rows, 0..n_rows as u32);
        let names: Vec<String> = (0..width).map(|i| format!("c;{i}\"")).collect();
        let columns: Vec<WriteColumn<'_>> = dictionaries.iter().zip(&names).map(|(values, name)| {
            WriteColumn { name, values, null: None, native_type: None, source: &codes }
        }).collect();
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("t.csv");
        for compression in [None, Some(Compression::Gzip), Some(Compression::Zstd)] {
            let file = AtomicFile::create(&path, true).unwrap();
            let options = WriteOptions { format: Format::Csv, compression, delimiter, crlf };
            write_rows(file, &columns, n_rows, &options, &Unobserved).unwrap().commit().unwrap();
            let options =
                ReadOptions { delimiter: Some(delimiter), block_bytes: 16, ..Default::default() };
            let table = read_all(&path, &options).unwrap();
            prop_assert_eq!(&table.header, &names);
            prop_assert_eq!(table.n_rows, n_rows);
            prop_assert_eq!(table.source.crlf, crlf);
            for (i, row) in texts(&table).into_iter().enumerate() {
                for (j, cell) in row.into_iter().enumerate() {
                    prop_assert_eq!(cell.as_deref(), Some(dictionaries[j].get(i as u32)));
                }
            }
        }
    }
}
