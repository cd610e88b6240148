//! The algorithms that the paper compares, as calls of ours.

/// Median Mondrian as parameters.
pub const MEDIAN: &str = "split=widest, leftovers=none, cuts=median, workload=false";
/// InfoGain and Regression Mondrian: the workload says which.
pub const GUIDED: &str = "split=widest, leftovers=none, cuts=median, significant=false";
/// How often a test may be wrong.
pub const ALPHA: f64 = 0.05;

/// A call of Rothko-T with numbers of frequency groups and of records that fit into memory.
pub fn tree(split: &str, groups: u64, partition_rows: u64) -> String {
    format!("rothko-tree({split}, groups={groups}, partition_rows={partition_rows})")
}

/// Rothko-S with a sample, and records that fit in memory.
pub fn sample(split: &str, sample: u64, partition_rows: u64) -> String {
    format!("rothko-sample({split}, sample={sample}, partition_rows={partition_rows})")
}

/// k-anonymity.
pub fn k_anonymity(k: u64) -> String {
    format!("k-anonymity(k={k})")
}
