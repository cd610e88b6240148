//! The decisions that an algorithm may make: which records are published alike, and how.
//!
//! Algorithms decide, forms apply the decision, and the verifier checks the bytes that were
//! written.

mod boxes;
mod buckets;
mod cuts;
mod matched_boxes;
mod value;

pub use boxes::{Boxes, BoxesBuilder};
pub use buckets::Buckets;
pub use cuts::{Cut, Cuts};
pub use matched_boxes::MatchedBoxes;
pub use value::Value;

use crate::matches::Matches;

/// The class of a record that isn't published.
pub const SUPPRESSED: u32 = u32::MAX;

/// One quasi column of a recoding: its distinct published values, and which of them each class has.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct RecodedColumn {
    /// The distinct values.
    pub values: Vec<Value>,
    /// For each class, an index into `values`.
    pub of_class: Vec<u32>,
}

/// A number that an algorithm found out on its way, for the report.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Finding {
    /// The name of the finding.
    pub name: &'static str,
    /// The number itself.
    pub value: f64,
}

/// A decision about a table: which records are published alike, and how.
pub trait Recoding: Send + Sync {
    /// The shape: `boxes`, `cuts`, `buckets`, `matched-boxes`.
    fn shape(&self) -> &'static str;
    /// Whether quasi values are published as they are, and classes only say which records share
    /// their sensitive values. Then no column is generalized: [`n_columns`](Recoding::n_columns) is
    /// 0, and there is nothing to ask of one.
    fn is_exact(&self) -> bool {
        false
    }
    /// The number of classes.
    fn n_classes(&self) -> usize;
    /// For each row of the table, its class or [`SUPPRESSED`]; behind them those of records that
    /// are made up.
    fn class_of_row(&self) -> &[u32];
    /// The sensitive value of each record that is made up and stands beside those of the table.
    fn made_up(&self) -> &[u32] {
        &[]
    }
    /// Follow a table whose rows are put into another order: row `i` is what row `order[i]` was.
    fn reorder(&mut self, order: &[u32]);
    /// What the algorithm found out on its way.
    fn findings(&self) -> &[Finding] {
        &[]
    }
    /// The cut of each quasi column, if every column is recoded on its own.
    fn cuts(&self) -> Option<&[Cut]> {
        None
    }
    /// The classes that each row of the table matches, if each class has one record and hides
    /// nobody by itself.
    fn matches(&self) -> Option<&Matches> {
        None
    }
    /// The number of generalized quasi columns: all of the table's, or none if the recoding is
    /// exact.
    fn n_columns(&self) -> usize;
    /// The published values of a quasi column.
    fn column(&self, quasi: usize) -> &RecodedColumn;
    /// The published value of a class in a column.
    fn value(&self, class: u32, quasi: usize) -> Value {
        let column = self.column(quasi);
        column.values[column.of_class[class as usize] as usize]
    }
}
