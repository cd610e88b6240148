//! Runs the algorithm. What comes back is a decision, not yet a release.

use sfumato_core::dataset::Table;
use sfumato_core::observer::Observer;
use sfumato_core::recoding::{Recoding, SUPPRESSED};
use sfumato_core::traits::{Algorithm, Task};
use sfumato_core::{Error, FastMap, Result};

use crate::stage::make_plan::Plan;

/// Find a recoding by the plan, with the algorithm given: the plan's own, or a stand-in of a test that lies.
pub fn anonymize(
    algorithm: &dyn Algorithm,
    plan: &Plan,
    table: &Table,
    observer: &dyn Observer,
) -> Result<Box<dyn Recoding>> {
    let objective =
        sfumato_metrics::find(&plan.metric)?.objective(table).ok_or_else(|| no_objective(&plan.metric))?;
    let task = Task {
        max_suppressed: plan.max_suppressed,
        effort: plan.effort,
        seed: plan.seed,
        observer,
        ..Task::new(table, &plan.requirements, &objective)
    };
    let recoding = algorithm.anonymize(&plan.params, &task)?;
    check_alike(plan, &task, recoding.as_ref())?;
    Ok(recoding)
}

fn no_objective(metric: &str) -> Error {
    Error::params(format!("the metric {metric} says nothing about this table"))
        .hint("classification needs a column of role target; 'sfumato list metrics' shows the others")
}

/// Two classes may be published alike: labels repeat, and a suppressed missing value looks like a root. A recipient sees
/// them as one, and where models aren't monotone (or people may be in both) the union needs its own look. That it fails
/// is a requirement that can't be met this way, not a lie.
fn check_alike(plan: &Plan, task: &Task<'_>, recoding: &dyn Recoding) -> Result<()> {
    let may_fail = !plan.requirements.is_monotone() || task.table.subject.is_some();
    if !may_fail || recoding.class_of_row().len() != task.table.n_rows {
        return Ok(());
    }
    let quasi = task.table.quasi();
    let mut texts: FastMap<String, u32> = FastMap::default();
    let mut keys: FastMap<Vec<u32>, u32> = FastMap::default();
    let mut published_of = Vec::with_capacity(recoding.n_classes());
    for class in 0..recoding.n_classes() as u32 {
        let mut key = Vec::with_capacity(quasi.len());
        for (index, column) in quasi.iter().enumerate() {
            let next = texts.len() as u32;
            key.push(*texts.entry(recoding.value(class, index).render(column)).or_insert(next));
        }
        let next = keys.len() as u32;
        published_of.push(*keys.entry(key).or_insert(next));
    }
    if keys.len() == recoding.n_classes() {
        return Ok(());
    }
    let mut members: Vec<Vec<u32>> = vec![Vec::new(); keys.len()];
    for (row, class) in recoding.class_of_row().iter().enumerate().filter(|(_, class)| **class != SUPPRESSED)
    {
        if let Some(published) = published_of.get(*class as usize) {
            members[*published as usize].push(row as u32);
        }
    }
    let tally = task.tally();
    let kept: Vec<u32> = members.iter().flatten().copied().collect();
    let release = tally.of_rows(&kept);
    let failing =
        members.iter().filter(|rows| !plan.requirements.holds(&tally.of_rows(rows), &release)).count();
    if failing == 0 {
        return Ok(());
    }
    Err(Error::infeasible(format!(
        "{failing} groups of classes are published alike and don't satisfy the models together"
    ))
    .hint("give the nodes of a hierarchy labels of their own, or leave missing values a value of their own"))
}
