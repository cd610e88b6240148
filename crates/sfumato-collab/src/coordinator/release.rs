//! Puts the parts together and lets them through the one door: the union is written, read back, and
//! judged by the verifier of tables on the generalized rows.

use std::sync::Arc;

use arrow_array::{ArrayRef, RecordBatch, StringArray};
use sfumato_core::dataset::Role;
use sfumato_core::observer::Unobserved;
use sfumato_core::recoding::{Cut, Recoding, Value};
use sfumato_core::traits::Task;
use sfumato_core::{Error, Result};
use sfumato_engine::context::Context;
use sfumato_engine::paths::resolve;
use sfumato_engine::pipeline;
use sfumato_io::Loan;
use sfumato_table::Job as TableJob;
use sfumato_table::algorithms::global::shared::publish::publish;
use sfumato_table::forms::generalized::Generalized;
use sfumato_table::job::ColumnSpec;
use sfumato_table::kind::Tables;

use crate::holder::{Part, Stand};
use crate::job::{Agreement, Partitioned};
use crate::protocol::ColumnNote;

/// The rows of all holders as one table, column by column.
struct Union {
    columns: Vec<(ColumnNote, Vec<Option<String>>)>,
}

/// Release the parts under the name that the job gives, if everything holds.
pub fn release(agreement: &Agreement, parts: &[Part]) -> Result<sfumato_report::Report> {
    let union = unite(agreement, parts)?;
    let output = &agreement.output.path;
    if output.is_empty() {
        return Err(Error::params("[output] says no 'path'"));
    }
    let mut job = TableJob { base: agreement.base.clone(), ..TableJob::default() };
    job.privacy.models.clone_from(&agreement.privacy.models);
    job.run.seed = agreement.run.seed;
    let arrays: Vec<(String, ArrayRef)> = union
        .columns
        .iter()
        .map(|(note, cells)| {
            let cells: StringArray = cells.iter().map(|cell| cell.as_deref()).collect();
            (note.name.clone(), Arc::new(cells) as ArrayRef)
        })
        .collect();
    for (ColumnNote { name, role }, _) in &union.columns {
        // Labels are words here, whatever they look like; a holder accepted what it shows.
        let kind = (*role == Role::Quasi).then(|| "text".to_string());
        let spec = ColumnSpec { kind, accept: true, ..ColumnSpec::of_role(*role) };
        job.columns.0.push((name.clone(), spec));
    }
    let batch = RecordBatch::try_from_iter(arrays)
        .map_err(|error| Error::internal(format!("the parts don't fit together: {error}")))?;
    let loan = Loan::new(vec![batch])?;
    job.input.path = loan.name().into();
    job.output.path = resolve(&agreement.base, output);
    let as_they_are = Stand(|task: &Task<'_>| {
        let exact = |column: &&sfumato_core::dataset::Column| {
            let value = |code: u32| match code == column.domain.missing() {
                true => Value::covering(column, 0, 0, true),
                false => Value::Range { lo: code, hi: code + 1 },
            };
            Cut::new((0..=column.domain.missing()).map(value))
        };
        let cuts = task.table.quasi().iter().map(exact).collect();
        Ok(Box::new(publish(task, cuts, Vec::new())?) as Box<dyn Recoding>)
    });
    let form = Generalized { stand_in: Some(&as_they_are), say: None };
    let context = Context::new(&Unobserved);
    pipeline::run(&Tables { saved: None }, &form, &job, None, &context)
}

/// The parts beside each other, or one below the other.
fn unite(agreement: &Agreement, parts: &[Part]) -> Result<Union> {
    let first = parts.first().ok_or_else(|| Error::internal("there are no parts"))?;
    if let Some(other) = parts.iter().find(|part| part.hash != first.hash) {
        return Err(Error::input(format!(
            "{} and {} delivered parts of different results",
            first.holder, other.holder
        ))
        .hint("nothing was released"));
    }
    if let Some(part) = parts.iter().find(|part| !part.verified) {
        return Err(Error::input(format!("{} didn't verify its part", part.holder)));
    }
    let mut columns: Vec<(ColumnNote, Vec<Option<String>>)> = Vec::new();
    match agreement.collaboration.partitioned {
        Partitioned::Vertical => {
            for part in parts {
                if part.rows.len() != first.rows.len() {
                    return Err(Error::input(format!(
                        "{} and {} delivered parts of different lengths",
                        first.holder, part.holder
                    )));
                }
                columns.extend(transposed(part)?);
            }
        }
        Partitioned::Horizontal => {
            for part in parts.iter().filter(|part| !part.rows.is_empty()) {
                let own = transposed(part)?;
                match columns.is_empty() {
                    true => columns = own,
                    false => columns.iter_mut().zip(own).for_each(|((_, cells), (_, own))| {
                        cells.extend(own);
                    }),
                }
            }
        }
    }
    let order = &agreement.collaboration.order;
    let place = |name: &String| order.iter().position(|other| other == name).unwrap_or(order.len());
    columns.sort_by_key(|(note, _)| place(&note.name));
    Ok(Union { columns })
}

fn transposed(part: &Part) -> Result<Vec<(ColumnNote, Vec<Option<String>>)>> {
    if part.rows.iter().any(|row| row.len() != part.columns.len()) {
        return Err(Error::input(format!("{} delivered rows of other columns", part.holder)));
    }
    let column = |(place, note): (usize, &ColumnNote)| {
        (note.clone(), part.rows.iter().map(|row| row[place].clone()).collect())
    };
    Ok(part.columns.iter().enumerate().map(column).collect())
}
