//! Algorithms that split people into several pseudonyms.

use sfumato_core::Result;
use sfumato_core::registry::{self, Info, Params};

use crate::data::Log;

sfumato_core::registry! {
    /// The algorithms that split people.
    dyn SplittingAlgorithm:
    split_personality::SplitPersonality,
}

/// Which pseudonym each row of a log has.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Split {
    /// The pseudonym of each row, from 0.
    pub of_entry: Vec<u32>,
    /// The number of pseudonyms.
    pub n: usize,
    /// The rows of the log that are published, by their numbers.
    pub rows: Vec<u32>,
}

/// An algorithm that splits people: an entry of the registry.
pub trait SplittingAlgorithm: Sync {
    /// The name, summary and parameters of the algorithm.
    fn info(&self) -> &'static Info;
    /// Give each row a pseudonym.
    fn split(&self, params: &Params, log: &Log) -> Result<Split>;
}

/// Find an algorithm by its name. The error for an unknown name hints at similar names.
pub fn find(name: &str) -> Result<&'static dyn SplittingAlgorithm> {
    registry::find("query-algorithm", ALL, |algorithm| algorithm.info(), name)
}
