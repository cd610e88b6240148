//! Re-identification risks: how successful an attacker may be. [`estimate`] computes them from the
//! sizes of classes, [`columns`] from the columns of a table; one file each.
//!
//! Nothing here decides whether data may be published, which privacy models do. Risks show a
//! steward how a table changes by anonymizing.

pub mod columns;
pub mod estimate;
