//! Views of one table, given to people who may put them together: what do all of them tell?
//!
//! A view is a projection, with a selection or without, or a marginal: a projection with counts.
//! Whoever has them knows how they were made, and that all are of one table. `sql` reads them,
//! `atoms` tells which records there can be, `cells` puts record sets together, and `check` finds
//! what they tell of a person, with the views that prove it. `secrecy` asks whether a view that
//! isn't published stays perfectly secret.

pub mod atoms;
pub mod cells;
pub mod check;
pub mod secrecy;
pub mod sql;
#[cfg(test)]
mod tests;

pub use check::{Asked, Found, Violation, check};
pub use secrecy::secrecy;
pub use sql::{View, parse};
