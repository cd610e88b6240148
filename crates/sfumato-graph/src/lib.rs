//! Graphs: a record is a node, and what is known of it are its edges.
//!
//! `job` defines what can be asked for, `data` reads, holds and writes graphs and says which nodes
//! are alike, `forms` are what may be published, `models` say what must hold, `algorithms` decide,
//! `metrics` measure, `attacks` are played. `traits` are what models, algorithms and metrics bring.

pub mod algorithms;
pub mod attacks;
pub mod data;
pub mod flags;
pub mod forms;
pub mod job;
pub mod kind;
pub mod metrics;
pub mod models;
pub mod traits;

pub use job::Job;
pub use kind::Graphs;

use sfumato_engine::{AnyRelease, Entry};

/// The forms of graphs. A job belongs to the first form that takes it.
pub static RELEASES: &[&dyn AnyRelease] = &[
    &Entry { kind: Graphs, form: forms::Edited },
    &Entry { kind: Graphs, form: forms::Supernodes },
    &Entry { kind: Graphs, form: forms::Randomized },
    &Entry { kind: Graphs, form: forms::Answers },
];
