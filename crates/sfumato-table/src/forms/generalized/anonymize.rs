//! Runs the algorithm. The result is a decision, not yet a release.

use sfumato_core::chain::Earlier;
use sfumato_core::dataset::{Column, Table};
use sfumato_core::group::{ClassTable, failing_classes};
use sfumato_core::observer::Observer;
use sfumato_core::recoding::{Buckets, Recoding, SUPPRESSED, Value};
use sfumato_core::traits::{Algorithm, Task};
use sfumato_core::{Error, FastMap, Result};

use crate::forms::generalized::make_plan::Plan;
use crate::job::Job;
use crate::kind::TableData;
use crate::recoding_file::SavedValue;
use sfumato_engine::threads::at_once;

/// What was decided about a partition.
pub struct Decided {
    /// How every record is published.
    pub recoding: Box<dyn Recoding>,
    /// The values of each quasi column as a saved recoding has them. Only of partitions from disk,
    /// and if the recoding will be saved: it is put together when none of them is in memory.
    pub saved: Vec<Vec<SavedValue>>,
}

/// Decide about a partition: a table in memory, or what the tree above a partition left to do.
pub fn decide(
    algorithm: &dyn Algorithm,
    (job, plan): (&Job, &Plan),
    data: &TableData,
    observer: &dyn Observer,
) -> Result<Decided> {
    let table = &data.encoded.table;
    let Some(part) = &data.part else {
        let recoding = anonymize(algorithm, plan, table, observer)?;
        return Ok(Decided { recoding, saved: Vec::new() });
    };
    let recoding = part.decide((job, plan), table, observer)?;
    let column = |(index, column): (usize, &&Column)| {
        let values = recoding.column(index).values.iter();
        values.map(|value| SavedValue::new(*value, column)).collect()
    };
    let saved = match job.output.recoding {
        None => Vec::new(),
        Some(_) => table.quasi().iter().enumerate().map(column).collect(),
    };
    Ok(Decided { recoding: Box::new(recoding), saved })
}

/// Find a recoding by the plan, with the algorithm given: the plan's own, or a stand-in of a test
/// that lies.
pub fn anonymize(
    algorithm: &dyn Algorithm,
    plan: &Plan,
    table: &Table,
    observer: &dyn Observer,
) -> Result<Box<dyn Recoding>> {
    with_task(plan, table, observer, |task| {
        let recoding = algorithm.anonymize(&plan.params, task)?;
        if recoding.is_exact() {
            let name = algorithm.info().name;
            return Err(Error::unsupported(format!(
                "{name} makes groups for a bucket release, and \
                values are to be generalized"
            ))
            .hint(
                "'sfumato anonymize' and 'sfumato run' publish buckets; take another \
                    algorithm here, such as mondrian",
            ));
        }
        check_alike(plan, task, recoding.as_ref())?;
        Ok(recoding)
    })
}

/// Find groups by the plan: the classes of whatever its algorithm finds. They have different
/// numbers, so none are published alike.
pub fn group(
    algorithm: &dyn Algorithm,
    plan: &Plan,
    table: &Table,
    observer: &dyn Observer,
) -> Result<Buckets> {
    with_task(plan, table, observer, |task| {
        Ok(Buckets::of_classes(algorithm.anonymize(&plan.params, task)?.as_ref()))
    })
}

fn with_task<T>(
    plan: &Plan,
    table: &Table,
    observer: &dyn Observer,
    run: impl FnOnce(&Task<'_>) -> Result<T>,
) -> Result<T> {
    let objective = crate::metrics::find(&plan.metric)?
        .objective(table)
        .ok_or_else(|| no_objective(&plan.metric))?;
    let task = Task {
        max_suppressed: plan.max_suppressed,
        workload: (!plan.workload.is_empty()).then_some(&plan.workload),
        effort: plan.effort,
        seed: plan.seed,
        key: plan.key,
        earlier: plan.earlier.as_ref().map(|past| past as &dyn Earlier),
        population: plan.population.as_deref(),
        observer,
        ..Task::new(table, &plan.requirements, &objective)
    };
    run(&task)
}

fn no_objective(metric: &str) -> Error {
    Error::params(format!("the metric {metric} says nothing about this table")).hint(
        "classification needs a column of role target; 'sfumato list metrics' shows the others",
    )
}

/// Check classes that are published alike: labels repeat, and a suppressed missing value looks like
/// a root. A recipient sees them as one class, and if models aren't monotone (or people may be in
/// both) the union must be checked. If it fails, the requirement can't be met in this way; this is
/// no bug.
fn check_alike(plan: &Plan, task: &Task<'_>, recoding: &dyn Recoding) -> Result<()> {
    let may_fail = !plan.requirements.is_monotone() || task.table.subject.is_some();
    if !may_fail
        || recoding.matches().is_some()
        || recoding.class_of_row().len() != task.table.n_rows
    {
        return Ok(());
    }
    let quasi = task.table.quasi();
    // For each column the number of each class's published text.
    let mut is_repeated = false;
    let number_texts = |(index, column): (usize, &&Column)| -> Vec<u32> {
        let mut texts: FastMap<String, u32> = FastMap::default();
        let number = |value: &Value| {
            let next = texts.len() as u32;
            *texts.entry(value.render(column)).or_insert(next)
        };
        let recoded = recoding.column(index);
        let text_of: Vec<u32> = recoded.values.iter().map(number).collect();
        is_repeated |= texts.len() < text_of.len();
        recoded.of_class.iter().map(|value| text_of[*value as usize]).collect()
    };
    let columns: Vec<Vec<u32>> = quasi.iter().enumerate().map(number_texts).collect();
    let n_classes = recoding.n_classes();
    let mut keys: FastMap<Vec<u32>, u32> = FastMap::default();
    let published_of: Vec<u32> = (0..n_classes)
        .map(|class| {
            let next = keys.len() as u32;
            *keys.entry(columns.iter().map(|column| column[class]).collect()).or_insert(next)
        })
        .collect();
    // Groups that agree on some columns may be joined even where no two classes are.
    if keys.len() == n_classes
        && !(is_repeated && plan.requirements.iter().any(|r| !r.scope().is_met_by_classes()))
    {
        return Ok(());
    }
    let mut members: Vec<Vec<u32>> = vec![Vec::new(); keys.len()];
    for (row, class) in
        recoding.class_of_row().iter().enumerate().filter(|(_, class)| **class != SUPPRESSED)
    {
        if let Some(published) = published_of.get(*class as usize) {
            members[*published as usize].push(row as u32);
        }
    }
    let mut of_class: Vec<(Vec<u32>, u32)> = keys.into_iter().collect();
    of_class.sort_unstable_by_key(|(_, class)| *class);
    of_class.retain(|(_, class)| !members[*class as usize].is_empty());
    let tally = task.tally();
    let kept: Vec<u32> = members.iter().flatten().copied().collect();
    let classes = ClassTable {
        keys: (0..quasi.len())
            .map(|column| of_class.iter().map(|(key, _)| key[column]).collect())
            .collect(),
        summaries: of_class
            .iter()
            .map(|(_, class)| tally.of_rows(&members[*class as usize]))
            .collect(),
        release: tally.of_rows(&kept),
    };
    let fails: Vec<Vec<bool>> = plan
        .requirements
        .iter()
        .map(|requirement| failing_classes(requirement, &classes, &at_once))
        .collect();
    let failing = (0..classes.summaries.len())
        .filter(|class| fails.iter().any(|fails| fails[*class]))
        .count();
    if failing == 0 {
        return Ok(());
    }
    Err(published_alike(failing as u64))
}

/// The error for classes that hold while their union doesn't.
pub fn published_alike(failing: u64) -> Error {
    Error::infeasible(format!(
        "{failing} groups of classes are published alike and don't satisfy the models together"
    ))
    .hint(
        "give the nodes of a hierarchy labels of their own, or leave missing values a value of \
        their own",
    )
}
