//! Tasks of a recipient: the words with which a workload is described.

use crate::dataset::Table;
use crate::error::Result;
use crate::registry::{Info, Params};
use crate::workload::Workload;

/// A kind of task, such as classification: an entry of the registry.
pub trait WorkloadTask: Sync {
    /// What it is.
    fn info(&self) -> &'static Info;
    /// Check what was written against the table, and add it to what algorithms look at.
    fn bind(&self, params: &Params, table: &Table, workload: &mut Workload) -> Result<()>;
}
