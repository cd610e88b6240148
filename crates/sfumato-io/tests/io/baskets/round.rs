//! What was written is read back, in every layout and format. Random bytes are read or refused, and
//! never cause anything worse.

use proptest::prelude::*;
use sfumato_core::transactions::Transactions;
use sfumato_io::{BasketLayout, BasketOptions, ItemColumn, ItemKind, Separator};

use super::{read_named, round_trip, small_blocks};

/// Items, and records of them.
fn baskets(name: &'static str) -> impl Strategy<Value = (Vec<String>, Transactions)> {
    (
        prop::collection::btree_set(name, 1..9),
        prop::collection::vec(prop::collection::vec(0u32..8, 0..6), 0..12),
    )
        .prop_map(|(names, lists)| {
            let n = names.len();
            let lists = lists
                .into_iter()
                .map(|list| list.into_iter().map(|item| item % n as u32).collect());
            (names.into_iter().collect(), Transactions::from_sets(n, lists))
        })
}

fn comes_back(
    file: &str,
    layout: &BasketLayout,
    names: &[String],
    sets: &Transactions,
    numeric: bool,
) -> Result<(), TestCaseError> {
    let back = round_trip(file, layout, names, sets, numeric);
    let back = back.map_err(|error| TestCaseError::fail(format!("{file}: {error}")))?;
    prop_assert_eq!(&back.release_layout, layout);
    prop_assert_eq!(back.repeated, 0);
    prop_assert_eq!(&back.with_names(names).unwrap(), sets, "{}", file);
    Ok(())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(24))]

    #[test]
    fn numbers_come_back((names, sets) in baskets("0|[1-9][0-9]{0,5}")) {
        let comma = BasketLayout::Lines { separator: Separator::Char(','), key: false };
        let list = BasketLayout::List { column: "items".into(), key: None };
        let long = BasketLayout::Long { id: "id".into(), item: "item".into(), utility: None };
        comes_back("o.dat", &BasketLayout::FIMI, &names, &sets, false)?;
        comes_back("o.dat.gz", &comma, &names, &sets, false)?;
        for numeric in [false, true] {
            comes_back("o.parquet", &list, &names, &sets, numeric)?;
            comes_back("o.arrow", &list, &names, &sets, numeric)?;
            comes_back("o.parquet", &long, &names, &sets, numeric)?;
            // JSON lines without a row name no column.
            if sets.n_instances() > 0 {
                comes_back("o.jsonl", &long, &names, &sets, numeric)?;
            }
        }
    }

    #[test]
    fn names_come_back((names, sets) in baskets("[a-z0-9é=;\"][a-z ,=\"]{0,20}[a-z\\]]")) {
        let lines = BasketLayout::Lines { separator: Separator::Char('\t'), key: false };
        let list = BasketLayout::List { column: "items".into(), key: None };
        let long = BasketLayout::Long { id: "who".into(), item:
            "what, exactly".into(), utility: None };
        if names.iter().all(|name| !name.starts_with('"')) {
            comes_back("o.txt.zst", &lines, &names, &sets, false)?;
        }
        comes_back("o.parquet", &list, &names, &sets, false)?;
        comes_back("o.csv", &long, &names, &sets, false)?;
        comes_back("o.arrow", &long, &names, &sets, false)?;
    }

    #[test]
    fn tables_come_back((names, sets) in baskets("[a-z]{1,3}"), kind in 0usize..3) {
        // The first item of each record is its value of a column, too.
        let columns: Vec<ItemColumn> =
            names.iter().map(|name| ItemColumn { name: format!("{name}!"), kind: ItemKind::OneHot })
            .chain([ItemColumn { name: "first".into(), kind: ItemKind::Categorical }]).collect();
        let n = names.len() as u32;
        let all: Vec<String> = names.iter().map(|name| format!("{name}!"))
            .chain(names.iter().map(|name| format!("first={name}"))).collect();
        let wide = (0..sets.len()).map(|i| {
            let set = sets.set(i);
            set.iter().copied().chain(set.first().map(|item| item + n)).collect()
        });
        let wide = Transactions::from_sets(all.len(), wide);
        let layout = BasketLayout::Table { columns, rest: None, key: None };
        if !sets.is_empty() {
            comes_back(["o.csv", "o.parquet", "o.jsonl"][kind], &layout, &all, &wide, false)?;
        }
    }

    #[test]
    fn random_bytes_are_read_or_refused(
        bytes in prop::collection::vec(prop_oneof![8 => prop::sample::select(
            b"0123456789 \t\n\r,ab\"".to_vec()), 1 => any::<u8>()], 0..200),
        block in 1usize..40,
        key: bool,
        comma: bool,
    ) {
        let separator = if comma { Separator::Char(',') } else { Separator::Blank };
        let layout = BasketLayout::Lines { separator, key };
        let options = BasketOptions { keep_keys: true, ..BasketOptions::default() };
        let whole = read_named("a", &bytes, &layout, &options);
        let parts = read_named("a", &bytes, &layout,
            &BasketOptions { keep_keys: true, ..small_blocks(block) });
        match (whole, parts) {
            (Ok(whole), Ok(parts)) => {
                prop_assert_eq!(&whole.names, &parts.names);
                prop_assert_eq!(&whole.sets, &parts.sets);
                prop_assert_eq!(&whole.keys, &parts.keys);
                prop_assert_eq!(whole.repeated, parts.repeated);
                let none: Vec<&String> =
                    whole.names.iter().filter(|name| name.is_empty()).collect();
                prop_assert!(none.is_empty());
            }
            (Err(whole), Err(parts)) => prop_assert_eq!(whole.to_string(), parts.to_string()),
            (whole, parts) => prop_assert!(false, "{:?} {:?}", whole.err(), parts.err()),
        }
    }
}
