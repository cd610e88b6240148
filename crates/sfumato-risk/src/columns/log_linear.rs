//! Individual risk by a log-linear model: how likely somebody who is unique in a sample is unique
//! in the population, from how frequent the values are by themselves or in pairs.
//!
//! Counts of the population are taken for independent Poisson numbers whose means are a product of
//! effects. With main effects the means are products of shares; with pairs they are fitted to the
//! counts of every two columns by iterative proportional fitting over all cells.

use sfumato_core::column::Codes;
use sfumato_core::{Error, Result};

/// Which effects a model has.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Effects {
    /// Each column by itself.
    Main,
    /// Every two columns together.
    Pairs,
}

/// The largest number of cells that pairs are fitted over.
pub const MOST_CELLS: usize = 4_000_000;

/// How often margins are fitted at most.
const ROUNDS: usize = 100;
/// Fitting ends when no margin is off by more than this share.
const CLOSE: f64 = 1e-6;

/// What is said of a record that is unique in the sample.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Rare {
    /// The row.
    pub row: u32,
    /// The count that the model expects in the sample.
    pub expected: f64,
    /// The chance that the record is unique in the population.
    pub unique: f64,
    /// The mean of one over its number in the population: how often linking it is right.
    pub linked: f64,
}

/// The risk of every record that is unique in the sample, where `fraction` of the population was
/// drawn, in the order of the rows.
pub fn of_uniques(columns: &[Codes], fraction: f64, effects: Effects) -> Result<Vec<Rare>> {
    let n_rows = columns.first().map_or(0, Codes::len);
    let expected = match effects {
        Effects::Main => main(columns, n_rows),
        Effects::Pairs => pairs(columns, n_rows)?,
    };
    let mut counts: sfumato_core::FastMap<Vec<u32>, (u32, u32)> = Default::default();
    for row in 0..n_rows {
        let key = columns.iter().map(|column| column.get(row)).collect();
        counts.entry(key).or_insert((0, row as u32)).0 += 1;
    }
    let mut uniques: Vec<u32> =
        counts.into_values().filter(|(count, _)| *count == 1).map(|(_, row)| row).collect();
    uniques.sort_unstable();
    let others = (1.0 - fraction.clamp(0.0, 1.0)) / fraction.max(f64::MIN_POSITIVE);
    let rare = |row: u32| {
        let expected = expected[row as usize];
        // People of the population who weren't drawn and are alike.
        let mean = expected * others;
        let linked = if mean < 1e-9 { 1.0 - mean / 2.0 } else { -(-mean).exp_m1() / mean };
        Rare { row, expected, unique: (-mean).exp(), linked }
    };
    Ok(uniques.into_iter().map(rare).collect())
}

fn counts_of(column: &Codes) -> Vec<f64> {
    let n = column.iter().max().map_or(0, |code| code as usize + 1);
    let mut counts = vec![0.0; n];
    column.iter().for_each(|code| counts[code as usize] += 1.0);
    counts
}

/// The expected count of each row's cell if columns are independent.
fn main(columns: &[Codes], n_rows: usize) -> Vec<f64> {
    let mut expected = vec![n_rows as f64; n_rows];
    for column in columns {
        let counts = counts_of(column);
        for (expected, code) in expected.iter_mut().zip(column.iter()) {
            *expected *= counts[code as usize] / n_rows as f64;
        }
    }
    expected
}

/// The expected count of each row's cell if every two columns go together as they do in the sample.
fn pairs(columns: &[Codes], n_rows: usize) -> Result<Vec<f64>> {
    let sizes: Vec<usize> = columns
        .iter()
        .map(|column| column.iter().max().map_or(0, |code| code as usize + 1))
        .collect();
    let cells = sizes.iter().try_fold(1usize, |all, n| all.checked_mul(*n));
    let Some(cells) = cells.filter(|cells| *cells <= MOST_CELLS) else {
        return Err(Error::unsupported(format!(
            "pairs of columns are fitted over at most {MOST_CELLS} combinations of values, and \
             there are more"
        ))
        .hint("name fewer columns, or take main effects"));
    };
    let mut steps = vec![1usize; columns.len()];
    for at in 1..columns.len() {
        steps[at] = steps[at - 1] * sizes[at - 1];
    }
    let digit = |cell: usize, at: usize| cell / steps[at] % sizes[at];
    let mut margins: Vec<(usize, usize, Vec<f64>)> = Vec::new();
    for a in 0..columns.len() {
        for b in a + 1..columns.len() {
            let mut counts = vec![0.0; sizes[a] * sizes[b]];
            for (a_code, b_code) in columns[a].iter().zip(columns[b].iter()) {
                counts[a_code as usize * sizes[b] + b_code as usize] += 1.0;
            }
            margins.push((a, b, counts));
        }
    }
    if margins.is_empty() {
        return Ok(main(columns, n_rows));
    }
    let mut fitted = vec![n_rows as f64 / cells.max(1) as f64; cells];
    for _ in 0..ROUNDS {
        let mut off = 0.0f64;
        for (a, b, counts) in &margins {
            let mut sums = vec![0.0; counts.len()];
            let place = |cell: usize| digit(cell, *a) * sizes[*b] + digit(cell, *b);
            fitted.iter().enumerate().for_each(|(cell, mean)| sums[place(cell)] += mean);
            let factors: Vec<f64> = sums
                .iter()
                .zip(counts)
                .map(|(sum, count)| if *sum > 0.0 { count / sum } else { 0.0 })
                .collect();
            for (factor, count) in factors.iter().zip(counts) {
                if *count > 0.0 {
                    off = off.max((factor - 1.0).abs());
                }
            }
            fitted.iter_mut().enumerate().for_each(|(cell, mean)| *mean *= factors[place(cell)]);
        }
        if off < CLOSE {
            break;
        }
    }
    let cell = |row: usize| -> usize {
        columns.iter().zip(&steps).map(|(column, step)| column.get(row) as usize * step).sum()
    };
    Ok((0..n_rows).map(|row| fitted[cell(row)]).collect())
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::super::testing::{alike, columns, rows};
    use super::*;

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(60))]
        #[test]
        fn only_uniques_have_a_risk_and_a_census_leaves_no_doubt(rows in rows(3)) {
            let columns = columns(&rows);
            for effects in [Effects::Main, Effects::Pairs] {
                let all = (1u32 << columns.len()) - 1;
                let uniques: Vec<u32> = (0..rows.len() as u32)
                    .filter(|row| alike(&rows, *row as usize, all) == 1).collect();
                let found = of_uniques(&columns, 1.0, effects).unwrap();
                prop_assert_eq!(found.iter().map(|rare| rare.row).collect::<Vec<_>>(), uniques);
                prop_assert!(found.iter().all(|rare| rare.unique == 1.0 && rare.linked == 1.0));
                for rare in of_uniques(&columns, 0.1, effects).unwrap() {
                    prop_assert!(rare.expected > 0.0, "{rare:?}");
                    prop_assert!(rare.unique <= rare.linked + 1e-12 && rare.linked <= 1.0);
                }
            }
        }

        #[test]
        fn two_columns_in_pairs_are_fitted_exactly(rows in rows(2)) {
            // With two columns the pairs are the cells themselves.
            prop_assume!(rows[0].len() == 2);
            for rare in of_uniques(&columns(&rows), 0.5, Effects::Pairs).unwrap() {
                prop_assert!((rare.expected - 1.0).abs() < 1e-6, "{rare:?}");
            }
        }
    }

    #[test]
    fn main_effects_are_products_of_shares() {
        let rows = [vec![0, 0], vec![0, 0], vec![0, 1], vec![1, 0]];
        let found = of_uniques(&columns(&rows), 0.25, Effects::Main).unwrap();
        // Both uniques: 4 * 3/4 * 1/4.
        assert_eq!(found.len(), 2);
        for rare in found {
            assert!((rare.expected - 0.75).abs() < 1e-12);
            // Three of four weren't drawn: 0.75 * 3 others are expected.
            assert!((rare.unique - (-2.25f64).exp()).abs() < 1e-12);
        }
    }

    #[test]
    fn too_many_cells_are_refused() {
        let columns: Vec<Codes> = (0..4).map(|_| Codes::U32((0..100).collect())).collect();
        let error = of_uniques(&columns, 0.1, Effects::Pairs).unwrap_err();
        assert!(error.message.contains("4000000"), "{error}");
    }
}
