//! Long tables, lists, and tables whose columns become items.

use std::sync::Arc;

use arrow_array::builder::{
    Int32Builder, LargeListBuilder, ListBuilder, StringBuilder, UInt64Builder,
};
use arrow_array::{ArrayRef, Float64Array, Int64Array, RecordBatch};
use sfumato_io::{BasketLayout, BasketOptions, ItemColumn, ItemKind, Separator};

use super::{named, read_named, round_trip, small_blocks};

fn long(utility: Option<&str>) -> BasketLayout {
    BasketLayout::Long { id: "id".into(), item: "item".into(), utility: utility.map(str::to_owned) }
}

#[test]
fn rows_of_one_record_need_not_be_neighbours() {
    let text = b"id,item,when\nb,2,x\na,10,x\nb,1,x\nb,2,x\nc,,x\na,NA,x\n";
    let options = BasketOptions {
        dropped: vec!["when".into()],
        missing: vec!["NA".into()],
        keep_keys: true,
        ..small_blocks(9)
    };
    let read = read_named("a.csv", text, &long(None), &options).unwrap();
    assert_eq!(named(&read), [vec!["1", "2"], vec!["10"], vec![]]);
    assert_eq!(read.keys.unwrap().iter().collect::<Vec<_>>(), ["b", "a", "c"]);
    assert_eq!((read.repeated, read.missing), (1, 2));
    let message = |text: &[u8], options: &BasketOptions| {
        read_named("a.csv", text, &long(None), options).unwrap_err().to_string()
    };
    assert_eq!(
        message(text, &BasketOptions::default()),
        "a.csv: nothing is said about column 'when'"
    );
    assert_eq!(
        message(b"id,item\na,1\n,2\n", &small_blocks(5)),
        "a.csv: row 2 has no id in column 'id'"
    );
    assert_eq!(message(b"id,thing\na,1\n", &small_blocks(5)), "a.csv: there is no column 'item'");
    assert_eq!(
        message(b"id,item\na,1,2\n", &small_blocks(5)),
        "a.csv:2: line has 3 fields, the header has 2"
    );
    let numbered = BasketOptions { records: Some(3), ..small_blocks(5) };
    let read = read_named("a.csv", b"id,item\n3,x\n1,y\n", &long(None), &numbered).unwrap();
    assert_eq!(named(&read), [vec!["y"], vec![], vec!["x"]]);
    assert_eq!(
        message(b"id,item\n1,x\n4,y\n", &numbered),
        "a.csv: row 2 has no number from 1 to 3 in column 'id'"
    );
}

#[test]
fn utilities_may_stand_beside_items() {
    let text = b"id,item,worth\n1,b,2.5\n1,a,\n2,b,2.50\n2,c,0\n";
    let read = read_named("a.csv", text, &long(Some("worth")), &small_blocks(9)).unwrap();
    assert_eq!(read.names, ["a", "b", "c"]);
    assert_eq!(read.utilities.unwrap(), [None, Some(2.5), Some(0.0)]);
    let message = |text: &[u8]| {
        read_named("a.csv", text, &long(Some("worth")), &small_blocks(9)).unwrap_err().to_string()
    };
    let other = "an item is worth something else than in an earlier row in column 'worth'";
    assert_eq!(message(b"id,item,worth\n1,b,2\n2,b,3\n"), format!("a.csv: row 2: {other}"));
    for bad in ["x", "-1", "inf", "NaN"] {
        let text = format!("id,item,worth\n1,b,{bad}\n");
        assert!(
            message(text.as_bytes()).contains("row 1: what an item is worth must be a number"),
            "{bad}"
        );
    }
}

/// The bytes of an Arrow file with some columns.
fn arrow(columns: Vec<(&str, ArrayRef)>) -> Vec<u8> {
    let batch =
        RecordBatch::try_from_iter_with_nullable(columns.into_iter().map(|(n, c)| (n, c, true)))
            .unwrap();
    let mut writer = arrow_ipc::writer::FileWriter::try_new(Vec::new(), &batch.schema()).unwrap();
    writer.write(&batch).unwrap();
    writer.into_inner().unwrap()
}

fn list(key: Option<&str>) -> BasketLayout {
    BasketLayout::List { column: "items".into(), key: key.map(str::to_owned) }
}

#[test]
fn lists_of_numbers_and_texts() {
    let mut small = ListBuilder::new(Int32Builder::new());
    small.append_value([Some(7), Some(3), Some(7), None]);
    small.append_null();
    small.append_value([Some(12)]);
    let keys: ArrayRef = Arc::new(Int64Array::from(vec![5, 6, 7]));
    let file = arrow(vec![("k", keys), ("items", Arc::new(small.finish()))]);
    let options = BasketOptions { keep_keys: true, ..small_blocks(9) };
    let read = read_named("a.arrow", &file, &list(Some("k")), &options).unwrap();
    assert_eq!(named(&read), [vec!["3", "7"], vec![], vec!["12"]]);
    assert_eq!(read.keys.unwrap().iter().collect::<Vec<_>>(), ["5", "6", "7"]);
    assert!(read.numeric);
    assert_eq!((read.repeated, read.missing, read.source.bytes), (1, 1, file.len() as u64));

    let mut large = LargeListBuilder::new(UInt64Builder::new());
    large.append_value([Some(u64::MAX), Some(1)]);
    let file = arrow(vec![("items", Arc::new(large.finish()))]);
    let read = read_named("a.arrow", &file, &list(None), &BasketOptions::default()).unwrap();
    assert_eq!(read.names, ["1", "18446744073709551615"]);

    let mut texts = ListBuilder::new(StringBuilder::new());
    texts.append_value([Some("b"), Some(""), Some("a"), Some("?")]);
    texts.append_value([] as [Option<&str>; 0]);
    let file = arrow(vec![("items", Arc::new(texts.finish()))]);
    let options = BasketOptions { missing: vec!["?".into()], ..BasketOptions::default() };
    let read = read_named("a.arrow", &file, &list(None), &options).unwrap();
    assert_eq!(named(&read), [vec!["a", "b"], vec![]]);
    assert!(!read.numeric && read.missing == 2);

    let floats: ArrayRef = Arc::new(Float64Array::from(vec![1.5]));
    let file = arrow(vec![("items", floats)]);
    let error = read_named("a.arrow", &file, &list(None), &options).unwrap_err();
    assert_eq!(error.to_string(), "a.arrow: column 'items' has no lists, it is of type Float64");
    let error = read_named("a.csv", b"items\n1\n", &list(None), &options).unwrap_err();
    assert!(error.message.contains("lists are read from Parquet and Arrow files"));
}

fn column(name: &str, kind: ItemKind) -> ItemColumn {
    ItemColumn { name: name.into(), kind }
}

#[test]
fn columns_become_items() {
    let text = b"name,age,job,vip,new\nx,23,clerk,1,true\ny,25,?,0,\nz,,clerk,,FALSE\n";
    let columns = vec![
        column("vip", ItemKind::OneHot),
        column("age", ItemKind::Bucket { width: 5.0 }),
        column("new", ItemKind::OneHot),
    ];
    let layout = BasketLayout::Table {
        columns,
        rest: Some(ItemKind::Categorical),
        key: Some("name".into()),
    };
    let options = BasketOptions { missing: vec!["?".into()], keep_keys: true, ..small_blocks(20) };
    let read = read_named("a.csv", text, &layout, &options).unwrap();
    assert_eq!(read.names, ["age=[20, 25)", "age=[25, 30)", "job=clerk", "new", "vip"]);
    assert_eq!(
        named(&read),
        [vec!["age=[20, 25)", "job=clerk", "new", "vip"], vec!["age=[25, 30)"], vec!["job=clerk"]]
    );
    assert_eq!(read.keys.as_ref().unwrap().iter().collect::<Vec<_>>(), ["x", "y", "z"]);
    assert_eq!(read.missing, 2);
    for name in ["o.csv", "o.parquet", "o.arrow", "o.jsonl", "o.csv.zst"] {
        let back = round_trip(name, &read.release_layout, &read.names, &read.sets, false).unwrap();
        assert_eq!(back.with_names(&read.names).unwrap(), read.sets, "{name}");
    }
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("o.csv");
    let out = sfumato_io::AtomicFile::create(&path, false).unwrap();
    let write =
        sfumato_io::BasketWriteOptions::for_destination("o.csv", &read.release_layout).unwrap();
    // A release in another order, of which the first record is suppressed.
    let order = |record: usize, codes: &mut Vec<u32>| {
        if record > 0 {
            codes.extend(read.sets.set(2 - record));
        }
    };
    let observer = sfumato_core::observer::Unobserved;
    let out = sfumato_io::write_baskets(
        out,
        &read.release_layout,
        &read.names,
        3,
        &order,
        &write,
        &observer,
    )
    .unwrap();
    out.commit().unwrap();
    let text = std::fs::read_to_string(&path).unwrap();
    assert_eq!(text, "age,job,vip,new\n,,0,0\n\"[25, 30)\",,0,0\n\"[20, 25)\",clerk,1,1\n");
}

#[test]
fn tables_that_cannot_become_items() {
    let message = |text: &str, columns: Vec<ItemColumn>| {
        let layout = BasketLayout::Table { columns, rest: None, key: None };
        read_named("a.csv", text.as_bytes(), &layout, &small_blocks(9)).unwrap_err().to_string()
    };
    let one = |kind| vec![column("a", kind)];
    assert_eq!(
        message("a\n1\n0\n2\n", one(ItemKind::OneHot)),
        "a.csv: row 3: a cell is neither 0 nor 1, true nor false in column 'a'"
    );
    assert_eq!(
        message("a\n1\nx\n", one(ItemKind::Bucket { width: 2.0 })),
        "a.csv: row 2: a cell is no number, so it is in no range in column 'a'"
    );
    assert_eq!(
        message("a,b\n1,2\n", one(ItemKind::OneHot)),
        "a.csv: nothing is said about column 'b'"
    );
    assert_eq!(message("b\n1\n", one(ItemKind::OneHot)), "a.csv: there is no column 'a'");
    let both = vec![column("a", ItemKind::Categorical), column("a=b", ItemKind::OneHot)];
    assert_eq!(
        message("a,a=b\n1,1\n", both),
        "a.csv: items of the columns 'a' and 'a=b' can't be told apart"
    );
    assert_eq!(message("a\n1\n", vec![]), "a.csv: nothing is said about column 'a'");
}

#[test]
fn names_that_a_form_cannot_hold_are_refused() {
    let sets = sfumato_core::transactions::Transactions::from_sets(1, [vec![0]]);
    let comma = BasketLayout::Lines { separator: Separator::Char(','), key: false };
    for (layout, name) in [
        (&BasketLayout::FIMI, "a b"),
        (&BasketLayout::FIMI, ""),
        (&BasketLayout::FIMI, "a\nb"),
        (&comma, "a,b"),
        (&comma, " a"),
        (&comma, "\"a"),
        (&comma, "a\r"),
    ] {
        let error = round_trip("o.txt", layout, &[name.to_owned()], &sets, false).unwrap_err();
        assert!(error.message.ends_with("can't stand in a line of items"), "{error}");
    }
    assert!(round_trip("o.parquet", &list(None), &["x".to_owned()], &sets, true).is_err());
    assert!(round_trip("o.csv", &list(None), &["x".to_owned()], &sets, false).is_err());
    let table = BasketLayout::Table {
        columns: vec![column("a", ItemKind::Categorical)],
        rest: None,
        key: None,
    };
    let names = ["a=1", "a=2"].map(str::to_owned);
    let both = sfumato_core::transactions::Transactions::from_sets(2, [vec![0, 1]]);
    let error = round_trip("o.csv", &table, &names, &both, false).unwrap_err();
    assert_eq!(error.message, "a record has two values of column 'a'");
    let error = round_trip("o.csv", &table, &["b=1".to_owned()], &sets, false).unwrap_err();
    assert_eq!(error.message, "item 'b=1' belongs to no column of the table");
}
