//! Re-identification risks: what an attacker may achieve. [`estimate`] computes them from class
//! sizes, one file each.
//!
//! Nothing here decides whether data may be published: that's what privacy models are for. Risks
//! tell a steward how a table stands before and after.

pub mod estimate;
