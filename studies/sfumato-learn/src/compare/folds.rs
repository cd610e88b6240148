//! Divides rows into training and test rows, by seed.

use sfumato_core::{Error, Result};

use crate::random::RandomStream;

/// Rows to train on and rows to test on: disjoint, each in ascending order.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Split {
    /// Training rows.
    pub train: Vec<u32>,
    /// Test rows.
    pub test: Vec<u32>,
}

impl Split {
    /// The split whose test rows these are; all other rows of `0..n` train. Rows may come in any
    /// order.
    pub fn by_test(n: usize, test: &[u32]) -> Split {
        let mut is_test = vec![false; n];
        for row in test {
            if let Some(flag) = is_test.get_mut(*row as usize) {
                *flag = true;
            }
        }
        let (test, train) = (0..n as u32).partition(|row| is_test[*row as usize]);
        Split { train, test }
    }
}

/// Cut `0..n` into `k` folds of nearly equal size, at random: the test rows of each fold, in
/// ascending order.
pub fn folds(n: usize, k: usize, seed: u64) -> Result<Vec<Vec<u32>>> {
    check(n, k)?;
    Ok(deal(RandomStream::new(seed).order(n), k))
}

/// Folds with nearly equally many rows of each class in each fold. Sizes of folds differ by at most
/// 1, and so do the rows of a class.
pub fn stratified_folds(y: &[u32], k: usize, seed: u64) -> Result<Vec<Vec<u32>>> {
    check(y.len(), k)?;
    let mut order = RandomStream::new(seed).order(y.len());
    // Stable: within a class the order stays random. Dealing goes on from class to class.
    order.sort_by_key(|row| y[*row as usize]);
    Ok(deal(order, k))
}

/// `times` random splits of `0..n` with `n_test` test rows each, drawn independently of each other.
pub fn splits(n: usize, n_test: usize, times: usize, seed: u64) -> Result<Vec<Split>> {
    if n >= u32::MAX as usize || n_test == 0 || n_test >= n {
        return Err(Error::params(format!("can't test on {n_test} of {n} rows"))
            .hint("at least one row must be left to train on, and one to test on"));
    }
    let one = |time| Split::by_test(n, &RandomStream::stream(seed, time as u64).order(n)[..n_test]);
    Ok((0..times).map(one).collect())
}

fn check(n: usize, k: usize) -> Result<()> {
    if n >= u32::MAX as usize || k < 2 || k > n {
        return Err(Error::params(format!("can't cut {n} rows into {k} folds"))
            .hint("folds must be at least 2 and at most the number of rows"));
    }
    Ok(())
}

fn deal(order: Vec<u32>, k: usize) -> Vec<Vec<u32>> {
    let mut folds = vec![Vec::new(); k];
    for (place, row) in order.into_iter().enumerate() {
        folds[place % k].push(row);
    }
    folds.iter_mut().for_each(|fold| fold.sort_unstable());
    folds
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn differ_by_one(sizes: impl Iterator<Item = usize>) -> bool {
        let sizes: Vec<usize> = sizes.collect();
        sizes.iter().max().unwrap() - sizes.iter().min().unwrap() <= 1
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(100))]
        #[test]
        fn folds_cut_the_rows_evenly(y in prop::collection::vec(0u32..4, 2..60), k in 2usize..6,
            seed: u64) {
            let k = k.min(y.len());
            let (plain, stratified) =
                (folds(y.len(), k, seed).unwrap(), stratified_folds(&y, k, seed).unwrap());
            for folds in [&plain, &stratified] {
                let mut all = folds.concat();
                all.sort_unstable();
                prop_assert_eq!(all, (0..y.len() as u32).collect::<Vec<_>>());
                prop_assert!(folds.len() == k && differ_by_one(folds.iter().map(Vec::len)));
            }
            for class in 0..4 {
                let of_class =
                    |fold: &Vec<u32>| fold.iter().filter(|row| y[**row as usize] == class).count();
                prop_assert!(differ_by_one(stratified.iter().map(of_class)));
            }
            prop_assert_eq!(&plain, &folds(y.len(), k, seed).unwrap());
        }
    }

    #[test]
    fn splits_are_disjoint_and_differ() {
        let splits = splits(20, 5, 3, 1).unwrap();
        for split in &splits {
            assert_eq!((split.test.len(), split.train.len()), (5, 15));
            assert!(
                split.train.is_sorted() && split.train.iter().all(|row| !split.test.contains(row))
            );
        }
        assert!(splits[0] != splits[1] && splits[1] != splits[2]);
        assert_eq!(Split::by_test(4, &[2, 0, 9]), Split { train: vec![1, 3], test: vec![0, 2] });
    }

    #[test]
    fn impossible_cuts_are_errors() {
        assert!(
            folds(3, 4, 0).is_err()
                && folds(3, 1, 0).is_err()
                && stratified_folds(&[], 2, 0).is_err()
        );
        assert!(splits(3, 3, 1, 0).is_err() && splits(3, 0, 1, 0).is_err());
    }
}
