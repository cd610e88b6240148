//! Counts what a run read, wrote and decided, to be compared with the prediction.

use serde::{Deserialize, Serialize};

/// Counters of a run.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Work {
    /// The number of records of the input.
    pub input_rows: u64,
    /// The number of passes over tuples.
    pub scans: u64,
    /// The number of records read in all passes.
    pub rows_read: u64,
    /// The number of records written to partitions.
    pub rows_written: u64,
    /// How often tuples were divided into partitions.
    pub repartitions: u64,
    /// The number of nodes that were decided.
    pub nodes: u64,
    /// The number of questions that needed another pass over the records of a node.
    pub questions: u64,
    /// The number of splits that were undone.
    pub pruned: u64,
    /// The number of partitions too large for memory for which samples found no more splits, so
    /// that all records had to be counted.
    #[serde(default)]
    pub handed_over: u64,
    /// The number of partitions that might have been split further.
    pub nonminimal: u64,
}

impl Work {
    /// How often the whole input was read.
    pub fn reads(&self) -> f64 {
        self.rows_read as f64 / self.input_rows.max(1) as f64
    }
    /// How often the whole input was written.
    pub fn writes(&self) -> f64 {
        self.rows_written as f64 / self.input_rows.max(1) as f64
    }
    /// Add the work of another part of the run.
    pub fn add(&mut self, other: &Work) {
        self.scans += other.scans;
        self.rows_read += other.rows_read;
        self.rows_written += other.rows_written;
        self.repartitions += other.repartitions;
        self.nodes += other.nodes;
        self.questions += other.questions;
        self.pruned += other.pruned;
        self.handed_over += other.handed_over;
        self.nonminimal += other.nonminimal;
    }
}
