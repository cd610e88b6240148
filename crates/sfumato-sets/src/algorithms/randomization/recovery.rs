//! Recovers how many records have some items from their random sets: what an operator does to the
//! number of these items in a set is a matrix, and its inverse is applied to what is counted.

use sfumato_core::transactions::Transactions;
use sfumato_core::{Error, FastMap, Result};

use super::operator::{Operator, SizeOperator};

/// A number of records, and its standard deviation.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct Recovered {
    /// How many records are expected to have the items.
    pub count: f64,
    /// How far that is from the truth, as the standard deviation of the estimate.
    pub deviation: f64,
}

/// The largest number of items that may be asked about together.
pub const MOST: usize = 8;

/// The probability that a random set of a record that has l of k items has l' of them: row l',
/// column l.
pub fn transition(of: &SizeOperator, k: usize) -> Vec<Vec<f64>> {
    let (m, most) = (of.size as usize, k.min(of.size as usize));
    let mut matrix = vec![vec![0.0; most + 1]; k + 1];
    let columns = 0..=most;
    for l in columns {
        for (j, p) in of.keep.iter().enumerate() {
            // q of the l items are among the j that are kept.
            for q in 0..=l.min(j) {
                if j - q > m - l {
                    continue;
                }
                let kept = p * (ln_choose(l, q) + ln_choose(m - l, j - q) - ln_choose(m, j)).exp();
                // And some of the others are added.
                for added in 0..=k - l {
                    let chance = ln_choose(k - l, added).exp()
                        * of.rho.powi(added as i32)
                        * (1.0 - of.rho).powi((k - l - added) as i32);
                    matrix[q + added][l] += kept * chance;
                }
            }
        }
    }
    matrix
}

/// The logarithm of a binomial coefficient.
fn ln_choose(n: usize, k: usize) -> f64 {
    (0..k.min(n - k)).map(|i| ((n - i) as f64 / (i + 1) as f64).ln()).sum()
}

/// How many records have all of some items, from random sets and the sizes of the original ones.
pub fn recover(
    operator: &Operator,
    rows: &Transactions,
    sizes: &[u32],
    items: &[u32],
) -> Result<Recovered> {
    let k = items.len();
    if k > MOST {
        return Err(Error::unsupported(format!(
            "at most {MOST} items can be asked about together: more leave nothing but noise"
        )));
    }
    if k == 0 {
        return Ok(Recovered { count: rows.len() as f64, deviation: 0.0 });
    }
    // How many sets of each size have how many of the items.
    let mut counted: FastMap<u32, Vec<u64>> = FastMap::default();
    for (row, size) in sizes.iter().enumerate() {
        let set = rows.set(row);
        let has = items.iter().filter(|item| set.binary_search(item).is_ok()).count();
        counted.entry(*size).or_insert_with(|| vec![0; k + 1])[has] += 1;
    }
    let mut counted: Vec<(u32, Vec<u64>)> = counted.into_iter().collect();
    counted.sort_unstable();
    let (mut count, mut variance) = (0.0, 0.0);
    for (size, found) in counted {
        // A set with fewer items has not all of these.
        if (size as usize) < k {
            continue;
        }
        let matrix = transition(operator.of_size(size as usize)?, k);
        let last = last_row_of_inverse(&matrix)?;
        let n: u64 = found.iter().sum();
        let estimate: f64 = last.iter().zip(&found).map(|(a, n)| a * *n as f64).sum();
        count += estimate;
        // The variance of a sum of independent draws, each of which counts last[l'].
        let square: f64 = last.iter().zip(&found).map(|(a, n)| a * a * *n as f64).sum();
        variance += (square - estimate.powi(2) / n as f64).max(0.0);
    }
    Ok(Recovered { count, deviation: variance.sqrt() })
}

/// The last row of the inverse of a square matrix: the solution x of x M = (0, ..., 0, 1).
fn last_row_of_inverse(matrix: &[Vec<f64>]) -> Result<Vec<f64>> {
    let n = matrix.len();
    // Elimination with the largest pivot, on the transposed matrix and the right side.
    let mut rows: Vec<Vec<f64>> = (0..n)
        .map(|column| {
            let mut row: Vec<f64> = (0..n).map(|at| matrix[at][column]).collect();
            row.push(if column + 1 == n { 1.0 } else { 0.0 });
            row
        })
        .collect();
    for at in 0..n {
        let pivot =
            (at..n).max_by(|a, b| rows[*a][at].abs().total_cmp(&rows[*b][at].abs())).unwrap_or(at);
        rows.swap(at, pivot);
        if rows[at][at].abs() < 1e-12 {
            return Err(Error::unsupported(
                "the operator leaves nothing of so many items: their support can't be recovered",
            ));
        }
        for other in (0..n).filter(|other| *other != at) {
            let factor = rows[other][at] / rows[at][at];
            let pivot = rows[at].clone();
            rows[other].iter_mut().zip(&pivot).skip(at).for_each(|(cell, p)| *cell -= factor * p);
        }
    }
    Ok((0..n).map(|at| rows[at][n] / rows[at][at]).collect())
}
