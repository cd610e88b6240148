//! Metrics measure how useful the data remain under a recoding.

use crate::dataset::{Column, Role, Table};
use crate::recoding::{Recoding, SUPPRESSED};
use crate::registry::Info;
use crate::traits::{Combine, Objective};

/// The input of a metric.
pub struct View<'a> {
    /// The original table, encoded.
    pub table: &'a Table,
    /// The quasi columns of the table, in file order.
    pub quasi: Vec<&'a Column>,
    /// The decision.
    pub recoding: &'a dyn Recoding,
    /// The number of records in each class.
    pub class_sizes: Vec<u64>,
    /// The number of suppressed records.
    pub suppressed: u64,
    /// The k that was asked for, if any (`average-class-size` divides by it).
    pub k: Option<u64>,
}

impl<'a> View<'a> {
    /// Make the view of a recoding of a table.
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

    /// The number of records that are published with each of the published values of a quasi
    /// column.
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
    /// The value over the whole release.
    pub overall: f64,
    /// The value per quasi column, in file order. Empty if the metric isn't defined per column.
    pub by_column: Vec<f64>,
}

/// A utility metric: an entry of the registry.
pub trait Metric: Sync {
    /// The name, summary and parameters of the metric.
    fn info(&self) -> &'static Info;
    /// The value of the metric, or `None` if it doesn't apply (a classification metric without a
    /// target).
    fn measure(&self, view: &View<'_>) -> Option<Measurement>;
    /// How its values on parts of a table give the value on the whole. In a part, a column of
    /// numbers may have a domain of its own: the values that occur there, and the least and the
    /// largest of the whole.
    fn combine(&self) -> Combine;
    /// What a search should minimize to optimize this metric, or `None` if it doesn't apply to the
    /// table.
    fn objective<'a>(&self, table: &'a Table) -> Option<Objective<'a>>;
}
