//! Tests the promised distribution by counting.

use super::*;
use crate::tests::{parse, text_of};

fn records(call: &str, rows: u64, seed: u64) -> Vec<Vec<u32>> {
    let numbers = |line: &str| {
        let record: Vec<u32> = line
            .split(' ')
            .filter(|word| !word.is_empty())
            .map(|word| word.parse().unwrap())
            .collect();
        assert!(record.is_sorted_by(|a, b| a < b), "{line}");
        record
    };
    text_of(call, rows, seed).lines().map(numbers).collect()
}

fn made(call: &str, seed: u64) -> Patterns {
    Patterns::new(&parse(call).1, seed)
}

fn mean(numbers: impl Iterator<Item = f64>) -> f64 {
    let (sum, n) = numbers.fold((0.0, 0.0), |(sum, n), number| (sum + number, n + 1.0));
    sum / n
}

#[test]
fn patterns_have_the_sizes_and_levels_asked_for() {
    let patterns =
        made("quest(patterns=20000, pattern_size=6, items=5000, corruption_variance=0.01)", 3);
    let sizes: Vec<f64> = (0..patterns.len()).map(|i| patterns.items(i).len() as f64).collect();
    // 1 + Poisson(5): five standard errors of the mean are 0.08.
    let average = mean(sizes.iter().copied());
    assert!((average - 6.0).abs() < 0.08, "{average}");
    let variance = mean(sizes.iter().map(|size| (size - average) * (size - average)));
    assert!((variance - 5.0).abs() < 0.3, "{variance}");
    assert!(sizes.iter().all(|size| *size >= 1.0));
    let level = mean(patterns.corruption.iter().copied());
    let spread = mean(patterns.corruption.iter().map(|c| (c - level) * (c - level)));
    assert!((level - 0.5).abs() < 0.005 && (spread - 0.01).abs() < 0.001, "{level} {spread}");
    // Exponential weights: half of the patterns weigh less than ln 2 of the mean.
    let light = (0..patterns.len())
        .filter(|i| patterns.weights.share(*i) * 20_000.0 < std::f64::consts::LN_2)
        .count();
    assert!(light.abs_diff(10_000) < 500, "{light}");
    // Every item is as probable as the others.
    let mut counts = vec![0u32; 5000];
    (0..patterns.len())
        .for_each(|i| patterns.items(i).iter().for_each(|item| counts[*item as usize] += 1));
    assert!(counts.iter().all(|n| *n < 100) && counts.iter().filter(|n| **n > 0).count() > 4_900);
}

#[test]
fn the_share_taken_from_the_pattern_before_is_exponential() {
    for (correlation, expected) in
        [("0", 0.0), ("0.1", 0.1), ("0.5", 0.432_332), ("0.9", 0.603_727)]
    {
        // The mean of an exponential with mean c that is cut at 1 is c (1 - e^(-1/c)).
        let call = format!(
            "quest(patterns=8000, pattern_size=60, items=1000000, correlation={correlation}, \
                size=1)"
        );
        let patterns = made(&call, 5);
        let share = |i: usize| {
            let own = patterns.items(i);
            let before: sfumato_core::FastSet<u32> =
                patterns.items(i - 1).iter().copied().collect();
            own.iter().filter(|item| before.contains(*item)).count() as f64 / own.len() as f64
        };
        let average = mean((1..patterns.len()).map(share));
        // The pattern before may be smaller than the share asks for, which takes a little off.
        assert!(
            (-0.025..0.01).contains(&(average - expected)),
            "{correlation}: {average} {expected}"
        );
        if correlation == "0.5" {
            let below = mean((1..patterns.len()).map(|i| f64::from(u8::from(share(i) < 0.25))));
            assert!((below - 0.393_469).abs() < 0.03, "{below}");
        }
    }
}

#[test]
fn records_are_as_large_as_asked_for() {
    for (call, size) in [
        ("quest", 20.0),
        ("quest(size=5, pattern_size=2)", 5.0),
        ("quest(size=50, items=10000)", 50.0),
    ] {
        let records = records(call, 20_000, 7);
        let average = mean(records.iter().map(|record| record.len() as f64));
        assert!((average / size - 1.0).abs() < 0.06, "{call}: {average}");
        // What a pattern adds or leaves out widens the Poisson distribution.
        let variance =
            mean(records.iter().map(|r| (r.len() as f64 - average) * (r.len() as f64 - average)));
        assert!(variance > 0.8 * (size - 1.0) && variance < 1.8 * size, "{call}: {variance}");
        assert!(records.iter().all(|record| !record.is_empty()), "{call}");
    }
}

#[test]
fn items_of_a_pattern_meet() {
    // One heavy pattern without corruption: all of its items are in a record, or none, unless other
    // patterns have them too.
    let call = "quest(items=100000, patterns=40, pattern_size=5, size=10, correlation=0, \
        corruption=0, corruption_variance=0)";
    let patterns = made(call, 9);
    for record in records(call, 500, 9) {
        let of_record =
            |i: &usize| patterns.items(*i).iter().all(|item| record.contains(&(item + 1)));
        let covered: usize = (0..40).filter(of_record).map(|i| patterns.items(i).len()).sum();
        assert_eq!(covered, record.len());
    }
    // With corruption 1 a pattern loses all, so nothing is ever put in.
    let nothing = records("quest(corruption=1, corruption_variance=0)", 20, 1);
    assert!(nothing.iter().all(Vec::is_empty));
}

#[test]
fn a_pattern_loses_items_as_often_as_its_level_says() {
    let call = "quest(items=1000000, patterns=1, pattern_size=400, size=1, corruption=0.6, \
        corruption_variance=0)";
    let patterns = made(call, 2);
    let full = patterns.items(0).len() as f64;
    // Records are meant to have one item, but an empty one takes the whole pattern: how many it
    // lost is geometric.
    let lost: Vec<f64> =
        records(call, 20_000, 2).iter().map(|record| full - record.len() as f64).collect();
    let average = mean(lost.iter().copied());
    assert!((average - 1.5).abs() < 0.07, "{average}");
    let none = mean(lost.iter().map(|lost| f64::from(u8::from(*lost == 0.0))));
    assert!((none - 0.4).abs() < 0.02, "{none}");
}

#[test]
fn few_items_end_and_numbers_print() {
    for call in
        ["quest(items=1)", "quest(items=3, patterns=1)", "quest(items=30, patterns=1, size=25)"]
    {
        let records = records(call, 200, 1);
        assert!(
            records
                .iter()
                .all(|record| record.len() <= 30 && record.iter().all(|item| *item <= 30))
        );
    }
    for number in [1, 9, 10, 999, 1_000_000, u32::MAX] {
        let mut out = vec![];
        push_number(number, &mut out);
        assert_eq!(out, number.to_string().as_bytes());
    }
    let text = text_of("quest(key=true)", 10, 1);
    assert!((1..).zip(text.lines()).all(|(n, line)| line.starts_with(&format!("r{n} "))));
}
