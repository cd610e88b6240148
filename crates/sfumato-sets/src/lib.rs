//! Baskets: a record is a set of items.
//!
//! `job` is what may be asked for, `data` reads, `forms` are what may be published, `models` say
//! what must hold, `algorithms` decide, `metrics` measure; `serve` hands out one set at a time.

pub mod algorithms;
pub mod data;
pub mod flags;
pub mod forms;
pub mod job;
pub mod kind;
pub mod metrics;
pub mod models;
pub mod serve;

pub use job::Job;
pub use kind::Baskets;

use sfumato_engine::{AnyRelease, Entry};

/// What may be published of baskets. A job belongs to the first form that takes it: no two take the
/// same, but for jobs that ask for what can't be had together, which any form refuses.
pub static RELEASES: &[&dyn AnyRelease] = &[
    &Entry { kind: Baskets, form: forms::Subsets },
    &Entry { kind: Baskets, form: forms::Buckets },
    &Entry { kind: Baskets, form: forms::Bitmaps },
];
