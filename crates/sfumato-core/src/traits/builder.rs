//! Builders: they make a hierarchy from parameters, a file or the data.

use crate::dataset::{Domain, LevelTable};
use crate::error::Result;
use crate::registry::{Info, Params};

/// The input of a builder.
pub struct BuildInput<'a> {
    /// The distinct values of the column, in rank order (numbers, dates) or text order, without
    /// missing.
    pub domain: &'a Domain,
    /// How often each value occurs.
    pub counts: &'a [u64],
    /// Reads a text file that a parameter names, relative to the job. Core and builders do no input
    /// or output themselves.
    pub read_text: &'a dyn Fn(&str) -> Result<String>,
}

/// A hierarchy builder: an entry of the registry.
pub trait Builder: Sync {
    /// The name, summary and parameters of the builder.
    fn info(&self) -> &'static Info;
    /// Build the hierarchy. Builders that use the data return one leaf per value of the domain, in
    /// its order; a file or tree returns its own leaves, which must include those of the data.
    fn build(&self, params: &Params, input: &BuildInput<'_>) -> Result<LevelTable>;
    /// Whether labels are made from data (frequency groups, bounds of the data) and so contain real
    /// cells.
    fn is_data_bearing(&self) -> bool {
        false
    }
}
