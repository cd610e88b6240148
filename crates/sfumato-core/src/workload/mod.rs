//! A workload, that is what a recipient will do with the release, bound to a table. Algorithms may
//! use it besides the objective.
//!
//! Users describe a workload with calls such as `classification(target=salary)` or
//! `selection(where="age >= 40")`, which are a family of the registry in `sfumato-table` and become
//! the structures defined here.

mod predicate;

pub use predicate::{Bound, Condition, Predicate};

use std::ops::Range;

use crate::dataset::{Role, Table};

/// All tasks of a workload.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Workload {
    /// The columns that the recipient's models will predict.
    pub targets: Vec<Target>,
    /// Which records will be selected.
    pub selections: Vec<Selection>,
    /// Which statistics of a region will be aggregated.
    pub statistics: Vec<RegionStatistic>,
    /// The sets of quasi columns, by their places among the quasi columns, that will be used
    /// together.
    pub projections: Vec<Vec<usize>>,
}

/// The type of a target.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum TargetKind {
    /// Classes: a model predicts which.
    Classes,
    /// Numbers: a model predicts how much.
    Numbers,
}

/// A column that models will predict from others.
#[derive(Debug, Clone, PartialEq)]
pub struct Target {
    /// The place of the target among the table's columns.
    pub column: usize,
    /// Whether the target is made of classes or of numbers.
    pub kind: TargetKind,
    /// The places of the features among the table's columns, in file order. Quasi columns are
    /// generalized; others are published as they are.
    pub features: Vec<usize>,
    /// The weight of this target compared with other targets.
    pub weight: f64,
}

impl Target {
    /// Whether a quasi column, by its place among the quasi columns, is a feature.
    pub fn uses_quasi(&self, table: &Table, quasi: usize) -> bool {
        let place =
            (0..table.columns.len()).filter(|c| table.columns[*c].role == Role::Quasi).nth(quasi);
        place.is_some_and(|place| self.features.contains(&place))
    }

    /// The features that aren't quasi columns. They are published as they are.
    pub fn other_features(&self, table: &Table) -> Vec<usize> {
        self.features.iter().copied().filter(|f| table.columns[*f].role != Role::Quasi).collect()
    }
}

/// A rectangle of the quasi columns' space whose records will be selected.
#[derive(Debug, Clone, PartialEq)]
pub struct Selection {
    /// The text as the user wrote it.
    pub text: String,
    /// The codes that each quasi column may have, in the order of the quasi columns. `None` allows
    /// any code, missing included.
    pub intervals: Vec<Option<Range<u32>>>,
    /// The weight of a record that is selected although it shouldn't be.
    pub weight: f64,
}

impl Selection {
    /// Whether a record with these codes is selected.
    pub fn contains(&self, codes: impl Iterator<Item = u32>) -> bool {
        self.intervals.iter().zip(codes).all(|(interval, code)| match interval {
            Some(interval) => interval.contains(&code),
            None => true,
        })
    }
}

/// What a region publishes of a column besides the interval.
#[derive(
    Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, serde::Serialize, serde::Deserialize,
)]
#[serde(rename_all = "lowercase")]
pub enum Statistic {
    /// The smallest and the largest value of the region's records.
    Range,
    /// The mean of the region's records.
    Mean,
}

/// A statistic of a quasi column.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct RegionStatistic {
    /// The column's place among the table's columns.
    pub column: usize,
    /// The kind of statistic.
    pub statistic: Statistic,
}

impl Workload {
    /// Whether there is no task at all.
    pub fn is_empty(&self) -> bool {
        *self == Workload::default()
    }
    /// Whether some task can guide a search for regions.
    pub fn guides_splits(&self) -> bool {
        !self.targets.is_empty() || !self.selections.is_empty() || !self.projections.is_empty()
    }
}
