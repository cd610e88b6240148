//! Puts made-up records behind those of a table, before anything is put in order: from there on
//! they are written, compared and judged like all others.

use sfumato_core::column::Codes;
use sfumato_core::dataset::{Column, Role, Table};
use sfumato_core::recoding::{Recoding, Value};
use sfumato_core::{Error, Result};

use crate::job::Job;

/// Append the made-up records of a recoding. Each gets quasi values that its class covers, the
/// sensitive value that was decided, and a subject of its own. `count` is how many there are.
pub fn append_made_up(
    job: &Job,
    count: &mut usize,
    table: &mut Table,
    recoding: &dyn Recoding,
) -> Result<()> {
    let values = recoding.made_up();
    if values.is_empty() {
        return Ok(());
    }
    check(job, table)?;
    let classes = recoding.class_of_row();
    let classes = &classes[classes.len() - values.len()..];
    let mut quasi = 0;
    for column in &mut table.columns {
        let added: Vec<u32> = match column.role {
            Role::Quasi => {
                quasi += 1;
                let value = |class: &u32| covered(column, recoding.value(*class, quasi - 1));
                classes.iter().map(value).collect()
            }
            _ => values.to_vec(),
        };
        let n_codes = column.domain.len() + 1;
        column.codes = Codes::from_iter(n_codes, column.codes.iter().chain(added));
    }
    if let Some(subject) = &mut table.subject {
        let people = subject.iter().max().map_or(0, |most| most + 1);
        let all = people as usize + values.len();
        let added = people..all as u32;
        *subject = Codes::from_iter(all, subject.iter().chain(added));
    }
    table.n_rows += values.len();
    *count = values.len();
    Ok(())
}

/// A code that a published value covers.
fn covered(column: &Column, value: Value) -> u32 {
    value.codes(column).next().unwrap_or(column.domain.missing())
}

/// Refuse what would tell made-up records from others.
fn check(job: &Job, table: &Table) -> Result<()> {
    if job.output.keep_order {
        return Err(Error::unsupported(
            "made-up records stand behind the others, and would be known by that in the order of \
             the input",
        )
        .hint("leave --keep-order out"));
    }
    let is_made = |role: Role| matches!(role, Role::Quasi | Role::Sensitive);
    let other = table.columns.iter().find(|column| !is_made(column.role));
    match (other, table.sensitive().len()) {
        (Some(column), _) => Err(Error::unsupported(format!(
            "column '{}' is neither quasi nor sensitive, and made-up records have no values for it",
            column.name
        ))
        .hint("give it the role quasi or identifier")),
        (None, 1) => Ok(()),
        (None, _) => Err(Error::unsupported(
            "made-up records have one sensitive value, and the table has other than one such column",
        )
        .hint("name one sensitive column, and make the others quasi")),
    }
}
