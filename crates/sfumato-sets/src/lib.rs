//! Baskets: a record is a set of items.
//!
//! `job` defines what can be asked for, `data` reads, `forms` are what may be published, `models`
//! say what must hold, `algorithms` decide, `metrics` measure, `attacks` play the adversary, and
//! `serve` answers requests for single sets. `traits` are what models, algorithms and metrics
//! bring.

pub mod algorithms;
pub mod attacks;
pub mod data;
pub mod flags;
pub mod forms;
pub mod job;
pub mod kind;
pub mod metrics;
pub mod models;
pub mod serve;
pub mod traits;

pub use job::Job;
pub use kind::Baskets;

use sfumato_engine::{AnyRelease, Entry};

/// The forms of baskets. A job belongs to the first form that takes it. No two forms take the same
/// job, except one that asks for things that exclude each other, which every form refuses.
pub static RELEASES: &[&dyn AnyRelease] = &[
    &Entry { kind: Baskets, form: forms::Subsets },
    &Entry { kind: Baskets, form: forms::Buckets },
    &Entry { kind: Baskets, form: forms::Bitmaps },
    &Entry { kind: Baskets, form: forms::Generalized },
    &Entry { kind: Baskets, form: forms::Randomized },
];
