//! Decides which splits a group may make, and which of them it makes.

use super::table::Split;

/// How splits are compared.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Rule {
    /// By how evenly the records with each sensitive item are spread over both sides.
    Balanced,
    /// By the sizes of both sides alone, as Mondrian does.
    Even,
}

/// Whether both sides of a split have degree p.
pub fn is_allowed(split: &Split<'_>, p: u64) -> bool {
    let most_with = split.facts_with.iter().copied().max().unwrap_or(0);
    let without = split.facts.iter().zip(split.facts_with).map(|(all, with)| all - with);
    let most_without = without.max().unwrap_or(0);
    u64::from(most_with) * p <= u64::from(split.with)
        && u64::from(most_without) * p <= u64::from(split.size - split.with)
}

impl Rule {
    /// The score of a split; larger is better. Ties are broken by the sizes, then by the item that
    /// comes first.
    pub fn score(self, split: &Split<'_>) -> (u64, u32, u32) {
        let even = split.with.min(split.size - split.with);
        let balance = match self {
            Rule::Even => 0,
            Rule::Balanced => split
                .facts
                .iter()
                .zip(split.facts_with)
                .map(|(all, with)| u64::from(*with.min(&(all - with))))
                .sum(),
        };
        (balance, even, u32::MAX - split.item)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn split<'a>(item: u32, with: u32, facts_with: &'a [u32]) -> Split<'a> {
        Split { item, with, size: 20, facts_with, facts: &[4, 3] }
    }

    #[test]
    fn both_sides_must_have_the_degree() {
        assert!(is_allowed(&split(0, 10, &[2, 1]), 5));
        // Two of nine, and three of eleven.
        assert!(!is_allowed(&split(0, 9, &[2, 1]), 5));
        assert!(!is_allowed(&split(0, 9, &[1, 1]), 5));
        // A side without sensitive records may be of any size.
        assert!(is_allowed(&split(0, 19, &[4, 3]), 4));
        assert!(is_allowed(&split(0, 1, &[0, 0]), 4));
    }

    #[test]
    fn balance_goes_before_size_and_size_before_the_item() {
        let (small, large) = (split(3, 5, &[2, 1]), split(4, 10, &[4, 0]));
        assert!(Rule::Balanced.score(&small) > Rule::Balanced.score(&large));
        assert!(Rule::Even.score(&small) < Rule::Even.score(&large));
        assert_eq!(Rule::Balanced.score(&small).0, 3);
        assert!(Rule::Balanced.score(&small) > Rule::Balanced.score(&split(4, 5, &[2, 1])));
        assert!(Rule::Balanced.score(&small) < Rule::Balanced.score(&split(4, 6, &[2, 1])));
    }
}
