//! Operators against their definition: probabilities are counted over all sets of a small universe.

use proptest::prelude::*;
use rand_chacha::ChaCha20Rng;
use rand_chacha::rand_core::SeedableRng;
use sfumato_core::registry::Call;

use super::operator::SizeOperator;
use super::recovery::{recover, transition};
use super::*;

/// All sets of a size over so many items, as bits.
fn sets_of(n: u32, size: u32) -> Vec<u32> {
    (0..1u32 << n).filter(|bits| bits.count_ones() == size).collect()
}

fn choose(n: u32, k: u32) -> f64 {
    (0..k).map(|i| f64::from(n - i) / f64::from(i + 1)).product()
}

/// The probability that an operator makes one set of another, by definition.
fn chance(of: &SizeOperator, n: u32, from: u32, to: u32) -> f64 {
    let kept = (from & to).count_ones();
    let added = (to & !from).count_ones() as i32;
    let outside = (n - from.count_ones()) as i32;
    of.keep[kept as usize] / choose(of.size, kept)
        * of.rho.powi(added)
        * (1.0 - of.rho).powi(outside - added)
}

fn operator(call: &str, sets: &Transactions, amplification: f64) -> Operator {
    let call: Call = call.parse().unwrap();
    let algorithm = find(&call.name).unwrap();
    let params = Params::check(algorithm.info(), &call.args).unwrap();
    algorithm.choose(&params, &RandomTask { sets, amplification }).unwrap()
}

fn of_size(size: u32, call: &str, gamma: f64) -> SizeOperator {
    let sets = Transactions::from_sets(6, [(0..size).collect::<Vec<u32>>()]);
    operator(call, &sets, gamma).by_size[0].clone()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(80))]
    #[test]
    fn amplification_is_what_the_definition_says(
        size in 1u32..4,
        rho in 0.05f64..0.5,
        gamma in 1.5f64..40.0,
    ) {
        let of = of_size(size, &format!("select-a-size(rho={rho})"), gamma);
        of.check().unwrap();
        let n = 6;
        let sets = sets_of(n, size);
        let mut most = 1.0f64;
        for to in 0..1u32 << n {
            let chances: Vec<f64> = sets.iter().map(|from| chance(&of, n, *from, to)).collect();
            let low = chances.iter().copied().fold(f64::MAX, f64::min);
            let high = chances.iter().copied().fold(0.0, f64::max);
            most = most.max(high / low);
        }
        let told = of.amplification();
        prop_assert!((told / most - 1.0).abs() < 1e-6, "{told} {most}");
        prop_assert!(of.amplification() < gamma);
        // What can come of a set adds up to 1.
        let all: f64 = (0..1u32 << n).map(|to| chance(&of, n, sets[0], to)).sum();
        prop_assert!((all - 1.0).abs() < 1e-9);
    }

    #[test]
    fn no_operator_of_the_same_amplification_keeps_more(
        size in 1u32..5,
        rho in 0.05f64..0.5,
        gamma in 1.5f64..40.0,
        other in prop::collection::vec(0.0f64..1.0, 5),
    ) {
        let of = of_size(size, &format!("select-a-size(rho={rho})"), gamma);
        // Another choice of x between 1 and gamma.
        let odds = rho / (1.0 - rho);
        let weights = (0..=size).map(|j| {
            let x = 1.0 + (gamma - 1.0) * other[j as usize];
            choose(size, j) * odds.powi(j as i32) * x
        });
        let keep: Vec<f64> = weights.collect();
        let total: f64 = keep.iter().sum();
        let keep = keep.into_iter().map(|p| p / total).collect();
        let other = SizeOperator { size, rho, keep };
        prop_assert!(other.amplification() <= gamma * (1.0 + 1e-9));
        prop_assert!(other.mean_kept() <= of.mean_kept() + 1e-9);
    }

    #[test]
    fn what_is_promised_of_breaches_holds_for_any_prior(
        size in 1u32..4,
        rho1 in 0.05f64..0.4,
        more in 0.1f64..0.5,
        prior in prop::collection::vec(0.001f64..1.0, 20),
        property in 1u32..(1 << 20),
    ) {
        let rho2 = rho1 + more;
        let bound = rho2 * (1.0 - rho1) / (rho1 * (1.0 - rho2));
        let of = of_size(size, "select-a-size", bound);
        let n = 6;
        let sets = sets_of(n, size);
        let prior: Vec<f64> = (0..sets.len()).map(|at| prior[at % prior.len()]).collect();
        let total: f64 = prior.iter().sum();
        let has = |at: &usize| property >> at & 1 == 1;
        let known: f64 = (0..sets.len()).filter(has).map(|at| prior[at] / total).sum();
        prop_assume!(known <= rho1);
        for to in 0..1u32 << n {
            let joint = |at: usize| prior[at] / total * chance(&of, n, sets[at], to);
            let all: f64 = (0..sets.len()).map(joint).sum();
            let with: f64 = (0..sets.len()).filter(has).map(joint).sum();
            prop_assert!(with / all < rho2, "{} from {known}", with / all);
        }
    }

    #[test]
    fn transitions_are_what_the_definition_says(
        size in 1u32..4,
        k in 1usize..4,
        gamma in 2f64..30.0,
    ) {
        let of = of_size(size, "select-a-size", gamma);
        let n = 6;
        let matrix = transition(&of, k);
        for from in sets_of(n, size) {
            let asked = (1u32 << k) - 1;
            let l = (from & asked).count_ones() as usize;
            for (has, row) in matrix.iter().enumerate() {
                let all = (0..1u32 << n).filter(|to| (to & asked).count_ones() as usize == has);
                let sum: f64 = all.map(|to| chance(&of, n, from, to)).sum();
                prop_assert!((sum - row[l]).abs() < 1e-9);
            }
        }
    }
}

#[test]
fn what_gives_a_set_away_has_no_bound() {
    let identity = SizeOperator { size: 2, rho: 0.1, keep: vec![0.0, 0.0, 1.0] };
    assert_eq!(identity.amplification(), f64::INFINITY);
    let nothing_added = SizeOperator { size: 2, rho: 0.0, keep: vec![0.2, 0.3, 0.5] };
    assert_eq!(nothing_added.amplification(), f64::INFINITY);
    let empty = SizeOperator { size: 0, rho: 0.1, keep: vec![1.0] };
    assert_eq!(empty.amplification(), 1.0);
    let wrong = SizeOperator { size: 1, rho: 0.1, keep: vec![0.7, 0.7] };
    assert!(wrong.check().is_err());
}

#[test]
fn draws_have_the_frequencies_of_the_operator() {
    let of = of_size(2, "select-a-size(rho=0.2)", 8.0);
    let mut random = ChaCha20Rng::seed_from_u64(5);
    let (n, from) = (6, [1u32, 4]);
    let mut counts = vec![0u32; 1 << n];
    for _ in 0..40_000 {
        let drawn = of.draw(&from, n, &mut random);
        assert!(drawn.is_sorted() && drawn.iter().all(|item| *item < n));
        counts[drawn.iter().fold(0, |bits, item| bits | 1 << item)] += 1;
    }
    // 64 cells: chi square with 63 degrees of freedom is below 125 but once in 100,000 times.
    let bits = from.iter().fold(0, |bits, item| bits | 1 << item);
    let chi: f64 = counts
        .iter()
        .zip(0u32..)
        .map(|(n_drawn, to)| {
            let expected = 40_000.0 * chance(&of, n, bits, to);
            (f64::from(*n_drawn) - expected).powi(2) / expected
        })
        .sum();
    assert!(chi < 125.0, "{chi}");
}

#[test]
fn supports_are_recovered() {
    // 30,000 records over 12 items: item 0 in half of them, 1 beside it in half of these.
    let sets: Vec<Vec<u32>> = (0..30_000u32)
        .map(|i| match i % 4 {
            0 => vec![0, 1, 2 + i % 10],
            1 => vec![0, 2 + i % 7],
            2 => vec![3],
            _ => vec![4, 5, 6 + i % 5],
        })
        .map(|mut set| {
            set.sort_unstable();
            set.dedup();
            set
        })
        .collect();
    let sets = Transactions::from_sets(12, sets);
    let operator = operator("select-a-size", &sets, 19.0);
    let mut random = ChaCha20Rng::seed_from_u64(11);
    let sizes: Vec<u32> = (0..sets.len()).map(|row| sets.size(row) as u32).collect();
    let rows = (0..sets.len()).map(|row| {
        let of = operator.of_size(sets.size(row)).unwrap();
        of.draw(&sets.set(row), 12, &mut random)
    });
    let rows = Transactions::from_sets(12, rows.collect::<Vec<_>>());
    for items in [&[0u32][..], &[3], &[0, 1], &[4, 5], &[0, 3], &[0, 1, 2]] {
        let has = |row: &usize| items.iter().all(|item| sets.set(*row).contains(item));
        let truth = (0..sets.len()).filter(has).count() as f64;
        let found = recover(&operator, &rows, &sizes, items).unwrap();
        let off = (found.count - truth).abs() / found.deviation;
        assert!(off < 4.5, "{items:?}: {found:?} for {truth}");
        assert!(found.deviation > 0.0 && found.deviation < 8000.0, "{found:?}");
    }
    assert_eq!(recover(&operator, &rows, &sizes, &[]).unwrap().count, 30_000.0);
    let many: Vec<u32> = (0..9).collect();
    assert!(recover(&operator, &rows, &sizes, &many).is_err());
    assert!(recover(&Operator { by_size: vec![], ..operator }, &rows, &sizes, &[0]).is_err());
}
