//! Tests the promised distribution by counting.

use crate::find;
use crate::tests::{parse, text_of};

/// How often each item occurs, and the size of each record.
fn counted(text: &str, items: usize) -> (Vec<f64>, Vec<f64>) {
    let mut counts = vec![0.0; items];
    let mut sizes = Vec::new();
    for line in text.lines() {
        let record: Vec<usize> = line
            .split(' ')
            .filter(|word| !word.is_empty())
            .map(|word| word.parse().unwrap())
            .collect();
        assert!(
            record.is_sorted_by(|a, b| a < b)
                && record.iter().all(|item| (1..=items).contains(item)),
            "{line}"
        );
        sizes.push(record.len() as f64);
        record.iter().for_each(|item| counts[item - 1] += 1.0);
    }
    (counts, sizes)
}

fn mean_and_deviation(sizes: &[f64]) -> (f64, f64) {
    let n = sizes.len() as f64;
    let mean = sizes.iter().sum::<f64>() / n;
    (mean, (sizes.iter().map(|size| (size - mean) * (size - mean)).sum::<f64>() / n).sqrt())
}

#[test]
fn frequencies_mean_and_deviation_are_those_asked_for() {
    let n = 60_000.0;
    for (call, items, highest, lowest) in [
        ("longtail", 1000, 0.5, 0.001),
        ("longtail(preset=targeting)", 1987, 0.125, 0.001),
        ("longtail(correlation=0.8)", 1000, 0.5, 0.001),
        ("longtail(items=100, highest=0.9, lowest=0.01, mean=20, deviation=5)", 100, 0.9, 0.01),
    ] {
        let text = text_of(call, n as u64, 3);
        let (counts, sizes) = counted(&text, items);
        let (mean, deviation) = mean_and_deviation(&sizes);
        let (wanted_mean, wanted) = if items == 100 { (20.0, 5.0) } else { (40.0, 24.0) };
        // Five standard errors, and more for the deviation, whose own depends on the fourth moment.
        assert!((mean - wanted_mean).abs() < 5.0 * wanted / f64::sqrt(n), "{call}: {mean}");
        assert!((deviation / wanted - 1.0).abs() < 0.02, "{call}: {deviation}");
        let near = |count: f64, share: f64| {
            (count - n * share).abs() < 5.0 * (n * share * (1.0 - share)).sqrt()
        };
        assert!(
            near(counts[0], highest) && near(counts[items - 1], lowest),
            "{call}: {} {}",
            counts[0],
            counts[items - 1]
        );
        // Neighbours differ by chance, tenths of the items don't.
        let tenths: Vec<f64> = counts.chunks(items / 10).map(|tenth| tenth.iter().sum()).collect();
        assert!(tenths[..10].is_sorted_by(|a, b| a > b), "{call}: {tenths:?}");
    }
}

#[test]
fn items_of_a_theme_meet_more_often() {
    let lift = |call: &str, a: usize, b: usize| {
        let text = text_of(call, 60_000, 5);
        let has = |line: &str, item: usize| line.split(' ').any(|word| word == item.to_string());
        let (mut one, mut other, mut both) = (0.0, 0.0, 0.0);
        for line in text.lines() {
            let (first, second) = (has(line, a), has(line, b));
            one += f64::from(u8::from(first));
            other += f64::from(u8::from(second));
            both += f64::from(u8::from(first && second));
        }
        both * 60_000.0 / (one * other)
    };
    // Items r and r + 64 share a theme. What activity does to pairs is in both.
    let (apart, together) =
        (lift("longtail(correlation=0.6)", 65, 130), lift("longtail(correlation=0.6)", 65, 129));
    let expected = 1.0 + 3.0 * 0.6 * 0.6;
    assert!((together / apart / expected - 1.0).abs() < 0.12, "{together} {apart}");
    let independent = lift("longtail", 65, 129) / lift("longtail", 65, 130);
    assert!((independent - 1.0).abs() < 0.12, "{independent}");
}

#[test]
fn impossible_shapes_are_refused() {
    let refused = |call: &str| {
        let (generator, params) = parse(call);
        let error = generator.check(&params).unwrap_err();
        (error.message, error.hint.map(String::from).unwrap_or_default())
    };
    assert_eq!(refused("longtail(lowest=0.6)").0, "longtail: lowest must not be above highest");
    let (message, _) = refused("longtail(mean=1)");
    assert_eq!(
        message,
        "longtail: with 1000 items from 0.5 to 0.001 the mean is between 1.499 and 499.501, not 1"
    );
    let (message, hint) = refused("longtail(deviation=2)");
    assert_eq!(message, "longtail: a deviation of 2 isn't possible here");
    assert!(hint.starts_with("it is at least 5."), "{hint}");
    let (_, hint) = refused("longtail(deviation=60)");
    assert!(hint.contains("and below 3"), "{hint}");
}

#[test]
fn keys_begin_lines_and_utilities_go_with_the_data() {
    let text = text_of("longtail(key=true, mean=2, deviation=1.5, items=50, lowest=0.01)", 500, 1);
    assert!(
        (1..).zip(text.lines()).all(|(n, line)| line.split(' ').next() == Some(&format!("r{n}")))
    );
    assert!(text.lines().all(|line| !line.ends_with(' ')));
    let plain = text_of("longtail(mean=2, deviation=1.5, items=50, lowest=0.01)", 500, 1);
    assert!(plain.lines().any(str::is_empty), "a record without items is a blank line");
    let (generator, params) = parse("longtail");
    let companions = generator.companions(&params);
    let [(name, utilities)] = &companions[..] else { panic!("one file goes with the data") };
    assert_eq!(name, "longtail_utilities.csv");
    let worth: Vec<f64> = utilities
        .lines()
        .skip(1)
        .map(|line| line.split_once(',').unwrap().1.parse().unwrap())
        .collect();
    assert_eq!(worth.len(), 1000);
    assert!(worth.iter().all(|utility| (1.0..=100.0).contains(utility)));
    let mean = worth.iter().sum::<f64>() / 1000.0;
    assert!((mean - 50.5).abs() < 5.0, "{mean}");
    assert!(find("longtail").is_ok());
}
