//! Tables larger than memory: the same way of the data, with a budget.
//!
//! The input is read, never held: a first look says what its columns are, Rothko divides it into partitions that fit, each of them is anonymized, shuffled
//! and appended to the release, and the release is read back partition by partition.

pub mod audit;
mod class_runs;
mod cover;
mod layout;
mod shares;
mod source;
mod survey;
