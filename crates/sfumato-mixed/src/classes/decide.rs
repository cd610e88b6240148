//! Decides: columns are anonymized as a table whose classes are merged where items gain by it, and
//! then the items of each class that a recipient sees are published.

use rayon::prelude::*;
use sfumato_core::dataset::Role;
use sfumato_core::recoding::{Recoding, SUPPRESSED};
use sfumato_core::registry::{Call, Info, Params};
use sfumato_core::traits::{Algorithm, Objective, Task};
use sfumato_core::{Error, FastMap, Result};
use sfumato_engine::context::Context;
use sfumato_table::algorithms::shared::clusters::publish;
use sfumato_table::algorithms::shared::space::Space;
use sfumato_table::sealed::{RECORD, Sealed, seal};

use super::{Decision, Plan, Row};
use crate::algorithms::MixedAlgorithm;
use crate::algorithms::items::Publisher;
use crate::data::MixedData;
use crate::job::Job;

/// An algorithm for tables whose classes are made better for items.
struct Merged<'a> {
    first: &'static dyn Algorithm,
    algorithm: &'static dyn MixedAlgorithm,
    params: &'a Params,
    publisher: &'a Publisher<'a>,
}

impl Algorithm for Merged<'_> {
    fn info(&self) -> &'static Info {
        self.first.info()
    }
    fn anonymize(&self, params: &Params, task: &Task<'_>) -> Result<Box<dyn Recoding>> {
        let first = self.first.anonymize(params, task)?;
        if first.is_exact() || first.matches().is_some() {
            return Err(Error::unsupported(format!("{} makes no classes", self.first.info().name))
                .hint("say classes=mondrian, or another algorithm that does"));
        }
        check_order(task)?;
        let mut classes: Vec<Vec<u32>> = vec![Vec::new(); first.n_classes()];
        for (row, class) in first.class_of_row().iter().enumerate() {
            if *class != SUPPRESSED {
                classes[*class as usize].push(row as u32);
            }
        }
        classes.retain(|rows| !rows.is_empty());
        let ncp = Objective::ncp(task.table);
        let task = match task.objective.ignores_cells() {
            true => Task { objective: &ncp, ..*task },
            false => *task,
        };
        let space = Space::new(&task, self.algorithm.info().name)?;
        let better = self.algorithm.improve(self.params, &task, &space, self.publisher, classes)?;
        Ok(Box::new(publish(&task, &space, better)?))
    }
}

/// Check that row i of a table is record i: items are looked up by it.
fn check_order(task: &Task<'_>) -> Result<()> {
    let moved = || Error::internal("the rows of a table were moved before anything was decided");
    let column = task.table.columns.iter().find(|column| column.name == RECORD);
    let column = column.ok_or_else(moved)?;
    let is_own = |row: usize| {
        let text = column.domain.label(column.codes.get(row));
        text.parse() == Ok(row)
    };
    match (0..task.table.n_rows).all(is_own) {
        true => Ok(()),
        false => Err(moved()),
    }
}

/// The models about columns that the table is anonymized by: those of the job, and as many rows in
/// each class as the models about items ask for.
pub fn column_models(job: &Job, plan_k: u64) -> Result<Vec<String>> {
    let (mut columns, _) = job.models()?;
    columns.push(format!("k-anonymity(k={plan_k})"));
    Ok(columns)
}

/// Decide what is published of each record.
pub fn decide(job: &Job, plan: &Plan, data: &MixedData, context: &Context<'_>) -> Result<Decision> {
    let publisher = Publisher::new(data, plan.promised.asked()?, job.run.seed.unwrap_or(0));
    let call = plan.algorithm.first(&plan.params);
    let named: Call = call.parse()?;
    let first = sfumato_table::algorithms::find(&named.name)?;
    let merged =
        Merged { first, algorithm: plan.algorithm, params: &plan.params, publisher: &publisher };
    let mut of_table = job.of_table("", column_models(job, plan.k)?);
    of_table.recode.algorithm = call;
    let columns: Vec<_> = data.table.columns.iter().collect();
    let sealed = seal(of_table, (&columns, data.len()), Some(&merged), context)?;
    let classes = classes_of(job, &sealed);
    let of_class = |rows: &Vec<usize>| {
        let records: Vec<u32> = rows.iter().map(|row| sealed.rows[*row].0 as u32).collect();
        publisher.publish(&records)?.ok_or_else(|| {
            Error::infeasible("a class can't keep the promises about items")
                .hint("ask for a smaller k or a larger h, or bring more data")
        })
    };
    let published: Vec<_> = classes.par_iter().map(of_class).collect::<Result<_>>()?;
    let mut rows: Vec<Row> = sealed
        .rows
        .iter()
        .map(|(record, cells)| Row { record: *record, cells: cells.clone(), units: Vec::new() })
        .collect();
    let mut loss = 0.0;
    let n_classes = classes.len();
    for (class, published) in classes.iter().zip(published) {
        loss += published.loss;
        class.iter().zip(published.units).for_each(|(row, units)| rows[*row].units = units);
    }
    Ok(Decision { rows, sealed, items_lost: loss, classes: n_classes })
}

/// The rows that a recipient sees as one class: those with the same text in every quasi column.
fn classes_of(job: &Job, sealed: &Sealed) -> Vec<Vec<usize>> {
    let quasi: Vec<usize> = (0..sealed.header.len())
        .filter(|at| {
            let spec = job.columns.get(&sealed.header[*at]);
            spec.is_some_and(|spec| spec.role == Role::Quasi)
        })
        .collect();
    let mut of_key: FastMap<Vec<&str>, usize> = FastMap::default();
    let mut classes: Vec<Vec<usize>> = Vec::new();
    for (row, (_, cells)) in sealed.rows.iter().enumerate() {
        let key = quasi.iter().map(|at| cells[*at].as_deref().unwrap_or("")).collect();
        let at = *of_key.entry(key).or_insert(classes.len());
        if at == classes.len() {
            classes.push(Vec::new());
        }
        classes[at].push(row);
    }
    classes
}
