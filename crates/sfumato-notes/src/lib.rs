//! Notes: a record is a row of a table with free text in it.
//!
//! Two kinds meet here and nowhere else: what the text of a row gives away of the person's quasi
//! columns is joined to the row (`data`), the joint table is anonymized and judged by the models
//! and algorithms of tables, and the values that they publish are written back into the text
//! (`joined`).

pub mod data;
pub mod flags;
pub mod job;
pub mod joined;
pub mod kind;

pub use job::Job;
pub use kind::Notes;

use sfumato_engine::{AnyRelease, Entry};

/// Every form of release of notes.
pub static RELEASES: &[&dyn AnyRelease] = &[&Entry { kind: Notes, form: joined::Joined }];
