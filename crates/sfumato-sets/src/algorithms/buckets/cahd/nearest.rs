//! Selects the candidates that are most similar to a record.

use std::cmp::Ordering;

use sfumato_core::column::Code;
use sfumato_core::transactions::Sets;

use super::candidates::Candidate;

/// A measure of the similarity of two records.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Similarity {
    /// The number of items that they have in common.
    Common,
    /// The Jaccard similarity: the number of common items divided by the number of items that at
    /// least one of them has.
    Jaccard,
}

/// Compares candidates with a record, with buffers that are reused from record to record.
pub struct Nearest<'a, C> {
    rows: Sets<'a, C>,
    order: &'a [u32],
    similarity: Similarity,
    /// For each item, the last comparison in which the record had it.
    mine: Vec<u32>,
    comparison: u32,
    rated: Vec<Rated>,
}

/// A candidate with its similarity as a fraction, so that comparisons are exact.
#[derive(Debug, Clone, Copy)]
struct Rated {
    common: u32,
    of: u32,
    candidate: Candidate,
}

impl Rated {
    /// Compare two candidates: the more similar comes first, then the nearer.
    fn compare(&self, other: &Rated) -> Ordering {
        let (mine, theirs) = (
            u64::from(self.common) * u64::from(other.of),
            u64::from(other.common) * u64::from(self.of),
        );
        theirs.cmp(&mine).then_with(|| self.candidate.cmp(&other.candidate))
    }
}

impl<'a, C: Code> Nearest<'a, C> {
    /// A comparison for records in an order.
    pub fn new(
        rows: Sets<'a, C>,
        n_items: usize,
        order: &'a [u32],
        similarity: Similarity,
    ) -> Self {
        Nearest {
            rows,
            order,
            similarity,
            mine: vec![0; n_items],
            comparison: 0,
            rated: Vec::new(),
        }
    }

    fn row(&self, position: u32) -> &'a [C] {
        self.rows.get(self.order[position as usize] as usize)
    }

    /// Keep `n` of the candidates of a position: the most similar, and of equal ones the nearest.
    pub fn keep(&mut self, position: u32, candidates: &mut Vec<Candidate>, n: usize) {
        if candidates.len() <= n {
            return;
        }
        if n == 0 {
            candidates.clear();
            return;
        }
        self.comparison += 1;
        let record = self.row(position);
        record.iter().for_each(|code| self.mine[code.widen() as usize] = self.comparison);
        let mut rated = std::mem::take(&mut self.rated);
        rated.clear();
        rated.extend(candidates.iter().map(|candidate| {
            let other = self.row(candidate.position);
            let is_mine = |code: &&C| self.mine[code.widen() as usize] == self.comparison;
            let common = other.iter().filter(is_mine).count();
            let of = match self.similarity {
                Similarity::Common => 1,
                // Two records without items are alike in nothing; any denominator will do.
                Similarity::Jaccard => (record.len() + other.len() - common).max(1),
            };
            Rated { common: common as u32, of: of as u32, candidate: *candidate }
        }));
        rated.select_nth_unstable_by(n - 1, Rated::compare);
        candidates.clear();
        candidates.extend(rated[..n].iter().map(|rated| rated.candidate));
        self.rated = rated;
    }
}
