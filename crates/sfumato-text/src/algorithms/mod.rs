//! Algorithms for documents: one file each, listed once. Each finds, for the terms that documents
//! say of protected entities, a set of terms that may stay.

pub mod bits;
pub mod problem;
#[cfg(test)]
mod tests;

use sfumato_core::facts::Fact;
use sfumato_core::registry::{self, Capabilities, Info};
use sfumato_core::{Error, Result};

use bits::Bits;
use problem::Problem;

/// An algorithm for documents.
pub trait TermAlgorithm: Sync {
    /// The name, summary and parameters of the algorithm.
    fn info(&self) -> &'static Info;
    /// Find a safe set of terms, as large as it can. The empty set is known to be safe.
    fn keep(&self, problem: &Problem) -> Result<Bits>;
}

sfumato_core::registry! {
    /// Every algorithm for documents.
    dyn TermAlgorithm:
    levelwise::Levelwise,
    best_first::BestFirst,
    fast_btop::FastBTop,
}

/// What all algorithms can do.
pub(crate) const CAPABILITIES: Capabilities =
    Capabilities { serves: &[Fact::Covers], ignores: &["metric"], ..Capabilities::DEFAULT };

/// Find an algorithm by its name.
pub fn find(name: &str) -> Result<&'static dyn TermAlgorithm> {
    registry::find("redacted-algorithm", ALL, |algorithm| algorithm.info(), name)
}

/// The largest set of terms that a search among all subsets is asked about where nobody chose.
pub const SEARCHED: usize = 20;

/// Solve a problem with an algorithm. Where even a document without any term isn't safe, nothing
/// is.
pub fn solve(algorithm: &dyn TermAlgorithm, problem: &Problem) -> Result<Bits> {
    if !problem.is_feasible() {
        return Err(Error::infeasible(format!(
            "there are {} entities, and each protected one must hide among {} others",
            problem.entities, problem.k
        ))
        .hint("name more entities, or ask for a smaller k"));
    }
    let all = Bits::full(problem.terms);
    if problem.is_safe(&all) {
        return Ok(all);
    }
    algorithm.keep(problem)
}
