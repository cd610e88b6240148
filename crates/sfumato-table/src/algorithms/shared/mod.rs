//! What several algorithms for tables need: the space in which records lie and what its regions
//! cost, groups of rows as classes, and the error for what can't be done.

pub mod clusters;
pub mod infeasible;
pub mod intervals;
pub mod local;
pub mod mix;
pub mod points;
pub mod progress;
pub mod space;
#[cfg(test)]
pub mod testing;
