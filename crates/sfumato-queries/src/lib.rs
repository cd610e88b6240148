//! Logs of queries: a record is a person with everything that the person asked.
//!
//! `job` defines what can be asked for, `data` reads, `forms` are what may be published (hashed
//! terms, shares of secrets, split personalities), `models` say what must hold, `algorithms`
//! decide, `metrics` measure, and `attacks` undo what promises nothing.

pub mod algorithms;
pub mod attacks;
pub mod data;
pub mod flags;
pub mod forms;
pub mod job;
pub mod kind;
pub mod metrics;
pub mod models;

use sfumato_engine::{AnyRelease, Entry};

use forms::{Hashed, Personas, Rows, Shared};
use kind::Queries;

/// The forms of logs of queries. A job belongs to the first form that takes it.
pub static RELEASES: &[&dyn AnyRelease] = &[
    &Entry { kind: Queries, form: Rows(Shared) },
    &Entry { kind: Queries, form: Rows(Hashed) },
    &Entry { kind: Queries, form: Rows(Personas) },
];
