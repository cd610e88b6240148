//! Tables: a record is a row of columns.
//!
//! `data` reads, `forms` are what may be published, `models` say what must hold, `algorithms` decide, `metrics` measure,
//! `workloads` say what the recipient will do; `spill` is the store of partitions that memory can't hold.

pub mod algorithms;
pub mod audit;
pub mod data;
pub mod explain;
pub mod forms;
pub mod hierarchy;
pub mod init;
pub mod metrics;
pub mod models;
pub mod pipeline;
pub mod query;
pub mod recoding_file;
pub mod spill;
pub mod workloads;

pub use pipeline::{apply_saved, run, run_with};
