//! Compares each measure with its definition, on small random tables.

use proptest::prelude::*;
use sfumato_core::column::Codes;
use sfumato_core::dataset::{Column, Domain, Hierarchy, Missing, Role, Table, ValueKind};
use sfumato_core::recoding::{Boxes, Recoding, SUPPRESSED, Value};
use sfumato_core::workload::Selection;

use super::*;

const NUMBERS: u32 = 6;
const WORDS: u32 = 4;

fn column(name: &str, n: u32, ordered: bool, codes: Vec<u32>) -> Column {
    let labels: Vec<String> = (0..n)
        .map(|code| if ordered { (code * 3).to_string() } else { format!("w{code}") })
        .collect();
    let kind = if ordered { ValueKind::Integer } else { ValueKind::Text };
    let keys = if ordered { (0..n).map(|code| i64::from(code) * 3).collect() } else { Vec::new() };
    let domain = Domain { kind, labels: labels.iter().collect(), keys };
    let hierarchy = (!ordered).then(|| Hierarchy::flat(n as usize, &domain.texts()).unwrap());
    Column {
        name: name.into(),
        role: Role::Quasi,
        codes: Codes::from_iter(n as usize + 1, codes.into_iter()),
        domain,
        hierarchy,
        weight: 1.0,
        missing: Missing::Value,
        missing_text: String::new(),
        native_type: None,
    }
}

/// A table of a number and a word, both maybe missing, and a recoding that puts row `i` into class
/// `classes[i]`, published as what covers its rows; class 0 is suppressed.
fn recoded(rows: &[(u32, u32, u32)]) -> (Table, Boxes) {
    let table = Table {
        n_rows: rows.len(),
        columns: vec![
            column("number", NUMBERS, true, rows.iter().map(|row| row.0).collect()),
            column("word", WORDS, false, rows.iter().map(|row| row.1).collect()),
        ],
        subject: None,
    };
    let quasi = table.quasi();
    let regions = (1..4).map(|class| {
        let cover = |place: usize| {
            let column = quasi[place];
            let codes = rows
                .iter()
                .filter(|row| row.2 == class)
                .map(|row| if place == 0 { row.0 } else { row.1 });
            let missing = column.domain.missing();
            let present = || codes.clone().filter(|code| *code < missing);
            let (lo, hi) =
                (present().min().unwrap_or(0), present().max().map_or(0, |code| code + 1));
            Value::covering(column, lo, hi, codes.clone().any(|code| code == missing))
        };
        vec![cover(0), cover(1)]
    });
    let class_of_row =
        rows.iter().map(|row| if row.2 == 0 { SUPPRESSED } else { row.2 - 1 }).collect();
    let boxes = Boxes::new(2, regions.collect::<Vec<_>>().into_iter(), class_of_row).unwrap();
    (table, boxes)
}

fn rows() -> impl Strategy<Value = Vec<(u32, u32, u32)>> {
    prop::collection::vec((0..=NUMBERS, 0..=WORDS, 0..4u32), 1..25)
}

/// The share of a cell that lies on a code, by definition.
fn share_on(column: &Column, value: Value, code: u32) -> f64 {
    let missing = column.domain.missing();
    let with_missing = column.codes.iter().any(|code| code == missing);
    let covered: Vec<u32> = (0..=missing)
        .filter(|code| {
            value.covers(column, *code)
                && (*code < missing || with_missing || value == Value::Missing)
        })
        .collect();
    if covered.contains(&code) { 1.0 / covered.len() as f64 } else { 0.0 }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(60))]

    #[test]
    fn purity_follows_the_definition(rows in prop::collection::vec((0..3u32,
        prop::option::of(0..3u32)), 1..30)) {
        let classes = || rows.iter().map(|row| (row.0 > 0).then_some(row.0));
        let entropy = conditional_entropy(classes(), rows.iter().map(|row| row.1));
        let squares =
            weighted_squared_error(classes(), rows.iter().map(|row| row.1.map(f64::from)));
        let kept: Vec<(u32, u32)> =
            rows.iter().filter(|r| r.0 > 0).filter_map(|r| Some((r.0, r.1?))).collect();
        if kept.is_empty() {
            prop_assert!(entropy.is_none() && squares.is_none());
            return Ok(());
        }
        let n = kept.len() as f64;
        let (mut bits, mut error) = (0.0, 0.0);
        for class in 1..3 {
            let labels: Vec<u32> =
                kept.iter().filter(|row| row.0 == class).map(|row| row.1).collect();
            let size = labels.len() as f64;
            for label in 0..3 {
                let p = labels.iter().filter(|l| **l == label).count() as f64 / size;
                if p > 0.0 {
                    bits -= size / n * p * p.log2();
                }
            }
            let mean = labels.iter().map(|l| f64::from(*l)).sum::<f64>() / size;
            error += labels.iter().map(|l| (f64::from(*l) - mean).powi(2)).sum::<f64>() / n;
        }
        prop_assert!((entropy.unwrap() - bits).abs() < 1e-9);
        prop_assert!((squares.unwrap() - error).abs() < 1e-9);
    }

    #[test]
    fn marginals_follow_the_definition(rows in rows()) {
        let (table, boxes) = recoded(&rows);
        let divergences = marginal_divergences(&table, &boxes);
        for (place, column) in table.quasi().into_iter().enumerate() {
            let codes = 0..=column.domain.missing();
            let mut bits = 0.0;
            let seen = reconstructed_marginal(column, place, &boxes);
            for code in codes {
                let of_row = |class: &u32| match *class {
                    SUPPRESSED => share_on(column, Value::Any, code),
                    class => share_on(column, boxes.value(class, place), code),
                };
                let q = boxes.class_of_row().iter().map(of_row).sum::<f64>() / rows.len() as f64;
                prop_assert!((seen[code as usize] - q).abs() < 1e-9);
                let p = column.codes.iter().filter(|c| *c == code)
                    .count() as f64 / rows.len() as f64;
                if p > 0.0 {
                    bits += p * (p / q).log2();
                }
            }
            prop_assert!((divergences[place] - bits).abs() < 1e-7,
                "{} {}", divergences[place], bits);
        }
    }

    #[test]
    fn imprecision_counts_what_is_too_many(rows in rows(), lo in 0..NUMBERS, width in 1..4u32,
        word in prop::option::of(0..WORDS)) {
        let (table, boxes) = recoded(&rows);
        let intervals = vec![Some(lo..(lo + width).min(NUMBERS)), word.map(|word| word..word + 1)];
        let selection = Selection { text: String::new(), intervals, weight: 2.5 };
        let quasi = table.quasi();
        let (mut returned, mut wanted) = (0, 0);
        for (row, class) in boxes.class_of_row().iter().enumerate()
            .filter(|(_, class)| **class != SUPPRESSED) {
            let overlaps = |place: usize| match &selection.intervals[place] {
                None => true,
                Some(range) =>
                    range.clone().any(|code| boxes.value(*class, place).covers(quasi[place], code)),
            };
            returned += usize::from(overlaps(0) && overlaps(1));
            wanted += usize::from(selection.contains(quasi.iter()
                .map(|column| column.codes.get(row))));
        }
        let expected = 2.5 * (returned - wanted) as f64;
        prop_assert_eq!(imprecision(&table, &boxes, &[selection]), expected);
    }

    #[test]
    fn estimates_follow_the_definition(rows in rows(), seed in 0..1000u64, columns in 1..3usize) {
        let (table, boxes) = recoded(&rows);
        let queries = Queries { count: 5, columns, selectivity: 0.3 }.draw(&table, seed);
        prop_assert_eq!(queries.len(), 5);
        let quasi = table.quasi();
        let errors = query_errors(&table, &boxes, &queries);
        for (query, error) in queries.iter().zip(errors) {
            prop_assert_eq!(query.0.len(), columns);
            let mut expected = 0.0;
            for class in boxes.class_of_row().iter().filter(|class| **class != SUPPRESSED) {
                let share = |(place, codes): &(usize, std::ops::Range<u32>)| -> f64 {
                    codes.clone().map(|code| share_on(quasi[*place], boxes.value(*class, *place),
                        code)).sum()
                };
                expected += query.0.iter().map(share).product::<f64>();
            }
            prop_assert!((estimate_count(&table, &boxes, query) - expected).abs() < 1e-9);
            let holds = |row: &usize| query.0.iter()
                .all(|(p, codes)| codes.contains(&quasi[*p].codes.get(*row)));
            let truth = (0..rows.len()).filter(holds).count();
            prop_assert!(truth > 0, "a query is drawn around a record");
            prop_assert!((error - (expected - truth as f64).abs() / truth as f64).abs() < 1e-9);
        }
    }
}
