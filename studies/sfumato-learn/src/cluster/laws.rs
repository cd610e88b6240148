//! Laws that hold for every clusterer of the list.

use sfumato_core::registry::Call;

use super::*;
use crate::random::RandomStream;

pub(crate) fn params(clusterer: &dyn Clusterer, text: &str) -> Params {
    let call: Call = format!("{}({text})", clusterer.info().name).parse().unwrap();
    Params::check(clusterer.info(), &call.args).unwrap()
}

/// Rows around corners of a square, far apart.
fn corners(n: usize, seed: u64) -> (Matrix, Vec<u32>) {
    let mut random = RandomStream::new(seed);
    let truth: Vec<u32> = (0..n).map(|i| (i % 4) as u32).collect();
    let corner = |c: u32| [f64::from(c % 2) * 10.0, f64::from(c / 2) * 10.0];
    let rows: Vec<Vec<f64>> =
        truth.iter().map(|c| corner(*c).iter().map(|at| at + random.normal()).collect()).collect();
    (Matrix::from_rows(&rows).unwrap(), truth)
}

#[test]
fn clear_clusters_are_found_and_seeds_repeat() {
    let (x, truth) = corners(600, 1);
    for clusterer in ALL {
        let run = |seed| clusterer.cluster(&params(*clusterer, "k=4"), &x, seed).unwrap();
        let found = run(1);
        let table = Contingency::new(&truth, &found.labels).unwrap();
        assert_eq!(
            (found.n_clusters, match_point(&table), overall_f_measure(&table)),
            (4, 1.0, 1.0)
        );
        assert_eq!(found, run(1));
        assert_eq!(found.labels[..4], [0, 1, 2, 3]);
        let on =
            |n| rayon::ThreadPoolBuilder::new().num_threads(n).build().unwrap().install(|| run(7));
        assert_eq!(on(1), on(3));
        assert_eq!(find(clusterer.info().name).unwrap().info().name, clusterer.info().name);
    }
    assert!(find("k-mean").err().unwrap().hint.unwrap().contains("k-means"));
}

#[test]
fn more_clusters_cost_less() {
    let (x, _) = corners(200, 2);
    for clusterer in ALL {
        let cost =
            |k| clusterer.cluster(&params(*clusterer, &format!("k={k}")), &x, 1).unwrap().cost;
        let costs = [1, 2, 4, 8, 200].map(cost);
        assert!(costs.is_sorted_by(|a, b| a > b), "{costs:?}");
        assert!(costs[4].abs() < 1e-9);
    }
}

#[test]
fn degenerate_tables_have_no_empty_cluster() {
    let tables = [
        Matrix::from_columns(1, &[vec![1.0]]).unwrap(),
        Matrix::from_columns(5, &[]).unwrap(),
        Matrix::from_columns(5, &[vec![2.0; 5]]).unwrap(),
        Matrix::from_columns(5, &[vec![1.0, 1.0, 2.0, 2.0, 2.0]]).unwrap(),
        Matrix::from_columns(5, &[vec![1e150, -1e150, 0.0, 1.0, 2.0]]).unwrap(),
    ];
    for (clusterer, x) in ALL.iter().flat_map(|c| tables.iter().map(move |x| (c, x))) {
        for k in [1, 2, 3, 9] {
            let found = clusterer.cluster(&params(*clusterer, &format!("k={k}")), x, 1).unwrap();
            assert_eq!(found.labels.len(), x.n_rows());
            assert!(found.n_clusters <= k && found.n_clusters >= 1);
            assert!((0..found.n_clusters as u32).all(|c| found.labels.contains(&c)));
            assert!(found.cost >= 0.0);
        }
        assert!(clusterer.cluster(&params(*clusterer, "k=1"), &x.take(&[]), 1).is_err());
    }
}
