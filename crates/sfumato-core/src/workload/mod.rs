//! What a recipient will do with the release, bound to a table: what an algorithm may look at
//! beside the objective.
//!
//! The words for it (`classification(target=salary)`, `selection(where="age >= 40")`) are a family
//! of the registry in `sfumato-table`; this is what they become.

mod predicate;

pub use predicate::{Bound, Condition, Predicate};

use std::ops::Range;

use crate::dataset::{Role, Table};

/// All tasks of a workload.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Workload {
    /// What models will predict.
    pub targets: Vec<Target>,
    /// Which records will be selected.
    pub selections: Vec<Selection>,
    /// Which statistics of a region will be aggregated.
    pub statistics: Vec<RegionStatistic>,
    /// The sets of quasi columns, by their places among the quasi columns, that will be used
    /// together.
    pub projections: Vec<Vec<usize>>,
}

/// What a target is made of.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum TargetKind {
    /// Classes: a model says which.
    Classes,
    /// Numbers: a model says how much.
    Numbers,
}

/// A column that models will predict from others.
#[derive(Debug, Clone, PartialEq)]
pub struct Target {
    /// Its place among the table's columns.
    pub column: usize,
    /// Classes or numbers.
    pub kind: TargetKind,
    /// The places of the features among the table's columns, in file order. Quasi columns are
    /// generalized, others leave as they are.
    pub features: Vec<usize>,
    /// How much it counts beside other targets.
    pub weight: f64,
}

impl Target {
    /// Whether a quasi column, by its place among the quasi columns, is a feature.
    pub fn uses_quasi(&self, table: &Table, quasi: usize) -> bool {
        let place =
            (0..table.columns.len()).filter(|c| table.columns[*c].role == Role::Quasi).nth(quasi);
        place.is_some_and(|place| self.features.contains(&place))
    }

    /// The features that aren't quasi columns: they leave as they are.
    pub fn other_features(&self, table: &Table) -> Vec<usize> {
        self.features.iter().copied().filter(|f| table.columns[*f].role != Role::Quasi).collect()
    }
}

/// A rectangle of the quasi columns' space whose records will be selected.
#[derive(Debug, Clone, PartialEq)]
pub struct Selection {
    /// As it was written.
    pub text: String,
    /// The codes that each quasi column may have, in the order of the quasi columns; `None` is any,
    /// missing included.
    pub intervals: Vec<Option<Range<u32>>>,
    /// How much a record counts that is selected though it shouldn't be.
    pub weight: f64,
}

impl Selection {
    /// Whether a record of these codes is selected.
    pub fn contains(&self, codes: impl Iterator<Item = u32>) -> bool {
        self.intervals.iter().zip(codes).all(|(interval, code)| match interval {
            Some(interval) => interval.contains(&code),
            None => true,
        })
    }
}

/// What a region carries of a column beside the interval.
#[derive(
    Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, serde::Serialize, serde::Deserialize,
)]
#[serde(rename_all = "lowercase")]
pub enum Statistic {
    /// The smallest and the largest value of its records.
    Range,
    /// Their mean.
    Mean,
}

/// A statistic of a quasi column.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct RegionStatistic {
    /// The column's place among the table's columns.
    pub column: usize,
    /// Which.
    pub statistic: Statistic,
}

impl Workload {
    /// Whether nothing was asked.
    pub fn is_empty(&self) -> bool {
        *self == Workload::default()
    }
    /// Whether a search for regions can do something for it.
    pub fn guides_splits(&self) -> bool {
        !self.targets.is_empty() || !self.selections.is_empty() || !self.projections.is_empty()
    }
}
