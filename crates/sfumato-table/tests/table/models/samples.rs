//! What models say about groups of which only a sample was seen: tests with values computed by
//! hand, and how often they are wrong.

// Helpers of tests aren't seen as tests, and a panic is how a test fails.
#![allow(clippy::unwrap_used)]

use super::common::{Sensitive, Table};
use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::{Rng, SeedableRng};
use sfumato_core::group::{Histogram, Sampling, Summary};
use statrs::distribution::{ContinuousCDF, Normal};

fn z(share: f64) -> f64 {
    Normal::standard().inverse_cdf(1.0 - share)
}

fn sampling(population: u64, sample: u64) -> Sampling {
    Sampling { population, sample, alpha: 0.05, z }
}

fn table() -> Table {
    let numbers: Vec<String> = (0..10).map(|x| x.to_string()).collect();
    let numbers: Vec<&str> = numbers.iter().map(String::as_str).collect();
    Table::new(&["x"], &["a"; 10], vec![Sensitive::new("n", &numbers)])
}

fn counts(counts: &[u64]) -> Summary {
    let histogram = Histogram::from_counts((0u32..).zip(counts.iter().copied()));
    Summary::of_histograms(histogram.total(), vec![histogram])
}

/// The answer of a call for a sample in which the values 0, 1, 2, ... occur with the given counts.
fn likely(call: &str, sample: &[u64], sampling: &Sampling, n_parts: usize) -> bool {
    let (table, sample) = (table(), counts(sample));
    let release = counts(&[1000; 10]);
    table.requirements(call).unwrap().iter().all(|r| r.likely(&sample, &release, sampling, n_parts))
}

#[test]
fn k_needs_the_share_and_its_error() {
    // 10 of 1000 are k; the error is 1.645 * 3.132 for one part, and 1.960 * 3.132 for one of two.
    let hundredth = sampling(100_000, 1_000);
    let k = "k-anonymity(k=1000)";
    assert!(!likely(k, &[15], &hundredth, 1) && likely(k, &[16], &hundredth, 1));
    assert!(!likely(k, &[16], &hundredth, 2) && likely(k, &[17], &hundredth, 2));
    let naive = Sampling { alpha: 1.0, ..hundredth };
    assert!(!likely(k, &[9], &naive, 2) && likely(k, &[10], &naive, 2));
    assert!(
        !likely(k, &[999], &sampling(2000, 2000), 2)
            && likely(k, &[1000], &sampling(2000, 2000), 2)
    );
}

#[test]
fn recursive_diversity_follows_the_rule_of_thumb() {
    // p1 = 0.4, p2 = 0.2 + 0.1 = 0.3, c p2 - p1 = 0.2; the error is 0.0991 times 1.645, 1.960 or,
    // for three parts, 2.128.
    let tenth = sampling(10_000, 1_000);
    let (sample, call) = ([40, 30, 20, 10], "l-diversity-recursive(c=2, l=3)");
    assert!(likely(call, &sample, &tenth, 1) && likely(call, &sample, &tenth, 2));
    assert!(!likely(call, &sample, &tenth, 3));
    // Nearly everything drawn leaves nearly no error; at its word a sample has none.
    assert!(likely(call, &sample, &sampling(1_100, 1_000), 3));
    assert!(likely(call, &sample, &Sampling { alpha: 1.0, ..tenth }, 3));
    // c p2 = p1 fails strictly.
    assert!(!likely(call, &[40, 30, 10, 10], &Sampling { alpha: 1.0, ..tenth }, 2));
    // Too few values; one record; nothing to ask for.
    assert!(!likely(call, &[50, 50], &tenth, 1) && !likely(call, &[1], &tenth, 1));
    assert!(likely("l-diversity-recursive(c=2, l=1)", &[50], &tenth, 1));
}

#[test]
fn variance_is_tested_by_chi_square() {
    // 0..9 once each: squares around the mean add up to 82.5. The 9 df points are 16.919 (5%) and
    // 19.023 (2.5%).
    let tenth = sampling(10_000, 1_000);
    let sample = [1; 10];
    assert!(likely("variance-diversity(v=4.87)", &sample, &tenth, 1));
    assert!(!likely("variance-diversity(v=4.88)", &sample, &tenth, 1));
    assert!(likely("variance-diversity(v=4.33)", &sample, &tenth, 2));
    assert!(!likely("variance-diversity(v=4.34)", &sample, &tenth, 2));
    // At its word: 82.5 / 9 = 9.17. Everything drawn: 82.5 / 10.
    let naive = Sampling { alpha: 1.0, ..tenth };
    assert!(likely("variance-diversity(v=9.16)", &sample, &naive, 2));
    assert!(!likely("variance-diversity(v=9.17)", &sample, &naive, 2));
    let whole = sampling(1_000, 1_000);
    assert!(likely("variance-diversity(v=8.25)", &sample, &whole, 2));
    assert!(!likely("variance-diversity(v=8.26)", &sample, &whole, 2));
    assert!(!likely("variance-diversity(v=0.1)", &[1], &tenth, 1));
    assert!(likely("variance-diversity(v=0)", &[1], &tenth, 1));
}

#[test]
fn other_models_are_asked_about_a_worse_group() {
    let tenth = sampling(10_000, 1_000);
    // Values that were drawn are there: three in the sample are three in the group.
    assert!(likely("l-diversity-distinct(l=3)", &[90, 9, 1], &tenth, 2));
    assert!(!likely("l-diversity-distinct(l=3)", &[90, 10], &tenth, 2));
    // 45 of 100 are below a half, and with 1.960 * sqrt(100 * 0.45 * 0.55 * 0.9) = 9.25 more they
    // aren't.
    let bound = "alpha-k-anonymity(alpha=0.5, k=2)";
    assert!(!likely(bound, &[45, 30, 25], &tenth, 2) && likely(bound, &[38, 37, 25], &tenth, 2));
    assert!(likely(bound, &[45, 30, 25], &Sampling { alpha: 1.0, ..tenth }, 2));
}

/// Draw without replacement, many times: how often does a part with one record too few pass?
#[test]
fn a_part_that_is_too_small_passes_rarely() {
    let mut random = ChaCha8Rng::seed_from_u64(7);
    for (population, drawn, k) in
        [(20_000u64, 2_000u64, 1_000u64), (10_000, 4_000, 200), (50_000, 1_000, 5_000)]
    {
        let sampling = sampling(population, drawn);
        let (runs, mut wrong) = (1_000, 0);
        for _ in 0..runs {
            let (mut left, mut left_of_part, mut seen) = (population, k - 1, 0);
            for _ in 0..drawn {
                if random.next_u64() % left < left_of_part {
                    seen += 1;
                    left_of_part -= 1;
                }
                left -= 1;
            }
            wrong += u32::from(likely(&format!("k-anonymity(k={k})"), &[seen], &sampling, 1));
        }
        let share = f64::from(wrong) / f64::from(runs);
        assert!(share <= 0.07, "{share} of {population}, {drawn} drawn, k = {k}");
        assert!(share > 0.0, "the test should use what it may");
    }
}
