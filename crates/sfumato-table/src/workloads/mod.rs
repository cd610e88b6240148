//! Workloads: what a recipient will do with a release, in a small language with one file per kind
//! of task.
//!
//! Tasks are written as `name(param=value)`, like models; here they are checked against the table
//! and become a [`Workload`](sfumato_core::workload::Workload) that algorithms look at. Nothing
//! here promises anything about privacy.

mod columns;
#[cfg(test)]
mod tests;

use sfumato_core::Result;
use sfumato_core::dataset::Table;
use sfumato_core::registry::{Call, Params};
use sfumato_core::traits::WorkloadTask;
use sfumato_core::workload::Workload;

sfumato_core::registry! {
    /// All kinds of tasks, in the order of the catalogue.
    dyn WorkloadTask:
    classification::Classification,
    regression::Regression,
    selection::Selection,
    aggregation::Aggregation,
    projection::Projection,
}

/// Find a kind of task by its name. The error for an unknown name hints at similar names.
pub fn find(name: &str) -> Result<&'static dyn WorkloadTask> {
    sfumato_core::registry::find("workload", ALL, |task| task.info(), name)
}

/// Bind tasks, written as `name(param=value)`, to a table.
pub fn bind(tasks: &[String], table: &Table) -> Result<Workload> {
    let mut workload = Workload::default();
    for text in tasks {
        let call: Call = text.parse()?;
        let task = find(&call.name)?;
        task.bind(&Params::check(task.info(), &call.args)?, table, &mut workload)?;
    }
    Ok(workload)
}

/// Check the names and parameters of tasks before any data is read.
pub fn check(tasks: &[String]) -> Result<()> {
    for text in tasks {
        let call: Call = text.parse()?;
        Params::check(find(&call.name)?.info(), &call.args)?;
    }
    Ok(())
}

/// The paper in which all kinds of tasks are described.
const LEFEVRE: sfumato_core::registry::Paper = sfumato_core::registry::Paper {
    authors: "K. LeFevre, D. J. DeWitt, R. Ramakrishnan",
    title: "Workload-Aware Anonymization Techniques for Large-Scale Datasets",
    venue: "ACM Transactions on Database Systems 33(3)",
    year: 2008,
};
