//! Keys that the writer of a file gives to its records, such as the groups of a bucket release.

use std::path::Path;

use sfumato_core::observer::Unobserved;
use sfumato_core::transactions::Transactions;
use sfumato_io::{
    AtomicFile, BasketLayout, BasketOptions, BasketWriteOptions, ItemColumn, ItemKind, Keyed,
    Separator, read_baskets, write_baskets,
};

#[test]
fn every_form_with_keys_gives_them_back() {
    let names: Vec<String> = ["a", "b"].map(String::from).to_vec();
    let sets = Transactions::from_sets(2, [vec![0, 1], vec![], vec![1], vec![]]);
    let keys = [7, 30, 7, 4_000_000_000];
    let one_hot = |name: &str| ItemColumn { name: name.into(), kind: ItemKind::OneHot };
    let key = Some("group".to_string());
    for (file, layout) in [
        ("lines.dat", BasketLayout::Lines { separator: Separator::Blank, key: true }),
        ("lines.csv.gz", BasketLayout::Lines { separator: Separator::Char(','), key: true }),
        ("list.parquet", BasketLayout::List { column: "items".into(), key: key.clone() }),
        ("list.arrow", BasketLayout::List { column: "items".into(), key: key.clone() }),
        (
            "table.csv",
            BasketLayout::Table {
                columns: vec![one_hot("a"), one_hot("b")],
                rest: None,
                key: key.clone(),
            },
        ),
        (
            "table.parquet",
            BasketLayout::Table { columns: vec![one_hot("a"), one_hot("b")], rest: None, key },
        ),
    ] {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join(file);
        let options = BasketWriteOptions::for_destination(file, &layout).unwrap();
        let out = AtomicFile::create(Path::new(&path), false).unwrap();
        let records = Keyed { records: &sets, keys: &keys };
        write_baskets(out, &layout, &names, 4, &records, &options, &Unobserved)
            .unwrap()
            .commit()
            .unwrap();
        let options = BasketOptions { keep_keys: true, ..BasketOptions::default() };
        let read = read_baskets(path.to_str().unwrap(), &layout, &options, &Unobserved).unwrap();
        let read_keys: Vec<String> = read.keys.clone().unwrap().iter().map(String::from).collect();
        assert_eq!(read_keys, keys.map(|key| key.to_string()), "{file}");
        assert_eq!(read.with_names(&names).unwrap(), sets, "{file}");
    }
}

#[test]
fn a_row_for_each_item_has_no_place_for_keys() {
    let folder = tempfile::tempdir().unwrap();
    let layout = BasketLayout::Long { id: "id".into(), item: "item".into(), utility: None };
    let options = BasketWriteOptions::for_destination("a.csv", &layout).unwrap();
    let out = AtomicFile::create(&folder.path().join("a.csv"), false).unwrap();
    let sets = Transactions::from_sets(1, [vec![0]]);
    let records = Keyed { records: &sets, keys: &[1] };
    let written = write_baskets(out, &layout, &["a".into()], 1, &records, &options, &Unobserved);
    assert!(written.unwrap_err().message.contains("no place for keys"));
}
