//! Match point of two clusterings: the share of pairs of rows that both put together or both keep
//! apart.

use super::Contingency;

/// The share of equal cells of the two n x n matrices that say which rows lie together, diagonal
/// included, without making them: `(n^2 - sum of squares of both margins + 2 * sum of squares of
/// the pairs) / n^2`. 0 without rows.
pub fn match_point(table: &Contingency) -> f64 {
    let squares =
        |counts: &[u64]| counts.iter().map(|n| u128::from(*n) * u128::from(*n)).sum::<u128>();
    let all = u128::from(table.n) * u128::from(table.n);
    let both: u128 = table.both.iter().map(|(_, _, n)| u128::from(*n) * u128::from(*n)).sum();
    // Whole numbers until the last step; added before anything is taken off.
    let matches = all + 2 * both - squares(&table.first) - squares(&table.second);
    if all == 0 { 0.0 } else { matches as f64 / all as f64 }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn the_examples_of_the_book() {
        // Example 7.5.
        let table = Contingency::new(&[0, 0, 0, 1, 1], &[0, 0, 1, 1, 1]).unwrap();
        assert_eq!(match_point(&table), 0.68);
        // The clusterings of example 7.4.
        let table = Contingency::from_counts(vec![(0, 0, 2), (0, 1, 19), (1, 0, 10), (1, 1, 3)]);
        assert!((match_point(&table) - 0.749_13).abs() < 5e-6);
        assert_eq!(match_point(&Contingency::from_counts(vec![])), 0.0);
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(200))]
        #[test]
        fn agrees_with_the_matrices(rows in prop::collection::vec((0u32..5, 0u32..5), 1..30)) {
            let (a, b): (Vec<u32>, Vec<u32>) = rows.into_iter().unzip();
            let n = a.len();
            let cells = (0..n).flat_map(|i| (0..n).map(move |j| (i, j)));
            let equal = cells.filter(|(i, j)| (a[*i] == a[*j]) == (b[*i] == b[*j])).count();
            let table = Contingency::new(&a, &b).unwrap();
            prop_assert_eq!(match_point(&table), equal as f64 / (n * n) as f64);
            prop_assert_eq!(match_point(&table), match_point(&Contingency::new(&b, &a).unwrap()));
        }
    }
}
