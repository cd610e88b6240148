//! The tasks of an evaluation: the classifications and regressions of a workload, by the names of
//! their columns.

use std::collections::BTreeMap;

use sfumato_core::dataset::{Role, Table};
use sfumato_core::registry::{Argument, Call};
use sfumato_core::workload::{TargetKind, Workload};
use sfumato_core::{Error, Result};

use super::truth::Truth;
use sfumato_table::data::read::Dataset;
use sfumato_table::job::Job;

/// A column to predict.
pub struct Goal {
    /// The target.
    pub target: String,
    /// Classes or numbers.
    pub kind: TargetKind,
    /// The features, quasi columns and others.
    pub features: Vec<String>,
    /// What the target is in each row.
    pub truth: Truth,
}

/// The goals of a workload bound to a table of the dataset.
pub fn goals(
    job: &Job,
    dataset: &Dataset,
    table: &Table,
    workload: &Workload,
) -> Result<Vec<Goal>> {
    let name = |place: &usize| table.columns[*place].name.clone();
    let goal = |target: &sfumato_core::workload::Target| {
        let column = name(&target.column);
        let raw = dataset.raw.column(&column);
        let raw =
            raw.ok_or_else(|| Error::internal(format!("column '{column}' isn't in the dataset")))?;
        let truth = Truth::new(job, raw, target.kind)?;
        Ok(Goal {
            truth,
            kind: target.kind,
            features: target.features.iter().map(name).collect(),
            target: column,
        })
    };
    workload.targets.iter().map(goal).collect()
}

/// Numbers of more than this many different values are predicted as numbers, others as classes.
const FEW: usize = 10;

/// The job with a task for each column of role target, if its workload predicts nothing; and what
/// was done, in words.
pub fn with_tasks(job: &Job, table: &Table) -> (Job, Vec<String>) {
    let mut own = job.clone();
    let predicts = |task: &String| {
        task.parse::<Call>()
            .is_ok_and(|call| ["classification", "regression"].contains(&call.name.as_str()))
    };
    let mut notes = Vec::new();
    if job.workload.tasks.iter().any(predicts) {
        return (own, notes);
    }
    for column in table.of_role(Role::Target) {
        let is_number = column.domain.kind.is_number() && column.domain.len() > FEW;
        let name = if is_number { "regression" } else { "classification" };
        let args = BTreeMap::from([("target".to_string(), Argument::Word(column.name.clone()))]);
        let task = Call { name: name.into(), args }.to_string();
        notes.push(format!(
            "the job says of no column how it is predicted; by its type this is {task}"
        ));
        own.workload.tasks.push(task);
    }
    if notes.is_empty() {
        notes.push(
            "no task predicts anything and no column has the role target, so nothing is learnt"
                .into(),
        );
    }
    (own, notes)
}
