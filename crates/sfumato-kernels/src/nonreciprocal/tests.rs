//! Random assignments compared with their definition: perfect, disjoint, and every match equally
//! probable.

use proptest::prelude::*;
use sfumato_core::matches::Matches;

use super::ring::ring;
use super::testing::{WAYS, check_assignments, random_graph};
use super::{Closing, Extraction, RandomStream, Walk, extraction};

proptest! {
    #![proptest_config(ProptestConfig::with_cases(60))]
    #[test]
    fn assignments_are_perfect_and_use_each_edge_once(n in 1usize..60, m in 1usize..9,
        seed in 0u64..1000) {
        let mut random = RandomStream::from_seed(seed);
        let matches = random_graph(n, m.min(n), &mut random);
        for (walk, closing) in WAYS {
            let assignments: Vec<Vec<u32>> =
                Extraction::new(&matches, walk, closing, &mut random).collect();
            check_assignments(&matches, &assignments);
        }
    }
}

#[test]
fn each_match_is_the_true_one_equally_often() {
    // Two graphs: a ring, and one whose assignments are few.
    let graphs = [
        ring(&[0, 1, 2, 3, 4, 5], 3).unwrap(),
        Matches::new(2, vec![0, 1, 0, 1, 2, 3, 3, 2]).unwrap(),
    ];
    for matches in graphs {
        let (n, m, draws) = (matches.len(), matches.m(), 6000);
        let mut counts = vec![0u32; n * n];
        for seed in 0..draws {
            let assignment = extraction::draw(&matches, &mut RandomStream::from_seed(seed));
            assignment
                .iter()
                .enumerate()
                .for_each(|(record, published)| counts[record * n + *published as usize] += 1);
        }
        let expected = draws as f64 / m as f64;
        for record in 0..n {
            let rows = matches
                .of(record)
                .iter()
                .map(|published| f64::from(counts[record * n + *published as usize]));
            let statistic: f64 = rows.map(|count| (count - expected).powi(2) / expected).sum();
            // The 99.99 % points of the chi-squared distribution with 1 and 2 degrees of freedom
            // are 15.1 and 18.4.
            assert!(statistic < 18.5, "{record}: {statistic}");
        }
    }
}

#[test]
fn each_match_is_the_true_one_with_exactly_the_same_probability() {
    use super::script::enumerate;
    // Everything that chance can do, for tiny graphs: rings, and one whose halves have nothing to
    // do with each other.
    let graphs = [
        ring(&[0, 1], 2).unwrap(),
        ring(&[2, 0, 1], 2).unwrap(),
        ring(&[2, 0, 1], 3).unwrap(),
        ring(&[3, 0, 2, 1], 2).unwrap(),
        Matches::new(2, vec![0, 1, 0, 1, 2, 3, 3, 2]).unwrap(),
    ];
    let ways: [fn(&Matches, &mut RandomStream) -> Vec<u32>; 2] =
        [extraction::draw, |matches, random| {
            let order: Vec<u32> = (0..matches.len() as u32).rev().collect();
            extraction::draw_along(matches, &order, random)
        }];
    for (matches, way) in graphs.iter().flat_map(|matches| ways.map(|way| (matches, way))) {
        let (n, m) = (matches.len(), matches.m());
        let mut probability = vec![0.0; n * n];
        let mut total = 0.0;
        enumerate(
            |random| way(matches, random),
            |assignment, p| {
                total += p;
                assignment
                    .iter()
                    .enumerate()
                    .for_each(|(record, row)| probability[record * n + *row as usize] += p);
            },
        );
        assert!((total - 1.0f64).abs() < 1e-9, "{total}");
        for record in 0..n {
            for row in 0..n {
                let expected =
                    if matches.of(record).contains(&(row as u32)) { 1.0 / m as f64 } else { 0.0 };
                let found: f64 = probability[record * n + row];
                assert!((found - expected).abs() < 1e-9, "{record} {row}: {found}, not {expected}");
            }
        }
    }
}

#[test]
fn closed_walks_take_about_n_log_n_steps() {
    let mut random = RandomStream::from_seed(4);
    let order = random.permutation(20_000);
    let matches = ring(&order, 10).unwrap();
    let mut extraction = Extraction::new(&matches, Walk::Closed, Closing::Any, &mut random);
    assert_eq!(extraction.by_ref().count(), 10);
    let per_edge = extraction.steps() as f64 / 200_000.0;
    assert!((1.0..20_000f64.ln()).contains(&per_edge), "{per_edge}");
}
