//! Algorithms that publish random sets instead of the records' own. What is promised is a property
//! of the operator that draws them.

pub mod operator;
pub mod papers;
pub mod recovery;

use sfumato_core::Result;
use sfumato_core::registry::{self, Info, Params};
use sfumato_core::transactions::Transactions;

use operator::Operator;

sfumato_core::registry! {
    /// The algorithms that randomize sets.
    dyn RandomizingAlgorithm:
    select_a_size::SelectASize,
}

/// The task of an algorithm that randomizes sets.
#[derive(Clone, Copy)]
pub struct RandomTask<'a> {
    /// The records.
    pub sets: &'a Transactions,
    /// By less than which factor one record may make what is published likelier than another.
    pub amplification: f64,
}

/// An algorithm that randomizes sets: an entry of the registry. It chooses the operator; the form
/// draws with it.
pub trait RandomizingAlgorithm: Sync {
    /// The name, summary and parameters of the algorithm.
    fn info(&self) -> &'static Info;
    /// Choose the operator for sets of the sizes that records have.
    fn choose(&self, params: &Params, task: &RandomTask<'_>) -> Result<Operator>;
}

/// Find an algorithm by its name. The error for an unknown name hints at similar names.
pub fn find(name: &str) -> Result<&'static dyn RandomizingAlgorithm> {
    registry::find("randomized-algorithm", ALL, |algorithm| algorithm.info(), name)
}

#[cfg(test)]
mod tests;
