//! The generalization graph: which original record matches which published records. Each original
//! record matches as many published ones as match it.

use crate::error::{Error, Result};

/// A regular bipartite graph from `n` original records to `n` published ones: each record has `m`
/// edges, and no edge occurs twice.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Matches {
    m: usize,
    post: Vec<u32>,
}

impl Matches {
    /// Make the graph from the `m` postimages (published records) of each original record, one
    /// record after the other.
    pub fn new(m: usize, post: Vec<u32>) -> Result<Self> {
        if m == 0 || !post.len().is_multiple_of(m) {
            return Err(Error::params(format!(
                "there are {} edges, which isn't {m} for each record",
                post.len()
            )));
        }
        let n = post.len() / m;
        let mut degree = vec![0usize; n];
        let mut last = vec![u32::MAX; n];
        for (record, row) in (0u32..).zip(post.chunks_exact(m)) {
            for published in row {
                let place = *published as usize;
                if place >= n || std::mem::replace(&mut last[place], record) == record {
                    return Err(Error::params(format!(
                        "record {record} has no {m} different matches"
                    )));
                }
                degree[place] += 1;
            }
        }
        match degree.iter().position(|degree| *degree != m) {
            Some(place) => {
                let message =
                    format!("published record {place} matches {} records, not {m}", degree[place]);
                Err(Error::params(message))
            }
            None => Ok(Matches { m, post }),
        }
    }

    /// The number of records.
    pub fn len(&self) -> usize {
        self.post.len() / self.m
    }
    /// Whether there are no records.
    pub fn is_empty(&self) -> bool {
        self.post.is_empty()
    }
    /// The number of matches of each record.
    pub fn m(&self) -> usize {
        self.m
    }
    /// The published records that an original record matches.
    pub fn of(&self, record: usize) -> &[u32] {
        &self.post[record * self.m..][..self.m]
    }
    /// All matches, beginning with those of the first record.
    pub fn all(&self) -> &[u32] {
        &self.post
    }

    /// The reversed graph: the original records that match each published one, ascending.
    pub fn preimages(&self) -> Matches {
        let mut filled = vec![0; self.len()];
        let mut pre = vec![0; self.post.len()];
        for (record, row) in (0u32..).zip(self.post.chunks_exact(self.m)) {
            for published in row {
                let place = *published as usize;
                pre[place * self.m + filled[place]] = record;
                filled[place] += 1;
            }
        }
        Matches { m: self.m, post: pre }
    }

    /// The graph with the original records in another order: record `i` is what record `order[i]`
    /// was.
    pub fn reordered(&self, order: &[u32]) -> Matches {
        Matches {
            m: self.m,
            post: order.iter().flat_map(|record| self.of(*record as usize)).copied().collect(),
        }
    }

    /// The graph with other numbers for the published records. The numbers must be a permutation.
    pub fn renumbered(&self, number_of: &[u32]) -> Matches {
        Matches {
            m: self.m,
            post: self.post.iter().map(|published| number_of[*published as usize]).collect(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_regular_graphs_are_taken() {
        let matches = Matches::new(2, vec![1, 2, 0, 2, 1, 0]).unwrap();
        assert_eq!((matches.len(), matches.m(), matches.of(1)), (3, 2, &[0, 2][..]));
        assert_eq!(matches.preimages().all(), [1, 2, 0, 2, 0, 1]);
        assert_eq!(matches.preimages().preimages().all(), [1, 2, 0, 2, 0, 1]);
        assert_eq!(matches.renumbered(&[2, 0, 1]).all(), [0, 1, 2, 1, 0, 2]);
        assert_eq!(matches.reordered(&[2, 0, 1]).all(), [1, 0, 1, 2, 0, 2]);
        assert!(Matches::new(2, vec![1, 1, 0, 2, 2, 0]).is_err());
        assert!(Matches::new(2, vec![1, 2, 0, 2, 1, 2]).is_err());
        assert!(Matches::new(2, vec![1, 2, 0, 3, 1, 0]).is_err());
        assert!(Matches::new(2, vec![1]).is_err());
        assert!(Matches::new(0, vec![]).is_err());
        assert!(Matches::new(4, vec![]).unwrap().is_empty());
    }
}
