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
pub mod held;
mod keys;
pub mod marginal;
pub mod points;
pub mod refinement;
pub mod score;
mod search;
pub mod store;
mod summaries;
pub mod tips;

#[cfg(test)]
pub(crate) mod tests;

use sfumato_core::Result;
use sfumato_core::dataset::Column;
use sfumato_core::registry::Params;
use sfumato_core::traits::Algorithm;

pub use columns::Way;
pub use score::Score;
pub use search::{Search, specialise};

/// How one of the algorithms searches.
#[derive(Clone, Copy)]
pub struct Recipe {
    /// What makes one refinement better than another.
    pub score: Score,
    /// How each column is refined.
    pub way: fn(&Column) -> Way,
}

/// An algorithm that is this search with a recipe of its own, so that its points can be anywhere.
pub trait Specialises: Algorithm {
    /// What distinguishes it from the other searches down trees.
    fn recipe(&self, params: &Params, has_target: bool) -> Result<Recipe>;
}
