//! Metrics for paths: one folder for each form.

pub mod moved;
pub mod regions;
pub mod suppressed;
