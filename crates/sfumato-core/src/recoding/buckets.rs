//! Buckets: classes are groups of records. Nothing is generalized; a group hides which of its
//! records has which of its sensitive values.

use crate::FastMap;
use crate::recoding::{Finding, RecodedColumn, Recoding, SUPPRESSED};

/// A recoding by groups: quasi values are published as they are, with the number of the record's
/// group; sensitive values are published only by group.
#[derive(Debug, Clone, PartialEq)]
pub struct Buckets {
    class_of_row: Vec<u32>,
    n_classes: usize,
    findings: Vec<Finding>,
}

impl Buckets {
    /// Make buckets from a group per row, or [`SUPPRESSED`]. Groups are numbered in the order in
    /// which they first occur, so any numbers will do.
    pub fn new(mut group_of_row: Vec<u32>) -> Self {
        let mut numbers: FastMap<u32, u32> = FastMap::default();
        for group in group_of_row.iter_mut().filter(|group| **group != SUPPRESSED) {
            let next = numbers.len() as u32;
            *group = *numbers.entry(*group).or_insert(next);
        }
        Buckets { class_of_row: group_of_row, n_classes: numbers.len(), findings: Vec::new() }
    }

    /// Make buckets from lists of rows. Rows in no list are suppressed.
    pub fn of_groups(n_rows: usize, groups: &[Vec<u32>]) -> Self {
        let mut group_of_row = vec![SUPPRESSED; n_rows];
        for (group, rows) in groups.iter().enumerate() {
            rows.iter().for_each(|row| group_of_row[*row as usize] = group as u32);
        }
        Self::new(group_of_row)
    }

    /// The classes of any recoding as buckets, without its generalized quasi values.
    pub fn of_classes(recoding: &dyn Recoding) -> Self {
        Self::new(recoding.class_of_row().to_vec()).with_findings(recoding.findings().to_vec())
    }

    /// Add what the algorithm found out on its way.
    pub fn with_findings(mut self, findings: Vec<Finding>) -> Self {
        self.findings = findings;
        self
    }
}

impl Recoding for Buckets {
    fn shape(&self) -> &'static str {
        "buckets"
    }
    fn is_exact(&self) -> bool {
        true
    }
    fn n_classes(&self) -> usize {
        self.n_classes
    }
    fn class_of_row(&self) -> &[u32] {
        &self.class_of_row
    }
    fn reorder(&mut self, order: &[u32]) {
        self.class_of_row = order.iter().map(|row| self.class_of_row[*row as usize]).collect();
    }
    fn findings(&self) -> &[Finding] {
        &self.findings
    }
    fn n_columns(&self) -> usize {
        0
    }
    fn column(&self, _: usize) -> &RecodedColumn {
        unreachable!("an exact recoding generalizes no column: n_columns() is 0")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn groups_without_records_and_suppressed_records_take_no_number() {
        let mut buckets = Buckets::new(vec![7, SUPPRESSED, 3, 7]);
        assert_eq!(buckets.class_of_row(), [0, SUPPRESSED, 1, 0]);
        assert_eq!((buckets.n_classes(), buckets.n_columns(), buckets.is_exact()), (2, 0, true));
        assert_eq!(buckets, Buckets::of_groups(4, &[vec![], vec![3, 0], vec![2]]));
        assert_eq!(buckets, Buckets::of_classes(&buckets));
        buckets.reorder(&[3, 2, 1, 0]);
        assert_eq!(buckets.class_of_row(), [0, 1, SUPPRESSED, 0]);
    }
}
