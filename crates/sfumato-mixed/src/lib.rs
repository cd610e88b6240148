//! Mixed records: a record is a row of a table with a set of items in one of its cells.
//!
//! Two kinds meet here: columns are generalized by the models and algorithms of tables, and items
//! by those of baskets, within each class of the columns. So a promise about combinations of items
//! holds for whoever knows the columns as well (`classes`). `data` reads, and `algorithms` decide
//! which classes there are.

pub mod algorithms;
pub mod attacks;
pub mod classes;
pub mod data;
pub mod flags;
pub mod job;
pub mod kind;

pub use job::Job;
pub use kind::Mixed;

use sfumato_engine::{AnyRelease, Entry};

/// Every form of release of mixed records.
pub static RELEASES: &[&dyn AnyRelease] = &[&Entry { kind: Mixed, form: classes::Classes }];
