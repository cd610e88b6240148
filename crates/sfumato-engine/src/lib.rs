//! The engine: jobs, and the one way that every release goes, whatever its kind and form.
//!
//! No kind is known here. A kind is a crate above this one, and the list of kinds stands above all of them.

pub mod destinations;
pub mod hash;
pub mod input;
pub mod job;
pub mod paths;
pub mod query;
pub mod random;
pub mod reports;
pub mod risks;
pub mod section_of_buckets;
pub mod stopwatch;
pub mod threads;
pub mod verify;

pub use job::Job;
