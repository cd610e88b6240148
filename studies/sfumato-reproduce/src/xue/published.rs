//! The published records and their loss, by the two measures of the paper.

use sfumato_core::matches::Matches;
use sfumato_core::transactions::Transactions;
use sfumato_core::{Error, Result};
use sfumato_kernels::nonreciprocal::{RandomStream, extraction};
use sfumato_sets::algorithms::nonreciprocal::greedy_pick::greedy_matches;
use sfumato_sets::algorithms::nonreciprocal::mend::mend;
use sfumato_sets::algorithms::nonreciprocal::vote;
use sfumato_sets::metrics::bitmaps::error_rate::error_rate;

use super::queries::Queries;

/// Base sets, and the original record that each stands for.
pub struct BaseSets {
    /// The base set of each row.
    pub base: Transactions,
    /// The record that stands behind each row.
    pub record_of: Vec<u32>,
}

/// The paper's measures of a release.
#[derive(Debug, Clone, Copy)]
pub struct Loss {
    /// Items that are wrong in the base set of a record over the items of the record, on average,
    /// in percent.
    pub error_rate: f64,
    /// The mean error of queries of type I and II, in percent of the records.
    pub query_errors: [f64; 2],
}

impl Loss {
    /// Of what couldn't be published.
    pub const NONE: Loss = Loss { error_rate: f64::NAN, query_errors: [f64::NAN; 2] };
}

impl BaseSets {
    /// The votes of matches, with the records that an assignment puts behind the rows.
    fn assigned(sets: &Transactions, matches: &Matches, assignment: &[u32]) -> Result<Self> {
        let mut record_of = vec![0; assignment.len()];
        (0u32..).zip(assignment).for_each(|(record, row)| record_of[*row as usize] = record);
        Ok(BaseSets { base: vote(sets, matches)?.base, record_of })
    }

    /// What matches publish once an assignment is drawn.
    pub fn drawn(
        sets: &Transactions,
        matches: &Matches,
        random: &mut RandomStream,
    ) -> Result<Self> {
        BaseSets::assigned(sets, matches, &extraction::draw(matches, random))
    }

    /// What was lost.
    pub fn loss(&self, sets: &Transactions, queries: &Queries) -> Result<Loss> {
        let query_errors = queries.errors(&self.base).map(|error| 100.0 * error);
        Ok(Loss { error_rate: percent_wrong(sets, &self.base, &self.record_of)?, query_errors })
    }

    /// The error rate of rows of matches whose records are those of the same number: before an
    /// assignment is drawn.
    pub fn undrawn_error_rate(&self, sets: &Transactions) -> Result<f64> {
        let own: Vec<u32> = (0..self.base.len() as u32).collect();
        percent_wrong(sets, &self.base, &own)
    }
}

fn percent_wrong(sets: &Transactions, base: &Transactions, record_of: &[u32]) -> Result<f64> {
    let rate = error_rate(sets, base, record_of);
    rate.map(|rate| 100.0 * rate).ok_or_else(|| Error::internal("no record has items"))
}

/// A nonreciprocal release with labels, as in the paper and as in ours.
pub struct Diverse {
    /// The paper's: labels differ before an assignment is drawn.
    pub paper: BaseSets,
    /// Ours: matches were exchanged until labels differ in the release.
    pub released: BaseSets,
    /// Records that match two rows of the same label in the paper's.
    pub alike: usize,
}

/// Greedy matches along an order, an assignment, and the same with labels put apart.
pub fn diverse(
    sets: &Transactions,
    order: &[u32],
    labels: &[u32],
    l: usize,
    seed: u64,
) -> Result<Diverse> {
    let mut random = RandomStream::from_seed(seed);
    let matches = greedy_matches(sets, order, labels, l, &mut random)?;
    let assignment = extraction::draw(&matches, &mut random);
    let paper = BaseSets::assigned(sets, &matches, &assignment)?;
    let mended = mend(&matches, labels, order, &assignment, &mut random)?;
    let released = BaseSets::assigned(sets, &mended.matches, &assignment)?;
    Ok(Diverse { paper, released, alike: mended.alike })
}

#[cfg(test)]
mod tests {
    use sfumato_kernels::nonreciprocal::ring::ring;

    use super::*;

    #[test]
    fn rows_stand_for_the_records_that_were_assigned() {
        let sets = Transactions::from_sets(3, [vec![0], vec![0, 1], vec![1, 2]]);
        let matches = ring(&[0, 1, 2], 1).unwrap();
        let exact = BaseSets::drawn(&sets, &matches, &mut RandomStream::from_seed(1)).unwrap();
        let queries = Queries::draw(&sets, [1, 2], 1);
        let loss = exact.loss(&sets, &queries).unwrap();
        assert_eq!((loss.error_rate, loss.query_errors), (0.0, [0.0, 0.0]));
        // Row i holds the votes of records i - 1 and i, of which record i - 1 stands behind it.
        let matches = ring(&[0, 1, 2], 2).unwrap();
        let moved = BaseSets::assigned(&sets, &matches, &[1, 2, 0]).unwrap();
        assert_eq!(moved.record_of, [2, 0, 1]);
        assert_eq!(moved.base, Transactions::from_sets(3, [vec![], vec![0], vec![1]]));
        // {1, 2} against nothing, {0} against {0}, {0, 1} against {1}: 2 of 2, 0 of 1 and 1 of 2.
        assert!((moved.loss(&sets, &queries).unwrap().error_rate - 50.0).abs() < 1e-9);
        // {0} against nothing, {0, 1} against {0}, {1, 2} against {1}.
        assert!((moved.undrawn_error_rate(&sets).unwrap() - 200.0 / 3.0).abs() < 1e-9);
    }
}
