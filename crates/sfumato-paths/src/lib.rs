//! Paths: a record is where somebody was and when, or which pages were visited one after the other.
//!
//! `job` defines what can be asked for, `data` reads, `forms` are what may be published, `models`
//! say what must hold, `algorithms` decide, `metrics` measure, `attacks`
//! are played on what was published.

pub mod algorithms;
pub mod attacks;
pub mod data;
pub mod flags;
pub mod forms;
pub mod job;
pub mod kind;
pub mod metrics;
pub mod models;

pub use data::generalize::run_tables_by;
pub use job::Job;
pub use kind::Paths;

use sfumato_engine::{AnyRelease, Entry};

/// The forms of paths. A job belongs to the first form that takes it, by its models.
pub static RELEASES: &[&dyn AnyRelease] = &[
    &Entry { kind: Paths, form: forms::Suppressed },
    &Entry { kind: Paths, form: forms::Moved },
    &Entry { kind: Paths, form: forms::Regions },
    &Entry { kind: Paths, form: forms::FlowsForm },
];
