//! The stages in the order in which data passes them. Each takes only the type of the one before.

pub mod anonymize;
pub mod apply;
pub mod assign_roles;
pub mod check_dependencies;
pub mod cover;
pub mod cover_statistics;
pub mod encode;
pub mod make_plan;
pub mod measure;
pub mod read;
pub mod reorder;
pub mod report;
pub mod statistics;
pub mod verify;
mod verify_matches;
pub mod write;
