//! Re-identification risks: how successful an attacker may be. [`estimate`] computes them from the
//! sizes of classes, one file each.
//!
//! Nothing here decides whether data may be published, which privacy models do. Risks show a
//! steward how a table changes by anonymizing.

pub mod estimate;
