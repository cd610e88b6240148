//! The privacy degree: how many records of its group there are for each that has a sensitive fact.

use sfumato_core::transactions::Transactions;
use sfumato_core::{Error, Result};

use crate::data::FactCounts;

/// The privacy degree of a release: the least quotient of the size of a group and how often it has
/// a fact. Kept as the two numbers, so that it is compared exactly.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Degree {
    /// The number of records in the group.
    pub size: u32,
    /// How many records of the group have the fact.
    pub count: u32,
}

impl Degree {
    /// Whether the degree is at least p.
    pub fn is_at_least(self, p: u64) -> bool {
        u64::from(self.size) >= p * u64::from(self.count)
    }
    /// The degree as a number: size divided by count.
    pub fn value(self) -> f64 {
        f64::from(self.size) / f64::from(self.count)
    }
    fn is_below(self, other: Degree) -> bool {
        u64::from(self.size) * u64::from(other.count)
            < u64::from(other.size) * u64::from(self.count)
    }
}

/// The degree of groups with the given sizes, and how many pairs of a group and a fact are below p.
/// `None` if nobody has a sensitive fact.
pub fn degree_of(sizes: &[u32], counts: &FactCounts, p: u64) -> Option<(Degree, u64)> {
    let mut worst: Option<Degree> = None;
    let mut below = 0;
    for (group, size) in sizes.iter().enumerate() {
        for (_, count) in counts.of_group(group) {
            let degree = Degree { size: *size, count: *count };
            below += u64::from(!degree.is_at_least(p));
            if worst.is_none_or(|worst| degree.is_below(worst)) {
                worst = Some(degree);
            }
        }
    }
    worst.map(|worst| (worst, below))
}

/// Refuse a degree that no grouping can reach: a fact that more than one in p records have occurs
/// too often in some group, whatever the groups.
pub fn check_frequencies(sensitive: &Transactions, p: u64) -> Result<()> {
    let n = sensitive.len() as u64;
    let too_frequent = sensitive.counts().into_iter().filter(|count| count * p > n).count();
    if too_frequent == 0 {
        return Ok(());
    }
    let most = sensitive.counts().into_iter().max().unwrap_or(1).max(1);
    let are = if too_frequent == 1 { "item is" } else { "items are" };
    Err(Error::infeasible(format!(
        "{too_frequent} sensitive {are} too frequent for p = {p}: each may be in at most {} of {n} \
            records",
        n / p
    ))
    .hint(format!(
        "the most frequent one is in {most}: ask for p = {} or less, or leave the frequent ones \
            out",
        n / most
    )))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::data::Groups;

    #[test]
    fn the_example_of_the_paper_has_degree_two() {
        // Bob, David and Ellen with one Viagra; Andrea and Claire with one pregnancy test.
        let groups = Groups::from_labels(&[0, 0, 0, 1, 1]);
        let facts = Transactions::from_sets(2, [vec![0], vec![], vec![], vec![], vec![1]]);
        let counts = FactCounts::of(&groups, &facts);
        let (degree, below) = degree_of(groups.sizes(), &counts, 3).unwrap();
        assert_eq!((degree.value(), below), (2.0, 1));
        assert!(degree.is_at_least(2) && !degree.is_at_least(3));
    }

    #[test]
    fn too_frequent_items_are_counted() {
        let facts = Transactions::from_sets(3, [vec![0, 1], vec![0], vec![1], vec![2], vec![]]);
        assert!(check_frequencies(&facts, 2).is_ok());
        let error = check_frequencies(&facts, 3).unwrap_err();
        assert_eq!(
            error.message,
            "2 sensitive items are too frequent for p = 3: each may be in at most 1 of 5 records"
        );
        assert!(error.hint.unwrap().contains("ask for p = 2 or less"));
    }
}
