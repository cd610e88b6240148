//! Counts of sensitive facts by group: what a bucket release publishes of the sensitive part.

use sfumato_core::column::Code;
use sfumato_core::transactions::Transactions;
use sfumato_core::with_sets;

use crate::data::Groups;

/// How often each group has each sensitive fact (an item, or a value of a column). Facts that a
/// group doesn't have aren't listed.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct FactCounts {
    offsets: Vec<usize>,
    counts: Vec<(u32, u32)>,
}

impl FactCounts {
    /// Count the facts of all records by group.
    pub fn of(groups: &Groups, facts: &Transactions) -> Self {
        let (members_of, members) = groups.members();
        let mut counted = FactCounts { offsets: vec![0], counts: Vec::new() };
        let mut all: Vec<u32> = Vec::new();
        for group in 0..groups.len() {
            all.clear();
            with_sets!(facts, sets => {
                for record in &members[members_of[group]..members_of[group + 1]] {
                    all.extend(sets.get(*record as usize).iter().map(|fact| fact.widen()));
                }
            });
            all.sort_unstable();
            counted
                .counts
                .extend(all.chunk_by(|a, b| a == b).map(|same| (same[0], same.len() as u32)));
            counted.offsets.push(counted.counts.len());
        }
        counted
    }
    /// Make counts from rows of group, fact and count, as a file lists them: each pair of a group
    /// and a fact once, in any order.
    pub fn from_rows(n_groups: usize, mut rows: Vec<(u32, u32, u32)>) -> Self {
        rows.sort_unstable();
        let mut offsets = vec![0; n_groups + 1];
        rows.iter().for_each(|(group, ..)| offsets[*group as usize + 1] += 1);
        (0..n_groups).for_each(|group| offsets[group + 1] += offsets[group]);
        FactCounts {
            offsets,
            counts: rows.into_iter().map(|(_, fact, count)| (fact, count)).collect(),
        }
    }
    /// The facts of a group, ascending, each with how often the group has it.
    pub fn of_group(&self, group: usize) -> &[(u32, u32)] {
        &self.counts[self.offsets[group]..self.offsets[group + 1]]
    }
    /// How often a group has a fact.
    pub fn of_fact(&self, group: usize, fact: u32) -> u32 {
        let counts = self.of_group(group);
        counts.binary_search_by_key(&fact, |(fact, _)| *fact).map_or(0, |at| counts[at].1)
    }
    /// The number of groups.
    pub fn n_groups(&self) -> usize {
        self.offsets.len().saturating_sub(1)
    }
    /// The number of pairs of a group and a fact.
    pub fn len(&self) -> usize {
        self.counts.len()
    }
    /// Whether no group has any fact.
    pub fn is_empty(&self) -> bool {
        self.counts.is_empty()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn facts_are_counted_by_group() {
        let groups = Groups::from_labels(&[0, 0, 1, 0, 1]);
        let facts = Transactions::from_sets(4, [vec![3], vec![1, 3], vec![], vec![], vec![2]]);
        let counts = FactCounts::of(&groups, &facts);
        assert_eq!(counts.of_group(0), [(1, 1), (3, 2)]);
        assert_eq!(counts.of_group(1), [(2, 1)]);
        assert_eq!((counts.of_fact(0, 3), counts.of_fact(1, 3)), (2, 0));
        assert_eq!((counts.n_groups(), counts.len(), counts.is_empty()), (2, 3, false));
        assert_eq!(FactCounts::from_rows(2, vec![(1, 2, 1), (0, 3, 2), (0, 1, 1)]), counts);
    }
}
