//! Puts made-up records behind those of a table, before anything is put in order: from there on
//! they are written, compared and judged like all others.

use std::collections::BTreeMap;
use std::path::Path;

use sfumato_core::column::Codes;
use sfumato_core::dataset::{Column, Role, Table};
use sfumato_core::recoding::{Recoding, Value};
use sfumato_core::{Error, Result};
use sfumato_engine::paths::resolve;
use sfumato_io::{AtomicFile, write_text_unnamed};

use crate::data::encode::Encoded;
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
            "made-up records have one sensitive value, and the table hasn't one such column",
        )
        .hint("name one sensitive column, and make the others quasi")),
    }
}

/// What a report says of made-up records before everything else.
pub fn warning(encoded: &Encoded) -> Option<String> {
    let (made_up, all) = (encoded.made_up, encoded.table.n_rows);
    (made_up > 0).then(|| {
        format!(
            "{made_up} of {all} records are made up and stand for nobody: counts of the release \
             are too high by as many, and figures of loss and risk count them"
        )
    })
}

/// Write how many records are made up in each class, for where the job asks for it. The file has no
/// name yet.
pub fn save_made_up(
    job: &Job,
    encoded: &Encoded,
    recoding: Option<&dyn Recoding>,
) -> Result<Option<AtomicFile>> {
    let Some(path) = &job.output.made_up else { return Ok(None) };
    let quasi = encoded.table.quasi();
    let mut counts: BTreeMap<Vec<String>, u64> = BTreeMap::new();
    if let (Some(recoding), Some(subject), 1..) =
        (recoding, &encoded.table.subject, encoded.made_up)
    {
        // Made-up records have the last subjects.
        let people = subject.iter().max().map_or(0, |most| most as usize + 1) - encoded.made_up;
        let rows = subject.iter().zip(recoding.class_of_row());
        for (_, class) in rows.filter(|(person, _)| *person as usize >= people) {
            let values = quasi.iter().enumerate();
            let texts = values.map(|(at, column)| recoding.value(*class, at).render(column));
            *counts.entry(texts.collect()).or_default() += 1;
        }
    }
    let names = quasi.iter().map(|column| cell(&column.name));
    let mut text = names.chain(["made_up".into()]).collect::<Vec<_>>().join(",") + "\n";
    for (texts, count) in counts {
        let cells = texts.iter().map(|text| cell(text)).chain([count.to_string()]);
        text += &(cells.collect::<Vec<_>>().join(",") + "\n");
    }
    write_text_unnamed(Path::new(&resolve(&job.base, path)), &text, false).map(Some)
}

/// A cell of a CSV file, in quotes where it needs them.
fn cell(text: &str) -> String {
    match text.contains([',', '"', '\n', '\r']) {
        true => format!("\"{}\"", text.replace('"', "\"\"")),
        false => text.into(),
    }
}
