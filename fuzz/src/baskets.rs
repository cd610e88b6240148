//! Baskets in every layout that is text, and what items are worth: read or refused, the same in
//! small blocks as in one.

use sfumato_core::observer::Unobserved;
use sfumato_io::{
    BasketLayout, BasketOptions, ItemColumn, ItemKind, ReadOptions, Separator, parse_utilities,
    read_baskets,
};

use crate::targets::{shape, with_file};

/// Lines of numbers and of names, with and without keys, a long table, a table of items, and
/// utilities.
pub fn samples() -> Vec<Vec<u8>> {
    let samples = [
        "1 2 3\n\n65535 7\t9 7\r\n99999 1",
        "whole milk,beer\nbeer, bread\n\nx",
        "k1,1,2\nk2,\nk3,7,9\n",
        "id,item,worth\n1,a,2\n1,b,\n2,a,2.0\n",
        "a,b,c\n1,x,23\n0,,4.5\ntrue,y,\n",
        "item,utility\n1,2.5\nx;3\n\"a, b\" 4\n",
    ];
    samples.iter().map(|text| text.as_bytes().to_vec()).collect()
}

/// Read an input in every layout.
pub fn feed(input: &[u8]) -> String {
    let lines = |separator, key| BasketLayout::Lines { separator, key };
    let column = |name: &str, kind| ItemColumn { name: name.into(), kind };
    let forms = [
        lines(Separator::Blank, false),
        lines(Separator::Blank, true),
        lines(Separator::Char(','), false),
        lines(Separator::Char(','), true),
        lines(Separator::Char('é'), false),
        BasketLayout::Long { id: "id".into(), item: "item".into(), utility: Some("worth".into()) },
        BasketLayout::Table {
            columns: vec![
                column("a", ItemKind::OneHot),
                column("c", ItemKind::Bucket { width: 0.5 }),
            ],
            rest: Some(ItemKind::Categorical),
            key: None,
        },
        BasketLayout::List { column: "a".into(), key: None },
    ];
    let mut answers: Vec<String> = forms.iter().map(|layout| read(input, layout)).collect();
    if let Ok(text) = std::str::from_utf8(input) {
        let names = ["1", "a, b", "x"].map(str::to_owned);
        answers.push(match parse_utilities(text, &names) {
            Ok(utilities) => format!("{} utilities", utilities.len()),
            Err(error) => shape(&error.message),
        });
    }
    answers.join("; ")
}

fn read(input: &[u8], layout: &BasketLayout) -> String {
    with_file(input, ".txt", |path| {
        let file = ReadOptions { block_bytes: 1 + input.len() % 64, ..ReadOptions::default() };
        let missing = vec!["?".to_owned(), "7".to_owned()];
        let small = BasketOptions {
            file,
            missing: missing.clone(),
            keep_keys: true,
            ..BasketOptions::default()
        };
        let large = BasketOptions { missing, keep_keys: true, ..BasketOptions::default() };
        let whole = read_baskets(path, layout, &large, &Unobserved);
        match (read_baskets(path, layout, &small, &Unobserved), whole) {
            (Ok(parts), Ok(whole)) => {
                assert!(
                    parts.names == whole.names && parts.sets == whole.sets,
                    "blocks change what is read"
                );
                assert!(
                    parts.keys == whole.keys && parts.utilities == whole.utilities,
                    "blocks change keys"
                );
                format!("{} items", whole.names.len().min(3))
            }
            (Err(parts), Err(whole)) => {
                assert!(whole.kind != sfumato_core::ErrorKind::Internal, "{whole}");
                assert!(
                    parts.message == whole.message,
                    "blocks change the error: {parts}, {whole}"
                );
                shape(&whole.message)
            }
            (parts, whole) => panic!("only blocks decide: {:?}, {:?}", parts.err(), whole.err()),
        }
    })
}
