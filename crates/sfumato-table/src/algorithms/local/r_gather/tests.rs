//! Compares the radius with a search over all clusterings of a few records.

use super::*;
use crate::algorithms::shared::testing::{Numbers, in_order};
use proptest::prelude::*;

/// The largest distance of a record from the best centre of its cluster.
fn radius(points: &Points<'_>, clusters: &[Vec<usize>]) -> f64 {
    let of = |cluster: &Vec<usize>| {
        let from = |&centre: &usize| {
            cluster.iter().map(|&p| points.distance(centre, p)).fold(0.0, f64::max)
        };
        cluster.iter().map(from).fold(f64::INFINITY, f64::min)
    };
    clusters.iter().map(of).fold(0.0, f64::max)
}

/// The best radius over all clusterings of records with a limited number of outliers.
fn best_radius(points: &Points<'_>, records: &[usize], r: usize, outliers: usize) -> f64 {
    fn all(
        points: &Points<'_>,
        left: &[usize],
        clusters: &mut Vec<Vec<usize>>,
        r: usize,
        outliers: usize,
        best: &mut f64,
    ) {
        let Some((&record, left)) = left.split_first() else {
            if !clusters.is_empty() && clusters.iter().all(|cluster| cluster.len() >= r) {
                *best = best.min(radius(points, clusters));
            }
            return;
        };
        for place in 0..clusters.len() {
            clusters[place].push(record);
            all(points, left, clusters, r, outliers, best);
            clusters[place].pop();
        }
        clusters.push(vec![record]);
        all(points, left, clusters, r, outliers, best);
        clusters.pop();
        if outliers > 0 {
            all(points, left, clusters, r, outliers - 1, best);
        }
    }
    let mut best = f64::INFINITY;
    all(points, records, &mut Vec::new(), r, outliers, &mut best);
    best
}

#[test]
fn two_heaps_are_two_clusters() {
    Numbers::new(&[&[1, 90, 2, 91, 0, 92]]).with(3, 0, |task, space, _, progress| {
        let points = Points::new(task, space);
        let gathered = gather(&points, 3, 0, progress).unwrap();
        let clusters: Vec<Vec<u32>> =
            gathered.clusters.iter().map(|cluster| cluster.rows().collect()).collect();
        assert_eq!(in_order(&clusters), [vec![0, 2, 4], vec![1, 3, 5]]);
    });
}

#[test]
fn a_far_record_is_left_out_where_that_is_allowed() {
    let numbers = Numbers::new(&[&[1, 2, 3, 50, 97, 98, 99]]);
    numbers.with(3, 1, |task, space, _, progress| {
        let points = Points::new(task, space);
        let gathered = gather(&points, 3, 1, progress).unwrap();
        assert_eq!(gathered.outliers, [3]);
        assert_eq!(gathered.clusters.len(), 2);
        assert!(gathered.radius <= 0.02 + 1e-12);
    });
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(150))]

    #[test]
    fn the_radius_is_within_its_factor(
        a in prop::collection::vec(0u32..=100, 7), b in prop::collection::vec(0u32..=100, 7),
        n in 2usize..8, r in 1usize..4, outliers in 0usize..3,
    ) {
        prop_assume!(n >= r);
        Numbers::new(&[&a[..n], &b[..n]])
            .with(r as u64, outliers as u64, |task, space, _, progress| {
            let points = Points::new(task, space);
            let point_of = points.of_rows();
            let records: Vec<usize> = point_of.iter().map(|&point| point as usize).collect();
            let best = best_radius(&points, &records, r, outliers);
            let gathered = gather(&points, r, outliers as u64, progress).unwrap();
            assert!(gathered.outliers.len() <= outliers);
            let factor = if outliers == 0 { 2.0 } else { 3.0 };
            for clusters in [gathered.clusters.clone(),
                again(gathered.clusters, r, gathered.bound, progress).unwrap()] {
                let clusters: Vec<Vec<usize>> = clusters
                    .iter()
                    .map(|cluster| cluster.rows().map(|row| point_of[row as usize] as usize)
                        .collect())
                    .collect();
                let n_clustered: usize = clusters.iter().map(Vec::len).sum();
                assert_eq!(n_clustered + gathered.outliers.len(), n);
                assert!(clusters.iter().all(|cluster| cluster.len() >= r));
                assert!(radius(&points, &clusters) <= factor * best + 1e-9);
            }
        });
    }
}
