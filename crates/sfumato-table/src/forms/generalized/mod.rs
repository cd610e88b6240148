//! Generalized cells: every quasi cell is published as a value that covers its original.
//!
//! The steps are files of this folder; each takes only the type of the one before.

pub mod anonymize;
pub mod apply;
pub(crate) mod audit_arguments;
pub mod check_destinations;
pub mod cover;
pub mod cover_statistics;
mod form;
pub(crate) mod kept;
mod lies;
mod made_up;
pub mod make_plan;
pub mod measure;
pub mod reorder;
pub mod report;
pub mod statistics;
mod utility;
pub mod verify;
mod verify_matches;

pub use form::{Generalized, GeneralizedPlan, Say, Witness};
