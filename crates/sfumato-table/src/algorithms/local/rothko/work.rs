//! What a run read, wrote and decided, to be compared with what was foreseen.

use serde::{Deserialize, Serialize};

/// Counters of a run.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Work {
    /// Records of the input.
    pub input_rows: u64,
    /// Passes over tuples of any size.
    pub scans: u64,
    /// Records read in all passes.
    pub rows_read: u64,
    /// Records written to partitions.
    pub rows_written: u64,
    /// Times that tuples of any size were divided into partitions.
    pub repartitions: u64,
    /// Nodes that were decided.
    pub nodes: u64,
    /// Facts that needed another look at the records of a node.
    pub questions: u64,
    /// Splits that were undone.
    pub pruned: u64,
    /// Partitions too large for memory that samples said nothing more about, so that all records
    /// had to be looked at.
    #[serde(default)]
    pub handed_over: u64,
    /// Partitions that might have been split further.
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
    /// Count what another part of the run did.
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
