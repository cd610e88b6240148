//! The engine: jobs, and the pipeline that every release goes through, whatever its kind and form.
//!
//! It knows no kind. Each kind is a crate that depends on this one, and the list of kinds is in a
//! crate above all of them.

pub mod apply;
pub mod attack;
pub mod audit;
pub mod compare;
pub mod context;
pub mod copy;
pub mod destinations;
pub mod draft;
pub mod entry;
pub mod exec;
pub mod explain;
pub mod flags;
pub mod form;
pub mod hash;
pub mod input;
pub mod inputs;
pub mod job;
pub mod kind;
pub mod ledger;
pub mod lie;
pub mod manifest;
pub mod paths;
pub mod pipeline;
pub mod plan;
pub mod query;
pub mod random;
pub mod releases;
pub mod reports;
pub mod risks;
pub mod section_of_buckets;
pub mod stopwatch;
pub mod threads;
pub mod verify;
pub mod watch;

pub use entry::{AnyRelease, Entry};
pub use job::Job;
pub use releases::Releases;
