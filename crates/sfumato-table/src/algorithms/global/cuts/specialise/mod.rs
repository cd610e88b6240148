//! Top-down search over cuts: everything begins fully generalized, and the best refinement that may
//! be published is performed until there is none. Algorithms differ in how columns are refined and
//! in what is best.
//!
//! A refinement that is invalid stays invalid: requirements hold for unions of groups for which
//! they hold, so what fails now fails in everything more exact. Validity is checked only for a
//! refinement that is about to be performed.

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
