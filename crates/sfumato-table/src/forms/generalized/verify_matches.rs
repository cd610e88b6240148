//! Verifies the matches in a release without classes.
//!
//! The algorithm says which published records each original record matches. Nothing else is taken
//! from it, and every match is checked in the cells that were read back. A graph in which every
//! record has k edges has k disjoint assignments (Koenig), and the true one must be a match.

use rayon::prelude::*;
use sfumato_core::Result;
use sfumato_core::group::{Summary, Tally};
use sfumato_core::matches::Matches;
use sfumato_core::recoding::Recoding;

use crate::forms::generalized::cover::ColumnCheck;
use sfumato_engine::verify::failed_verification;

/// The matches that an algorithm gave, and the published quasi cells as they are read.
pub struct MatchCheck {
    /// The published rows that each row of the original matches.
    matches: Matches,
    /// Of each quasi column the published codes, row by row.
    published: Vec<Vec<u32>>,
}

impl MatchCheck {
    /// A check for a recoding whose classes hide nobody by themselves; `None` for any other.
    pub fn new(recoding: &dyn Recoding, n_columns: usize) -> Result<Option<Self>> {
        let Some(matches) = recoding.matches() else { return Ok(None) };
        let mut row_of_class = vec![u32::MAX; matches.len()];
        for (row, class) in (0u32..).zip(recoding.class_of_row()) {
            *row_of_class
                .get_mut(*class as usize)
                .ok_or_else(|| failed_verification("a record has no region"))? = row;
        }
        let rows = matches.all().iter().map(|class| row_of_class[*class as usize]).collect();
        // Made anew: that everybody has as many edges, none of them twice, is looked at here.
        let matches =
            Matches::new(matches.m(), rows).map_err(|error| failed_verification(&error.message))?;
        if let Some(row) = (0..matches.len()).find(|row| !matches.of(*row).contains(&(*row as u32)))
        {
            return Err(failed_verification(&format!(
                "the record of row {} doesn't match it",
                row + 1
            )));
        }
        Ok(Some(MatchCheck { matches, published: vec![Vec::new(); n_columns] }))
    }

    /// Add the quasi cells of a block.
    pub fn add(&mut self, quasi: &[&[u32]]) {
        self.published.iter_mut().zip(quasi).for_each(|(all, block)| all.extend_from_slice(block));
    }

    /// The group of published records that each original one matches, after every match was
    /// checked.
    pub fn groups(&self, checks: &[&ColumnCheck<'_>], tally: &Tally<'_>) -> Result<Vec<Summary>> {
        let n_rows = self.published.first().map_or(0, Vec::len);
        if n_rows != self.matches.len() {
            return Err(failed_verification(
                "there aren't as many published records as matches speak of",
            ));
        }
        let is_wrong = |record: usize| {
            let matched = self.matches.of(record);
            self.published.iter().zip(checks).any(|(published, check)| {
                matched.iter().any(|row| !check.covers(published[*row as usize], record))
            })
        };
        match (0..n_rows).into_par_iter().find_first(|record| is_wrong(*record)) {
            Some(record) => Err(failed_verification(&format!(
                "a published record that the record of row {} should match doesn't cover it",
                record + 1
            ))),
            None => Ok((0..n_rows)
                .into_par_iter()
                .map(|record| tally.of_rows(self.matches.of(record)))
                .collect()),
        }
    }

    /// Among how many records each hides. For estimates of risk this is as good as classes of that
    /// size.
    pub fn hiding(&self) -> impl Iterator<Item = u64> {
        let (n, m) = (self.matches.len() as u64, self.matches.m() as u64);
        let (classes, more) = (n / m, n % (n / m).max(1));
        // What is left over makes some classes larger, none smaller.
        (0..classes).map(move |class| n / classes + u64::from(class < more))
    }
}
