//! Decides: the joint table is anonymized as a table, and its values are written back into texts.

use sfumato_core::dataset::Role;
use sfumato_core::{Error, FastMap, Result};
use sfumato_engine::context::Context;
use sfumato_engine::pipeline;
use sfumato_engine::random::{generator, shuffle};
use sfumato_io::{Inbox, Loan, ReadOptions, read, select_all};
use sfumato_report::Report;
use sfumato_table::data::assign_roles::assign_roles;
use sfumato_table::job::{ColumnSpec, Columns};
use sfumato_table::kind::Tables;
use sfumato_text::forms::redacted::Replacer;
use sfumato_text::job::Level;

use super::joint::{Cells, PERSON, RECORD, of_text, people_of, texts_of};
use super::rewrite::rewrite;
use super::{Decision, GENERALIZED, Plan, Row};
use crate::data::{Noted, lent, lent_columns};
use crate::job::Job;

/// The columns of a release without its text, as the verifier of tables let them pass.
pub struct Sealed {
    /// The names of the columns.
    pub header: Vec<String>,
    /// Each published note with its cells, in the order of the release.
    pub rows: Vec<(usize, Vec<Option<String>>)>,
    /// The report about the columns, where a model was kept.
    pub report: Option<Report>,
}

impl Sealed {
    /// The cells of a row that are values of the attributes of the view.
    pub fn cells<'a>(&self, noted: &Noted, cells: &'a [Option<String>]) -> Cells<'a> {
        let place = |name: &str| self.header.iter().position(|known| known == name);
        let attributes = noted.extractor.attributes.iter();
        attributes
            .map(|attribute| place(&attribute.name).map(|at| cells[at].as_deref().unwrap_or("")))
            .collect()
    }
}

/// Decide what is published of each note.
pub fn decide(job: &Job, plan: &Plan, noted: &Noted, context: &Context<'_>) -> Result<Decision> {
    let sealed = match plan.level {
        Level::Statistical => anonymized(job, noted, context)?,
        Level::Full | Level::Partial => as_they_are(job, plan, noted)?,
    };
    let mut replacer = Replacer::new(plan.how, generator(job.run.seed)?);
    let mut rows = Vec::with_capacity(sealed.rows.len());
    for (record, cells) in &sealed.rows {
        let mut direct = |_: usize, class: &str, text: &str| replacer.replace(class, text);
        let of_view = sealed.cells(noted, cells);
        let replaced = rewrite(noted, *record, &of_view, plan.level, &mut direct)?;
        rows.push(Row { record: *record, cells: cells.clone(), replaced });
    }
    Ok(Decision { rows, sealed })
}

/// The table that is anonymized, and what its columns are: those of the file, those that only the
/// text has, the number of each note and whom it is about.
pub fn inner(job: &Job, noted: &Noted) -> Result<(Loan, Columns)> {
    let n = noted.len();
    let (_, subject) = job.text_column()?;
    let people = people_of(noted);
    let mut columns = Vec::new();
    let mut specs: Vec<(String, ColumnSpec)> = Vec::new();
    for (at, column) in noted.table.columns.iter().enumerate() {
        if at == noted.text_at {
            continue;
        }
        if column.name == RECORD || column.name == PERSON {
            return Err(Error::input(format!("a column can't have the name '{}'", column.name)));
        }
        columns.push((column.name.clone(), lent(column, n)));
        let is_subject = subject.as_ref() == Some(&column.name);
        let spec = match job.columns.get(&column.name) {
            // Whom a note is about is said by a column of its own.
            Some(spec) if spec.role == Role::Subject => {
                Some(ColumnSpec { role: Role::Identifier, ..spec.clone() })
            }
            Some(spec) => Some(spec.clone()),
            None if is_subject => Some(ColumnSpec::of_role(Role::Identifier)),
            None => None,
        };
        specs.extend(spec.map(|spec| (column.name.clone(), spec)));
    }
    for (name, texts) in of_text(noted) {
        specs.push((name.clone(), ColumnSpec { role: Role::Quasi, ..job.spec_of(&name) }));
        columns.push((name, texts));
    }
    let mut add = |name: &str, texts: Vec<String>, spec: ColumnSpec| {
        columns.push((name.to_string(), texts_of(texts.iter().map(String::as_str))));
        specs.push((name.to_string(), spec));
    };
    let kept = ColumnSpec { accept: true, ..ColumnSpec::of_role(Role::Keep) };
    add(RECORD, (0..n).map(|record| record.to_string()).collect(), kept);
    if let Some(people) = people {
        let subject = ColumnSpec::of_role(Role::Subject);
        add(PERSON, people.iter().map(u32::to_string).collect(), subject);
    }
    Ok((lent_columns(columns)?, Columns(specs)))
}

/// The columns as the form of tables publishes them, verified by it.
fn anonymized(job: &Job, noted: &Noted, context: &Context<'_>) -> Result<Sealed> {
    let (loan, columns) = inner(job, noted)?;
    let inbox = Inbox::new();
    let table_job = job.of_table(loan.name(), inbox.name(), columns);
    let own = Context::new(context.observer);
    let tables = Tables { saved: None };
    let report = pipeline::run(&tables, &GENERALIZED, &table_job, None, &own)?;
    let released = inbox.take().ok_or_else(|| Error::internal("the view wasn't handed over"))?;
    let loan = Loan::new(released.batches()?)?;
    let options = ReadOptions::default();
    let table = read(loan.name(), &options, &mut select_all, context.observer)?;
    let mut header = Vec::new();
    let mut places = Vec::new();
    let mut record_at = None;
    for (at, column) in table.columns.iter().enumerate() {
        match column.name == RECORD {
            true => record_at = Some(at),
            false => {
                header.push(column.name.clone());
                places.push(at);
            }
        }
    }
    let record_at = record_at.ok_or_else(|| Error::internal("the view has lost its rows"))?;
    let text = |at: usize, row: usize| {
        let column = &table.columns[at];
        let code = column.codes.get(row);
        (column.null != Some(code)).then(|| column.values.get(code).to_string())
    };
    let mut rows = Vec::with_capacity(table.n_rows);
    for row in 0..table.n_rows {
        let record: Option<usize> = text(record_at, row).and_then(|text| text.parse().ok());
        let record = record.filter(|record| *record < noted.len());
        let record = record.ok_or_else(|| Error::internal("the view has lost a row"))?;
        rows.push((record, places.iter().map(|at| text(*at, row)).collect()));
    }
    Ok(Sealed { header, rows, report: Some(report) })
}

/// All notes in random order, with quasi columns as they are or without them.
fn as_they_are(job: &Job, plan: &Plan, noted: &Noted) -> Result<Sealed> {
    let header: Vec<String> = noted
        .table
        .columns
        .iter()
        .enumerate()
        .filter(|(at, _)| *at != noted.text_at)
        .map(|(_, column)| column.name.clone())
        .collect();
    let mut columns = job.columns.clone();
    let (_, subject) = job.text_column()?;
    if let Some(subject) = subject.filter(|name| columns.get(name).is_none()) {
        columns.0.push((subject, ColumnSpec::of_role(Role::Subject)));
    }
    columns.0.retain(|(name, _)| header.contains(name));
    let roles: FastMap<String, Role> = {
        let roles = assign_roles(&job.of_table(&job.input.path, "", columns), &header)?;
        header.iter().cloned().zip(roles).collect()
    };
    let is_published = |name: &String| match roles[name] {
        Role::Quasi => plan.level == Level::Partial,
        role => role.is_published(),
    };
    let header: Vec<String> = header.into_iter().filter(is_published).collect();
    let mut order: Vec<u32> = (0..noted.len() as u32).collect();
    shuffle(&mut order, &mut generator(job.run.seed)?);
    let places: Vec<usize> = header
        .iter()
        .filter_map(|name| noted.table.columns.iter().position(|column| column.name == *name))
        .collect();
    let row = |record: &u32| {
        let record = *record as usize;
        let text = |at: &usize| {
            let column = &noted.table.columns[*at];
            let code = column.codes.get(record);
            (column.null != Some(code)).then(|| column.values.get(code).to_string())
        };
        (record, places.iter().map(text).collect())
    };
    Ok(Sealed { header, rows: order.iter().map(row).collect(), report: None })
}
