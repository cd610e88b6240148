//! Tables as they are read: roles, codes whose order means something, hierarchies, classes of equal
//! rows.

pub mod assign_roles;
pub mod check_dependencies;
pub mod class_index;
mod dependencies_of_sets;
pub mod encode;
pub mod owners;
pub mod questions;
pub mod read;
pub mod tuples;
