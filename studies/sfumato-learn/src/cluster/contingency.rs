//! Compares two clusterings of the same rows: how many rows are in cluster i of one and cluster j
//! of the other.

use sfumato_core::{Error, FastMap, Result};

/// The number of rows by pair of clusters. It stores only pairs that occur, so that many small
/// clusters take no quadratic memory.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Contingency {
    /// Rows of each natural cluster: of the first clustering.
    pub first: Vec<u64>,
    /// Rows of each query cluster: of the second clustering.
    pub second: Vec<u64>,
    /// (cluster of the first, cluster of the second, rows in both), ascending, without zeros.
    pub both: Vec<(u32, u32, u64)>,
    /// Rows.
    pub n: u64,
}

impl Contingency {
    /// Count. Labels are small numbers; clusters that don't occur have no rows. An error without
    /// rows or if lengths differ.
    pub fn new(first: &[u32], second: &[u32]) -> Result<Self> {
        if first.len() != second.len() || first.is_empty() {
            let (a, b) = (first.len(), second.len());
            return Err(Error::internal(format!(
                "clusterings of {a} and {b} rows can't be compared"
            )));
        }
        let mut pairs: FastMap<(u32, u32), u64> = FastMap::default();
        for pair in first.iter().copied().zip(second.iter().copied()) {
            *pairs.entry(pair).or_insert(0) += 1;
        }
        let both = pairs.into_iter().map(|((i, j), n)| (i, j, n)).collect();
        Ok(Self::from_counts(both))
    }

    /// Make the table from rows per pair of clusters.
    pub fn from_counts(mut both: Vec<(u32, u32, u64)>) -> Self {
        both.retain(|(_, _, n)| *n > 0);
        both.sort_unstable();
        let mut table =
            Contingency { first: Vec::new(), second: Vec::new(), both: Vec::new(), n: 0 };
        for (i, j, n) in &both {
            for (sums, cluster) in
                [(&mut table.first, *i as usize), (&mut table.second, *j as usize)]
            {
                sums.resize(sums.len().max(cluster + 1), 0);
                sums[cluster] += n;
            }
            table.n += n;
        }
        Contingency { both, ..table }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn counts_pairs_and_margins() {
        let table = Contingency::new(&[0, 0, 2, 2, 2], &[1, 0, 1, 1, 0]).unwrap();
        assert_eq!(table.both, [(0, 0, 1), (0, 1, 1), (2, 0, 1), (2, 1, 2)]);
        assert_eq!(
            (table.first.clone(), table.second.clone(), table.n),
            (vec![2, 0, 3], vec![2, 3], 5)
        );
        assert_eq!(table, Contingency::from_counts(table.both.clone()));
        assert!(Contingency::new(&[0], &[]).is_err() && Contingency::new(&[], &[]).is_err());
    }
}
