//! Algorithms that change edges at random and promise nothing: one file each, listed once.

mod switching;

sfumato_core::registry! {
    /// Every algorithm that changes edges at random.
    dyn crate::traits::RandomizingAlgorithm:
    random_edges::RandomEdges,
    random_switch::RandomSwitch,
    spectrum_switch::SpectrumSwitch,
}

use sfumato_core::Result;
use sfumato_core::registry::{self, ParamKind, ParamSpec};

use crate::traits::RandomizingAlgorithm;

/// Find an algorithm by its name. The error for an unknown name hints at similar names.
pub fn find(name: &str) -> Result<&'static dyn RandomizingAlgorithm> {
    registry::find("random-graph-algorithm", ALL, |algorithm| algorithm.info(), name)
}

/// Whether there is an algorithm of this name.
pub fn is_one(name: &str) -> bool {
    ALL.iter().any(|algorithm| algorithm.info().name == name)
}

/// The parameter that says how many edges are changed.
const SHARE: ParamSpec = ParamSpec::required(
    "share",
    ParamKind::Number { min: 0.0, above: true, max: 1.0 },
    "the share of edges that are deleted or moved",
);

/// How many edges a share is.
fn count(share: f64, edges: u64) -> usize {
    (share * edges as f64).round() as usize
}

#[cfg(test)]
mod tests;
