//! Algorithms that replace the terms of queries.

use sfumato_core::Result;
use sfumato_core::registry::{self, Info, Params};

use super::secret::Secret;
use crate::data::Log;

sfumato_core::registry! {
    /// The algorithms that replace terms.
    dyn HashingAlgorithm:
    token_hashing::TokenHashing,
}

/// What is published of each query.
#[derive(Clone)]
pub struct HashedLog {
    /// The hashes of each different query, in the order in which they are published.
    pub of_query: Vec<Vec<String>>,
    /// The rows of the log that are published, by their numbers.
    pub rows: Vec<u32>,
    /// Whether the hashes of a query are in the order of its terms.
    pub keeps_order: bool,
}

/// An algorithm that replaces terms: an entry of the registry.
pub trait HashingAlgorithm: Sync {
    /// The name, summary and parameters of the algorithm.
    fn info(&self) -> &'static Info;
    /// Replace the terms of all queries.
    fn hash(&self, params: &Params, log: &Log, secret: &Secret) -> Result<HashedLog>;
}

/// Find an algorithm by its name. The error for an unknown name hints at similar names.
pub fn find(name: &str) -> Result<&'static dyn HashingAlgorithm> {
    registry::find("query-algorithm", ALL, |algorithm| algorithm.info(), name)
}
