//! The engine: what the user asked for (`job`), the stages data passes (`stage`), the pipeline that calls them in order,
//! and the commands that look at finished releases (`audit`).
//!
//! Only this crate knows all families; the crates below don't see each other.

mod assignments;
mod at_once;
pub mod audit;
mod box_tree;
pub mod buckets;
pub mod class_index;
pub mod cluster;
pub mod evaluate;
pub mod explain;
pub mod explore;
pub mod external;
pub mod hierarchy;
pub mod init;
pub mod job;
mod key;
pub mod paths;
pub mod pipeline;
pub mod query;
pub mod recoding_file;
pub mod reduce;
pub mod sets;
pub mod stage;
pub mod stopwatch;

pub use job::Job;
pub use pipeline::{apply_saved, run, run_with};
