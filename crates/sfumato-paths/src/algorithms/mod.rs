//! Algorithms for paths: they decide which steps are published. One folder for each form.

pub mod flows;
pub mod moving;
pub mod regions;
pub mod suppression;
