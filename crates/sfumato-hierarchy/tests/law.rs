//! What must hold for every builder, on any column: each value is a leaf once, levels nest, and
//! numbers keep their order. A new builder is covered as soon as it stands in the list and has a
//! line in `calls`.

use proptest::prelude::*;
use sfumato_core::FastMap;
use sfumato_core::dataset::{Domain, Hierarchy, LevelTable, ValueKind};
use sfumato_core::error::{ErrorKind, Result};
use sfumato_core::registry::{Call, Params};
use sfumato_core::traits::{BuildInput, Builder};
use sfumato_hierarchy::{ALL, Unknown, attach, check, draw, find, guess, to_csv};

/// Calls of a builder, each for some kind of column.
fn calls(name: &str) -> &'static [&'static str] {
    match name {
        "file" => &["file(path=given)", "file(path=given, separator=\"|\")"],
        "tree" => &["tree(path=given.json)"],
        "interval" => &[
            "interval(width=5, levels=4)",
            "interval(width=3, origin=1, levels=3, factor=7)",
            "interval(width=10, levels=2, bottom=-20, top=35)",
        ],
        "order" => &["order", "order(groups=[3])", "order(groups=[2, 2, 2, 2])"],
        "mask" => {
            &["mask", "mask(from=left)", "mask(pad=leading, levels=3)", "mask(pad=none, char=#)"]
        }
        "date" => &[
            "date",
            "date(levels=[day, week])",
            "date(levels=[day, month, quarter, year, decade])",
        ],
        "frequency" => &["frequency(groups=2)", "frequency(groups=7, levels=3)"],
        other => panic!("the builder {other} has no calls for the laws"),
    }
}

fn domain(kind: ValueKind, mut values: Vec<(Option<i64>, String)>) -> Domain {
    values.sort();
    values.dedup_by(|a, b| a.1 == b.1 || (a.0.is_some() && a.0 == b.0));
    let keys = values.iter().filter_map(|(key, _)| *key).collect();
    Domain { kind, labels: values.iter().map(|(_, text)| text).collect(), keys }
}

fn of_keys(kind: ValueKind, keys: Vec<i64>) -> Domain {
    let texts = keys.into_iter().map(|key| kind.format(key));
    domain(kind, texts.filter_map(|text| Some((Some(kind.parse(&text)?), text))).collect())
}

fn any_domain() -> impl Strategy<Value = Domain> {
    let keys = |range: std::ops::Range<i64>| prop::collection::vec(range, 1..40);
    prop_oneof![
        keys(-100..100).prop_map(|keys| of_keys(ValueKind::Integer, keys)),
        keys(i64::MIN + 1..i64::MAX).prop_map(|keys| of_keys(ValueKind::Integer, keys)),
        (keys(-5000..5000), 1u8..19)
            .prop_map(|(keys, scale)| of_keys(ValueKind::Decimal { scale }, keys)),
        prop::collection::vec((-999i32..999, -20i32..20), 1..40).prop_map(|values| {
            let text = |(digits, exponent)| format!("{digits}e{exponent}");
            let keyed = |text: String| (ValueKind::Float.parse(&text), text);
            domain(ValueKind::Float, values.into_iter().map(text).map(keyed).collect())
        }),
        keys(-700_000..2_900_000).prop_map(|keys| of_keys(ValueKind::Date, keys)),
        keys(-60_000_000_000_000_000..200_000_000_000_000_000)
            .prop_map(|keys| of_keys(ValueKind::DateTime, keys)),
        keys(0..86_400).prop_map(|keys| {
            of_keys(ValueKind::Time, keys.into_iter().map(|second| second * 1_000_000).collect())
        }),
        prop::collection::vec("[a-c.\\[\\]* ü]{0,5}", 1..40).prop_map(|texts| domain(
            ValueKind::Text,
            texts.into_iter().map(|text| (None, text)).collect()
        )),
    ]
    .prop_filter("some value must be of the kind", |domain| !domain.is_empty())
}

/// A file that lists the values of a domain, for the builders that read one.
fn given(domain: &Domain, path: &str) -> String {
    let rows: Vec<Vec<String>> = (0..domain.len())
        .map(|i| vec![domain.label(i as u32).to_string(), format!("g{}", i % 3), "*".to_string()])
        .collect();
    if !path.ends_with(".json") {
        return to_csv(&LevelTable::from_rows(&rows), '|');
    }
    let mut groups = serde_json::Map::new();
    for row in &rows {
        let group = groups.entry(row[1].clone()).or_insert_with(|| serde_json::json!([]));
        group.as_array_mut().expect("it was made as a list").push(row[0].clone().into());
    }
    serde_json::json!({ "*": groups }).to_string()
}

fn build(builder: &dyn Builder, call: &str, domain: &Domain, counts: &[u64]) -> Result<LevelTable> {
    let call: Call = call.parse()?;
    let read = |path: &str| Ok(given(domain, path));
    let input = BuildInput { domain, counts, read_text: &read };
    builder.build(&Params::check(builder.info(), &call.args)?, &input)
}

fn nests(tree: &Hierarchy) {
    assert_eq!((tree.lo(Hierarchy::ROOT), tree.hi(Hierarchy::ROOT)), (0, tree.n_leaves() as u32));
    for node in 0..tree.n_nodes() as u32 {
        let mut covered = tree.lo(node);
        for child in tree.children(node) {
            assert_eq!((tree.lo(child), tree.parent(child)), (covered, node));
            assert_eq!(tree.level(child) + 1, tree.level(node));
            covered = tree.hi(child);
        }
        assert!(tree.level(node) == 0 || covered == tree.hi(node));
        assert!(tree.lo(node) < tree.hi(node));
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(150))]
    #[test]
    fn builders_make_hierarchies(domain in any_domain(), seed in any::<u64>()) {
        let counts: Vec<u64> = (0..domain.len() as u64).map(|i| (seed >> (i % 60)) % 50).collect();
        for builder in ALL {
            let name = builder.info().name;
            for call in calls(name) {
                let table = match build(*builder, call, &domain, &counts) {
                    Ok(table) => table,
                    Err(error) => {
                        let dates = matches!(domain.kind, ValueKind::Date | ValueKind::DateTime);
                        let may = (name == "interval" && domain.kind == ValueKind::Text)
                            || (name == "date" && !dates);
                        prop_assert!(may && error.kind == ErrorKind::Unsupported,
                            "{} {:?}", call, error);
                        continue;
                    }
                };
                let lengths: Vec<usize> = table.levels.iter().map(|level| level.len()).collect();
                prop_assert!(lengths.iter().all(|n| *n == domain.len()), "{} {:?}", call, lengths);
                let (tree, codes) = Hierarchy::from_levels(&table).unwrap();
                nests(&tree);
                let own_leaves = name == "file" || name == "tree";
                if !own_leaves {
                    let texts = domain.texts();
                    prop_assert_eq!(&table.levels[0], texts.as_ref());
                }
                if !own_leaves && name != "mask" {
                    // Groups are runs of neighbours, so the order of the values is the order of the
                    // leaves.
                    prop_assert!(codes.iter().copied().eq(0..domain.len() as u32), "{}", call);
                }
                if !own_leaves {
                    // No label of these builders may need two parents: then their levels wouldn't
                    // nest, and only the tree's identity by position would hide it.
                    let mut above = FastMap::default();
                    for level in 1..table.levels.len() - 1 {
                        for (below, label) in table.levels[level].iter()
                            .zip(table.levels[level + 1].iter()) {
                            let known = *above.entry((level, below)).or_insert(label);
                            prop_assert_eq!(known, label, "{}", call);
                        }
                    }
                }
                let attached =
                    attach(&table, &domain, &counts, "x", "given", Unknown::Refuse).unwrap();
                prop_assert_eq!(attached.domain.kind, domain.kind);
                for (value, &code) in attached.code_of.iter().enumerate() {
                    prop_assert_eq!(attached.domain.label(code), domain.label(value as u32));
                    prop_assert_eq!(attached.domain.key(code), domain.key(value as u32));
                }
                prop_assert!(!draw(&tree, 20, 60).is_empty());
                check(&table).iter().for_each(|finding| assert!(!finding.to_string().is_empty()));
            }
        }
    }

    #[test]
    fn guesses_can_be_built(domain in any_domain(), name in "zip|age") {
        let counts = vec![1; domain.len()];
        if let Some((call, why)) = guess(&name, &domain, &counts) {
            prop_assert!(!why.is_empty());
            let builder = find(&call.name).unwrap();
            let table = build(builder, &call.to_string(), &domain, &counts).unwrap();
            prop_assert!(Hierarchy::from_levels(&table).is_ok(), "{}", call);
        }
    }
}

#[test]
fn an_empty_column_is_an_error_of_core_not_a_panic() {
    for kind in [ValueKind::Text, ValueKind::Integer, ValueKind::DateTime] {
        let domain = Domain { kind, labels: [""; 0].iter().collect(), keys: vec![] };
        // A tree has its own values, whatever the column has.
        for builder in ALL.iter().filter(|builder| builder.info().name != "tree") {
            for call in calls(builder.info().name) {
                let table = build(*builder, call, &domain, &[]);
                assert!(table.and_then(|table| Hierarchy::from_levels(&table)).is_err(), "{call}");
            }
        }
    }
}

#[test]
fn labels_made_from_data_are_marked() {
    let marked: Vec<&str> =
        ALL.iter().filter(|b| b.is_data_bearing()).map(|b| b.info().name).collect();
    assert_eq!(marked, ["order", "frequency"]);
}
