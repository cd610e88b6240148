//! What several algorithms for tables share: the space of records and the prices of its regions,
//! groups of rows as classes, and the error for infeasible tasks.

pub mod among;
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
