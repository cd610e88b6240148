//! Tests that the classes are the same with any memory.

use std::collections::BTreeMap;

use proptest::prelude::*;
use sfumato_core::ErrorKind;
use sfumato_core::dataset::{Domain, ValueKind};
use sfumato_core::group::{ClassTable, Histogram, Summary, evaluate};
use sfumato_core::memory::Accountant;
use sfumato_core::traits::{Bind, ClassSizes, SensitiveColumn};

use super::*;
use crate::forms::generalized::make_plan::bind_models;

fn folder(home: &tempfile::TempDir, limit: Option<u64>) -> SpillFolder {
    SpillFolder::create(&home.path().join("o.csv"), None, &Accountant::new(limit)).unwrap()
}

type Row = (u8, u8, u32, u16);

fn summary(rows: &[Row], with_subject: bool) -> Summary {
    let people: Vec<u64> = rows.iter().map(|row| u64::from(row.3)).collect();
    match with_subject {
        true => {
            let pairs = rows.iter().map(|row| (row.2, u64::from(row.3))).collect();
            Summary::of_subjects(rows.len() as u64, vec![Histogram::of_people(pairs)], people)
        }
        false => {
            let counts = Histogram::from_counts(rows.iter().map(|row| (row.2, 1)));
            Summary::of_histograms(rows.len() as u64, vec![counts])
        }
    }
}

fn key(row: &Row) -> Vec<u8> {
    let text = "x".repeat(usize::from(row.0) * 3);
    key_of([
        (!row.0.is_multiple_of(3)).then_some(text.as_str()),
        Some(["", "*", "ab"][usize::from(row.1) % 3]),
    ])
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(24))]
    #[test]
    fn classes_are_those_of_memory(
        rows in prop::collection::vec((0u8..40, 0u8..3, 0u32..4, 0u16..50), 0..400),
            with_subject: bool,
        limit in prop::sample::select(vec![0u64, 700, 3000, 20_000, 64 << 20]),
            n_parts in 1usize..60,
    ) {
        let home = tempfile::tempdir().unwrap();
        let folder = folder(&home, None);
        let mut expected: BTreeMap<Vec<u8>, Vec<Row>> = BTreeMap::new();
        rows.iter().for_each(|row| expected.entry(key(row)).or_default().push(*row));
        let expected: BTreeMap<Vec<u8>, Summary> =
            expected.into_iter().map(|(key, rows)| (key, summary(&rows, with_subject))).collect();
        let runs = || {
            let mut runs = ClassRuns::new(&folder, limit).unwrap();
            // Classes of one part are grouped, as a partition's are.
            for part in rows.chunks(rows.len().div_ceil(n_parts).max(1)) {
                let mut classes: BTreeMap<Vec<u8>, Vec<Row>> = BTreeMap::new();
                part.iter().for_each(|row| classes.entry(key(row)).or_default().push(*row));
                for (key, rows) in &classes {
                    runs.add_key(key, &summary(rows, with_subject)).unwrap();
                }
            }
            runs
        };
        prop_assert!(runs().has_spilled() || limit > 1000 || rows.len() < 100);
        let mut found = BTreeMap::new();
        let mut visit = |key: &[u8], summary: &Summary| {
            assert!(found.insert(key.to_vec(), summary.clone()).is_none(),
                "a class was seen twice");
            Ok(())
        };
        runs().visit(&mut visit).unwrap();
        prop_assert_eq!(&found, &expected);

        let domain = Domain { kind: ValueKind::Text, ..Domain::of_texts(["a", "b", "c", "d"]) };
        let bind = Bind {
            quasi: vec!["q", "r"],
            sensitive: vec![SensitiveColumn { name: "s", domain: &domain, hierarchy: None,
                is_guard: false }],
        };
        let models = |list: &[&str]| {
            bind_models(&list.iter().map(|model| model.to_string()).collect::<Vec<_>>(), &bind)
                .unwrap()
        };
        let some = models(&["k-anonymity(k=3)",
            "alpha-k-anonymity(alpha=0.5, k=2)", "t-closeness(t=0.3, on=s)"]);
        let other = models(&["l-diversity-distinct(l=2, on=s)"]);
        let table = ClassTable { release: summary(&rows, with_subject),
            ..ClassTable::new(Vec::new(), expected.values().cloned().collect()) };
        let grouped = runs().ask(&[&some, &other], &table.release, &|_, _| None).unwrap();
        let expected = [evaluate(&some, &table), evaluate(&other, &table)];
        prop_assert_eq!(format!("{:?}", grouped.guarantees), format!("{expected:?}"));
        let sizes = |of: fn(&Summary) -> u64| {
            let mut sizes: BTreeMap<u64, u64> = BTreeMap::new();
            table.summaries.iter().for_each(|summary| *sizes.entry(of(summary)).or_default() += 1);
            ClassSizes::from_counts(sizes)
        };
        prop_assert_eq!(grouped.people, sizes(|summary| summary.people));
        prop_assert_eq!(grouped.rows, sizes(|summary| summary.rows));
        prop_assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 0);
        prop_assert_eq!(folder.accountant().used(), 0);
    }
}

#[test]
fn a_million_classes_in_little_memory() {
    let home = tempfile::tempdir().unwrap();
    let limit = 6 << 20;
    let folder = folder(&home, Some(limit + (1 << 20)));
    let mut runs = ClassRuns::new(&folder, limit).unwrap();
    let n = 150_000u64;
    for round in 0..3u64 {
        for class in 0..n {
            let number = (class * 7919 % n).to_string();
            runs.add_key(&key_of([Some(number.as_str()), None]), &Summary::of_count(1 + round))
                .unwrap();
        }
    }
    assert!(runs.has_spilled());
    let grouped = runs.ask(&[], &Summary::of_count(6 * n), &|_, _| None).unwrap();
    assert_eq!(
        (grouped.people, grouped.rows),
        (ClassSizes::from_counts([(6, n)]), ClassSizes::from_counts([(6, n)]))
    );
    assert!(folder.accountant().peak() <= limit + (1 << 20) && folder.accountant().used() == 0);
}

#[test]
fn one_class_that_is_too_large_is_an_error() {
    let home = tempfile::tempdir().unwrap();
    let folder = folder(&home, Some(4 << 20));
    let mut runs = ClassRuns::new(&folder, 1 << 20).unwrap();
    let key = key_of([Some("all")]);
    let add = |person: u64| {
        runs.add_key(
            &key,
            &Summary::of_subjects(1, Vec::new(), vec![person.wrapping_mul(0x9E37_79B9)]),
        )
    };
    let error = (0..200_000).step_by(16).map(add).find_map(Result::err);
    // Either it fits in what is left, or the budget says no; it is never exceeded.
    assert!(error.is_none_or(|error| error.kind == ErrorKind::Resources));
    assert!(folder.accountant().peak() <= 4 << 20);
}
