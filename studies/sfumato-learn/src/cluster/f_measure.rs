//! F-measure of two clusterings: how well each natural cluster is found again by the best query
//! cluster.

use super::Contingency;

/// F of one pair of clusters: the harmonic mean of recall `both / natural` and precision `both /
/// query`, which is `2 both / (natural + query)`. Two empty clusters have 0.
pub fn f_measure(both: u64, natural: u64, query: u64) -> f64 {
    if both == 0 { 0.0 } else { 2.0 * both as f64 / (natural + query) as f64 }
}

/// Overall F: the mean over rows of the best F of a row's natural cluster (the first clustering's).
/// In 0..=1, 1 if and only if both clusterings are the same; not symmetric.
pub fn overall_f_measure(table: &Contingency) -> f64 {
    let mut best = vec![0.0f64; table.first.len()];
    for (i, j, both) in &table.both {
        let f = f_measure(*both, table.first[*i as usize], table.second[*j as usize]);
        best[*i as usize] = best[*i as usize].max(f);
    }
    let sum: f64 = best.iter().zip(&table.first).map(|(best, rows)| best * *rows as f64).sum();
    if table.n == 0 { 0.0 } else { sum / table.n as f64 }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn the_example_of_the_book() {
        // Example 7.4: 12 records in K1, 22 in K2; C1 has 21 records, C2 has 13.
        let table = Contingency::from_counts(vec![(0, 0, 2), (0, 1, 19), (1, 0, 10), (1, 1, 3)]);
        assert_eq!((table.first.clone(), table.second.clone()), (vec![21, 13], vec![12, 22]));
        let f = |both, i: usize, j: usize| f_measure(both, table.first[i], table.second[j]);
        let exact = [
            (f(2, 0, 0), 4.0 / 33.0),
            (f(19, 0, 1), 38.0 / 43.0),
            (f(10, 1, 0), 0.8),
            (f(3, 1, 1), 6.0 / 35.0),
        ];
        for (ours, exact) in exact {
            assert!((ours - exact).abs() < 1e-15);
        }
        // Printed with two digits.
        assert_eq!(
            [f(2, 0, 0), f(19, 0, 1), f(10, 1, 0), f(3, 1, 1)].map(|f| (f * 100.0).round()),
            [12.0, 88.0, 80.0, 17.0]
        );
        let overall = overall_f_measure(&table);
        assert!((overall - 0.851_71).abs() < 5e-6 && (overall * 100.0).round() == 85.0);
    }

    /// The F-measure from sets of rows, with recall and precision by definition.
    fn by_sets(first: &[u32], second: &[u32]) -> f64 {
        let rows = |labels: &[u32], c: u32| {
            (0..labels.len()).filter(|i| labels[*i] == c).collect::<Vec<_>>()
        };
        let mut sum = 0.0;
        for natural in (0..5).map(|c| rows(first, c)).filter(|rows| !rows.is_empty()) {
            let mut best = 0.0f64;
            for query in (0..5).map(|c| rows(second, c)).filter(|rows| !rows.is_empty()) {
                let both = natural.iter().filter(|i| query.contains(i)).count() as f64;
                let (recall, precision) = (both / natural.len() as f64, both / query.len() as f64);
                if both > 0.0 {
                    best = best.max(2.0 * recall * precision / (recall + precision));
                }
            }
            sum += natural.len() as f64 / first.len() as f64 * best;
        }
        sum
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(200))]
        #[test]
        fn agrees_with_the_definition(rows in prop::collection::vec((0u32..5, 0u32..5), 1..30)) {
            let (a, b): (Vec<u32>, Vec<u32>) = rows.into_iter().unzip();
            let f = overall_f_measure(&Contingency::new(&a, &b).unwrap());
            prop_assert!((f - by_sets(&a, &b)).abs() < 1e-12);
            prop_assert!((0.0..=1.0 + 1e-12).contains(&f));
            let renamed: Vec<u32> = a.iter().map(|c| 7 - c).collect();
            prop_assert!((overall_f_measure(&Contingency::new(&a, &renamed).unwrap()) - 1.0)
                .abs() < 1e-12);
        }
    }
}
