//! Top-down search over cuts: everything begins fully generalized, and the best refinement that may
//! be published is performed until there is none. Algorithms differ in how columns are refined and
//! in what is best.
//!
//! A refinement that may not be performed never may: requirements hold for unions of what they hold
//! for, so what fails now fails in whatever is more exact. Validity is asked only of what is about
//! to be performed.

pub mod anonymity;
pub mod checks;
pub mod columns;
mod keys;
pub mod marginal;
pub mod points;
pub mod refinement;
pub mod score;
mod search;
mod summaries;
pub mod tips;

#[cfg(test)]
mod tests;

pub use columns::Way;
pub use score::Score;
pub use search::{Search, specialise};
