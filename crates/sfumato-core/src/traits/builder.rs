//! Builders: they make a hierarchy from parameters, a file or the data.

use crate::dataset::{Domain, LevelTable};
use crate::error::Result;
use crate::registry::{Info, Params};

/// What a builder may look at.
pub struct BuildInput<'a> {
    /// The distinct values of the column, in rank order (numbers, dates) or text order. Missing
    /// isn't among them.
    pub domain: &'a Domain,
    /// How often each occurs.
    pub counts: &'a [u64],
    /// Reads a text file that a parameter names, relative to the job. Core and builders do no I/O
    /// themselves.
    pub read_text: &'a dyn Fn(&str) -> Result<String>,
}

/// A hierarchy builder: an entry of the registry.
pub trait Builder: Sync {
    /// What it is.
    fn info(&self) -> &'static Info;
    /// Build. Builders over the data return one leaf per value of the domain, in its order; a file
    /// or tree returns its own leaves, which must include the data's.
    fn build(&self, params: &Params, input: &BuildInput<'_>) -> Result<LevelTable>;
    /// Whether labels are made from data (frequency groups, data bounds): they then carry real
    /// cells.
    fn is_data_bearing(&self) -> bool {
        false
    }
}
