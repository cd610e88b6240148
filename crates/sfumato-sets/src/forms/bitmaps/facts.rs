//! The facts of bitmap releases: how many published records an original record matches, in disjoint
//! assignments, and how many different labels these have. A run knows the matches of the algorithm,
//! an audit has to find some, and without the original nothing can be stated.

use rayon::prelude::*;
use sfumato_core::facts::{Facts, Hiding, Least};
use sfumato_core::matches::Matches;
use sfumato_core::transactions::Transactions;
use sfumato_core::{Result, with_sets};
use sfumato_kernels::assignments::{AT_FIRST, Choices, most_assignments, most_pairs};

use super::admitted::Index;
use super::files::labels;
use super::read::Release;
use crate::data::read::Loaded;

/// Matches that an algorithm drew. Each was checked in the written files, and a graph in which
/// every record has k matches consists of k disjoint assignments (Koenig).
pub struct Drawn<'a> {
    /// Which published records each original record matches.
    pub matches: &'a Matches,
    /// The sensitive items of each row, as they were read back.
    pub sensitive: Option<&'a Transactions>,
}

impl Facts for Drawn<'_> {
    fn release(&self) -> &'static str {
        "a release of bitmaps"
    }

    fn least(&self, hiding: Hiding, required: u64) -> Result<Option<Least>> {
        Ok(match (hiding, self.sensitive) {
            (Hiding::Matches, _) => {
                let (each, n) = (self.matches.m() as u64, self.matches.len() as u64);
                Some(Least { least: each, violations: if each < required { n } else { 0 } })
            }
            (Hiding::Labels, Some(sensitive)) => {
                let labels = labels(sensitive)?;
                let of_rows = |record: usize| different(&labels, self.matches.of(record));
                let counts = (0..self.matches.len()).into_par_iter().map(of_rows);
                Some(least_of(counts, required))
            }
            // No sensitive item is in the files.
            (Hiding::Labels, None) => None,
            (Hiding::Copies | Hiding::Supporters | Hiding::Images, _) => None,
            (Hiding::Bystanders | Hiding::Askers, _) => None,
        })
    }
}

/// A release as an audit finds it, with or without its original.
pub struct AuditedBitmaps<'a> {
    /// What the files say.
    pub release: &'a Release,
    /// The original, with an index to search its records.
    pub against: Option<&'a Against>,
}

/// The original of a release, whose codes the release uses, and the rows of each item.
pub struct Against {
    /// The original.
    pub original: Loaded,
    /// Which rows may have each item.
    pub index: Index,
}

impl Facts for AuditedBitmaps<'_> {
    fn release(&self) -> &'static str {
        match self.against {
            Some(_) => "a release of bitmaps beside its original",
            None => "a release of bitmaps alone",
        }
    }

    fn least(&self, hiding: Hiding, required: u64) -> Result<Option<Least>> {
        match (hiding, self.against) {
            (Hiding::Matches, Some(against)) => self.matches(against, required).map(Some),
            (Hiding::Labels, Some(against)) => self.labels(against, required).map(Some),
            // Whom a row hides can't be told from the release alone.
            (Hiding::Matches | Hiding::Labels, None) => Ok(None),
            (Hiding::Copies | Hiding::Supporters | Hiding::Images, _) => Ok(None),
            (Hiding::Bystanders | Hiding::Askers, _) => Ok(None),
        }
    }
}

impl AuditedBitmaps<'_> {
    /// For each record, the rows that admit it and suit it, up to a limit.
    fn lists(
        &self,
        against: &Against,
        most: usize,
        suits: impl Fn(usize, u32) -> bool + Sync,
    ) -> Vec<Vec<u32>> {
        let bitmaps = &self.release.bitmaps;
        with_sets!(&against.original.baskets.quasi, sets => (0..sets.len())
            .into_par_iter()
            .map(|record| against.index.admitting(bitmaps, sets, record, most,
                |row| suits(record, row)))
            .collect())
    }

    /// Whether each record can have a row of its own that is true of it. `None` without the
    /// original.
    pub fn is_true(&self) -> Option<bool> {
        let against = self.against?;
        let truth = against.original.baskets.sensitive.as_ref();
        let own = |record: usize, row: u32| match (truth, &self.release.sensitive) {
            (Some(truth), Some(read)) => truth.set(record) == read.set(row as usize),
            (truth, read) => truth.is_none() && read.is_none(),
        };
        let n = against.original.baskets.quasi.len();
        let is_possible =
            |most| most_pairs(&Choices::new(&self.lists(against, most, own)), n, 1) == n as u64;
        Some(is_possible(2 * AT_FIRST) || is_possible(usize::MAX))
    }

    /// In how many disjoint assignments all records match, at most `k`; and how many records have
    /// too few matches, or 1 if only the assignments are missing.
    fn matches(&self, against: &Against, k: u64) -> Result<Least> {
        let n = against.original.baskets.quasi.len();
        let (least, violations) =
            most_assignments(n, k, |most| self.lists(against, most, |_, _| true))?;
        Ok(Least { least, violations })
    }

    /// The smallest number of different labels among the rows that a record matches, at most `l`,
    /// and how many records have fewer.
    fn labels(&self, against: &Against, l: u64) -> Result<Least> {
        let n = against.original.baskets.quasi.len() as u64;
        let Some(sensitive) = &self.release.sensitive else {
            return Ok(Least { least: 0, violations: n });
        };
        let labels = labels(sensitive)?;
        let lists = self.lists(against, usize::MAX, |_, _| true);
        let counts = lists.par_iter().map(|rows| different(&labels, rows).min(l));
        Ok(least_of(counts, l))
    }
}

/// The number of different labels of some rows. Each row without a sensitive item has a label of
/// its own.
fn different(labels: &[u32], rows: &[u32]) -> u64 {
    let mut met: Vec<u32> = rows.iter().map(|row| labels[*row as usize]).collect();
    met.sort_unstable();
    met.dedup();
    met.len() as u64
}

/// The smallest of some counts, or 0 if there are none, and how many are below a number.
fn least_of(counts: impl ParallelIterator<Item = u64>, required: u64) -> Least {
    let one = |n: u64| (n, u64::from(n < required));
    let (least, violations) =
        counts.map(one).reduce_with(|a, b| (a.0.min(b.0), a.1 + b.1)).unwrap_or((0, 0));
    Least { least, violations }
}
