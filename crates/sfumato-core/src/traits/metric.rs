//! Metrics: how much of the data's use a recoding keeps.

use crate::dataset::{Column, Role, Table};
use crate::recoding::{Recoding, SUPPRESSED};
use crate::registry::Info;
use crate::traits::{Combine, Objective};

/// What a metric may look at.
pub struct View<'a> {
    /// The original, encoded.
    pub table: &'a Table,
    /// The quasi columns of the table, in file order.
    pub quasi: Vec<&'a Column>,
    /// The decision.
    pub recoding: &'a dyn Recoding,
    /// Records per class.
    pub class_sizes: Vec<u64>,
    /// Records suppressed.
    pub suppressed: u64,
    /// The k asked for, where one was (`average-class-size` divides by it).
    pub k: Option<u64>,
}

impl<'a> View<'a> {
    /// Look at a recoding of a table.
    pub fn new(table: &'a Table, recoding: &'a dyn Recoding, k: Option<u64>) -> Self {
        let mut class_sizes = vec![0u64; recoding.n_classes()];
        let mut suppressed = 0;
        for &class in recoding.class_of_row() {
            match class {
                SUPPRESSED => suppressed += 1,
                class => class_sizes[class as usize] += 1,
            }
        }
        View { table, quasi: table.quasi(), recoding, class_sizes, suppressed, k }
    }

    /// The target column of the data, if there is one.
    pub fn target(&self) -> Option<&'a Column> {
        self.table.of_role(Role::Target).next()
    }

    /// For one quasi column: how many records are published with each of the column's published
    /// values.
    pub fn records_per_value(&self, quasi: usize) -> Vec<u64> {
        let column = self.recoding.column(quasi);
        let mut records = vec![0u64; column.values.len()];
        for (class, size) in self.class_sizes.iter().enumerate() {
            records[column.of_class[class] as usize] += size;
        }
        records
    }
}

/// The value of a metric.
#[derive(Debug, Clone, PartialEq)]
pub struct Measurement {
    /// Over the whole release.
    pub overall: f64,
    /// Per quasi column, in file order; empty where the metric has no such form.
    pub by_column: Vec<f64>,
}

/// A utility metric: an entry of the registry.
pub trait Metric: Sync {
    /// What it is.
    fn info(&self) -> &'static Info;
    /// Its value, or `None` where it doesn't apply (a classification metric without a target).
    fn measure(&self, view: &View<'_>) -> Option<Measurement>;
    /// How its values of parts of a table make that of the whole. In a part, a column of numbers
    /// may have a domain of its own: the values that occur there, with the least and the largest of
    /// the whole.
    fn combine(&self) -> Combine;
    /// What a search should keep low so that this metric gets good, or `None` where it doesn't
    /// apply to the table.
    fn objective<'a>(&self, table: &'a Table) -> Option<Objective<'a>>;
}
