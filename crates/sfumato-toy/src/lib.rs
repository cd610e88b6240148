//! A kind of data made up to show what a kind must bring: a record is a whole number, and what is
//! published of it is a number rounded down.
//!
//! The folders are those of every kind: `data` reads, `forms` are what may be published, `models`
//! say what must hold, `algorithms` decide, `metrics` measure, `attacks` play the adversary.
//! Nothing outside this crate knows it but the line of the list that names [`RELEASES`].

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

use forms::rounded::Rounded;
use kind::Numbers;

/// Every form of release of numbers.
pub static RELEASES: &[&dyn AnyRelease] = &[&Entry { kind: Numbers, form: Rounded }];
