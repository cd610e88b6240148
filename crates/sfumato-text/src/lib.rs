//! Text: a record is a document.
//!
//! `job` defines what can be asked for, `data` reads documents and keeps every byte that isn't
//! replaced, `detectors` find personal data, `forms` are what may be published, `models` say what
//! must hold, `algorithms` decide which terms go, `metrics` measure, and `attacks` are played.

pub mod algorithms;
pub mod attacks;
pub mod data;
pub mod detectors;
pub mod flags;
pub mod forms;
pub mod job;
pub mod kind;
pub mod learn;
pub mod metrics;
pub mod models;

pub use job::Job;
pub use kind::Documents;

use sfumato_engine::{AnyRelease, Entry};

/// Every form of release of documents.
pub static RELEASES: &[&dyn AnyRelease] =
    &[&Entry { kind: Documents, form: forms::redacted::Redacted }];
