//! Algorithms for mixed records: which rows are a class. Columns of a class are generalized alike,
//! and items are generalized or left out within it.

pub mod items;

use sfumato_core::Result;
use sfumato_core::registry::{self, Info, Params};
use sfumato_core::traits::Task;
use sfumato_table::algorithms::shared::space::Space;

use items::Publisher;

sfumato_core::registry! {
    /// The algorithms for mixed records.
    dyn MixedAlgorithm:
    class_merging::ClassMerging,
}

/// An algorithm for mixed records: an entry of the registry.
pub trait MixedAlgorithm: Sync {
    /// The name, summary and parameters of the algorithm.
    fn info(&self) -> &'static Info;
    /// The call of the algorithm for tables that makes the first classes.
    fn first(&self, params: &Params) -> String;
    /// Better classes than the first ones: lists of rows.
    fn improve(
        &self,
        params: &Params,
        task: &Task<'_>,
        space: &Space<'_>,
        publisher: &Publisher<'_>,
        classes: Vec<Vec<u32>>,
    ) -> Result<Vec<Vec<u32>>>;
}

/// Find an algorithm by its name. The error for an unknown name hints at similar names.
pub fn find(name: &str) -> Result<&'static dyn MixedAlgorithm> {
    registry::find("mixed-algorithm", ALL, |algorithm| algorithm.info(), name)
}
