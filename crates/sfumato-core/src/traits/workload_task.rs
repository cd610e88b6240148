//! Tasks of a recipient, with which users describe a workload.

use crate::dataset::Table;
use crate::error::Result;
use crate::registry::{Info, Params};
use crate::workload::Workload;

/// A kind of task, such as classification: an entry of the registry.
pub trait WorkloadTask: Sync {
    /// The name, summary and parameters of the task.
    fn info(&self) -> &'static Info;
    /// Check the parameters against the table, and add the task to a workload.
    fn bind(&self, params: &Params, table: &Table, workload: &mut Workload) -> Result<()>;
}
