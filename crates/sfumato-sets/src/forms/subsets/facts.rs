//! The facts of published sets: copies and combinations of items from the file alone, supporters
//! and images with the original. They state nothing about groups and matches.

use sfumato_core::Result;
use sfumato_core::facts::{Facts, Hiding, Least, SubsetFacts};
use sfumato_core::transactions::Transactions;

use super::{images, supporters};
use crate::data::PublishedSets;
use crate::forms::combinations::Combinations;

/// Published sets, and what is known about their origin.
pub struct Stated<'a> {
    /// The rows: their quasi items, in the codes of the original if there is one, and their
    /// sensitive items.
    pub combinations: Combinations<'a>,
    /// The quasi items of all original records.
    pub original: Option<&'a Transactions>,
    /// Which record each row is made from, if that is known.
    pub told: Option<RowOrigins<'a>>,
}

/// The origins of rows, row by row. It was checked that rows are subsets of their records.
#[derive(Clone, Copy)]
pub struct RowOrigins<'a> {
    /// The decision. It may name supporters, which are checked and not trusted.
    pub published: &'a PublishedSets,
    /// Which record each row is made from.
    pub order: &'a [u32],
}

impl Facts for Stated<'_> {
    fn release(&self) -> &'static str {
        match self.original {
            Some(_) => "a release of subsets beside its original",
            None => "a release of subsets alone",
        }
    }

    fn least(&self, hiding: Hiding, required: u64) -> Result<Option<Least>> {
        Ok(match (hiding, self.original) {
            (Hiding::Copies, _) => Some(self.copies(required)),
            (Hiding::Supporters, Some(original)) => Some(self.supporters(original, required)),
            (Hiding::Images, Some(original)) => Some(self.images(original, required)),
            (Hiding::Supporters | Hiding::Images, None) => None,
            // Published sets are neither buckets nor bitmaps.
            (Hiding::Bystanders | Hiding::Matches | Hiding::Labels | Hiding::Askers, _) => None,
        })
    }

    fn subsets(&self) -> Option<&dyn SubsetFacts> {
        Some(&self.combinations)
    }
}

impl Stated<'_> {
    fn copies(&self, required: u64) -> Least {
        least(self.combinations.alike.copies.iter().map(|copies| u64::from(*copies)), required)
    }

    fn supporters(&self, original: &Transactions, required: u64) -> Least {
        let named = |row: usize| {
            let told = self.told?;
            let set = told.published.of_record[told.order[row] as usize];
            Some(told.published.witnesses.as_ref()?.of(set as usize))
        };
        let named = |row: usize| named(row).unwrap_or_default();
        let is_true = self.told.is_some();
        let counts = supporters::count(
            original,
            self.combinations.rows,
            self.combinations.alike,
            required,
            is_true,
            &named,
        );
        least(counts.into_iter(), required)
    }

    fn images(&self, original: &Transactions, required: u64) -> Least {
        let row_of = self.told.map(|told| {
            let mut row_of = vec![0; told.order.len()];
            told.order.iter().zip(0..).for_each(|(record, row)| row_of[*record as usize] = row);
            row_of
        });
        let own = |record: usize| row_of.as_ref().map(|rows| rows[record]);
        let (least, violations) = images::least(
            original,
            self.combinations.rows,
            self.combinations.alike,
            required,
            &own,
        );
        Least { least, violations }
    }
}

/// The smallest count, and how many are below a number.
pub fn least(counts: impl Iterator<Item = u64>, required: u64) -> Least {
    let start = Least { least: u64::MAX, violations: 0 };
    counts.fold(start, |found, n| Least {
        least: found.least.min(n),
        violations: found.violations + u64::from(n < required),
    })
}

#[cfg(test)]
mod tests {
    use sfumato_core::combinations::AskedCombinations;

    use super::*;
    use crate::forms::combinations::Answered;
    use crate::forms::subsets::Alike;

    #[test]
    fn combinations_are_counted_by_record() {
        let rows =
            Transactions::from_sets(3, [vec![0, 1], vec![0, 1], vec![0, 2], vec![0], vec![]]);
        let (alike, answered) = (Alike::of(&rows), Answered::default());
        let combinations =
            Combinations { rows: &rows, alike: &alike, sensitive: None, answered: &answered };
        let stated = Stated { combinations, original: None, told: None };
        let least = |size, required| {
            let asked = AskedCombinations { size, required, most: None };
            let found = stated.subsets().unwrap().count(&asked).unwrap().support;
            (found.least, found.violations)
        };
        // 0 is in four records, 1 in two, 2 in one, and so are the pairs with 0.
        assert_eq!([0, 1, 2].map(|size| least(size, 1)), [(5, 0), (1, 0), (1, 0)]);
        assert_eq!((least(1, 2), least(2, 2), least(2, 3)), ((1, 1), (1, 1), (1, 2)));
        assert_eq!(least(2, 6), (5, 1));
        // Who asks again gets the same answer.
        assert_eq!((least(1, 2), least(2, 6)), ((1, 1), (5, 1)));
    }
}
