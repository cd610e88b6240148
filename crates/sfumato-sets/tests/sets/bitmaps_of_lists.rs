//! Bitmaps of baskets in list columns: the release has list columns too.
#![allow(clippy::unwrap_used)]

use std::path::Path;

use sfumato_core::observer::Unobserved;
use sfumato_core::transactions::Transactions;
use sfumato_io::{
    AtomicFile, BasketLayout, BasketOptions, BasketWriteOptions, read_baskets, write_baskets,
};

use crate::support::Place;

const FORM: &str = "layout = \"list(column=bought)\"";
const MODEL: &str = "nonreciprocal-k-anonymity(k=2)";

fn list() -> BasketLayout {
    BasketLayout::List { column: "bought".into(), key: None }
}

/// Four baskets of a, b and c, one of them empty.
fn write(path: &Path) {
    let names = ["a", "b", "c"].map(String::from);
    let sets = Transactions::from_sets(3, [vec![0, 1], vec![0], vec![], vec![0, 2]]);
    let rows = |row: usize, codes: &mut Vec<u32>| codes.extend(sets.set(row));
    let options =
        BasketWriteOptions::for_destination(&path.display().to_string(), &list()).unwrap();
    let file = AtomicFile::create(path, false).unwrap();
    write_baskets(file, &list(), &names, 4, &rows, &options, &Unobserved)
        .unwrap()
        .commit()
        .unwrap();
}

#[test]
fn lists_stay_lists() {
    let place = Place::new();
    for extension in ["parquet", "arrow"] {
        let input = format!("log.{extension}");
        write(&place.path(&input));
        let text = format!(
            "[input]\npath = \"{input}\"\n[baskets]\n{FORM}\n[privacy]\nmodels = [\"{MODEL}\"]\n\
             [output]\npath = \"{extension}\"\n"
        );
        let report = place.run(&text).unwrap();
        assert!(report.guarantees.iter().all(|guarantee| guarantee.holds));
        let base = place.path(extension).join(format!("base.{extension}")).display().to_string();
        let read = read_baskets(&base, &list(), &BasketOptions::default(), &Unobserved).unwrap();
        assert_eq!(read.sets.len(), 4);
        let release = place.reading(extension, "", &[MODEL]);
        let original = place.reading(&input, FORM, &[]);
        let audited = place.audit("bitmaps", release, Some(original)).unwrap();
        assert!(audited.holds && audited.figures["is_true"] == true);
    }
}
