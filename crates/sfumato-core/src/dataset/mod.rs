//! Tables between reading and publishing: kinds of values, domains, hierarchies, roles.

mod canonical;
mod domain;
mod hierarchy;
mod kind;
mod labels;
mod role;
mod table;
mod written;

pub use canonical::{Canonical, Numbered, rough};
pub use domain::Domain;
pub use hierarchy::{Hierarchy, LevelTable, NodeId, ROOT_LABEL};
pub use kind::{ValueKind, has_offset};
pub use labels::Labels;
pub use role::Role;
pub use table::{Column, Missing, Table};
pub use written::{Guessed, Written};
