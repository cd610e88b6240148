//! Columns for kinds that have tables in them: a table in memory is anonymized and verified like
//! any other, and its cells are handed back by record.

use std::sync::Arc;

use arrow_array::{ArrayRef, RecordBatch, StringArray};
use sfumato_core::column::RawColumn;
use sfumato_core::dataset::Role;
use sfumato_core::traits::Algorithm;
use sfumato_core::{Error, Result};
use sfumato_engine::context::Context;
use sfumato_engine::pipeline;
use sfumato_io::{Inbox, Loan, ReadOptions, read, select_all};
use sfumato_report::Report;

use crate::forms::generalized::Generalized;
use crate::job::{ColumnSpec, Columns, Job};
use crate::kind::Tables;

/// The name of the column that says which record a row is; it is never written.
pub const RECORD: &str = "#record";

/// The columns of a release as the verifier of tables let them pass.
pub struct Sealed {
    /// The names of the columns.
    pub header: Vec<String>,
    /// Each published record with its cells, in the order of the release.
    pub rows: Vec<(usize, Vec<Option<String>>)>,
    /// The report about the columns.
    pub report: Report,
}

/// The text of a cell. `None` where it is missing.
pub fn cell(column: &RawColumn, row: usize) -> Option<&str> {
    match column.codes.get(row) {
        code if column.null == Some(code) => None,
        code => Some(column.values.get(code)),
    }
}

/// Lend columns of a file as a table that readers know by a name.
pub fn lend(columns: &[&RawColumn], rows: usize) -> Result<Loan> {
    lend_arrays(columns.iter().map(|column| (column.name.clone(), array(column, rows))).collect())
}

fn array(column: &RawColumn, rows: usize) -> ArrayRef {
    Arc::new((0..rows).map(|row| cell(column, row)).collect::<StringArray>())
}

fn lend_arrays(columns: Vec<(String, ArrayRef)>) -> Result<Loan> {
    let batch = RecordBatch::try_from_iter(columns)
        .map_err(|error| Error::internal(format!("a table can't be lent: {error}")))?;
    Loan::new(vec![batch])
}

/// Anonymize some columns of a file by a job that says what they are, whose input and output are
/// set here. A stand-in takes the place of the algorithm of the job.
pub fn seal(
    mut job: Job,
    (columns, n): (&[&RawColumn], usize),
    stand_in: Option<&dyn Algorithm>,
    context: &Context<'_>,
) -> Result<Sealed> {
    let mut arrays: Vec<(String, ArrayRef)> =
        columns.iter().map(|column| (column.name.clone(), array(column, n))).collect();
    if arrays.iter().any(|(name, _)| name == RECORD) {
        return Err(Error::input(format!("a column can't have the name '{RECORD}'")));
    }
    let numbers: StringArray = (0..n).map(|record| Some(record.to_string())).collect();
    arrays.push((RECORD.into(), Arc::new(numbers)));
    let kept = ColumnSpec { accept: true, ..ColumnSpec::of_role(Role::Keep) };
    let Columns(specs) = &mut job.columns;
    specs.push((RECORD.into(), kept));
    let loan = lend_arrays(arrays)?;
    let inbox = Inbox::new();
    job.input.path = loan.name().into();
    job.output.path = inbox.name().into();
    let form = Generalized { stand_in, say: None };
    let own = Context::new(context.observer);
    let report = pipeline::run(&Tables { saved: None }, &form, &job, None, &own)?;
    let released = inbox.take().ok_or_else(|| Error::internal("the table wasn't handed over"))?;
    let loan = Loan::new(released.batches()?)?;
    let options = ReadOptions::default();
    let table = read(loan.name(), &options, &mut select_all, context.observer)?;
    let lost = || Error::internal("the table has lost its rows");
    let record_at =
        table.columns.iter().position(|column| column.name == RECORD).ok_or_else(lost)?;
    let places: Vec<usize> = (0..table.columns.len()).filter(|at| *at != record_at).collect();
    let mut rows = Vec::with_capacity(table.n_rows);
    for row in 0..table.n_rows {
        let text = |at: &usize| cell(&table.columns[*at], row).map(str::to_string);
        let record = text(&record_at).and_then(|text| text.parse().ok());
        let record = record.filter(|record| *record < n).ok_or_else(lost)?;
        rows.push((record, places.iter().map(text).collect()));
    }
    let header = places.iter().map(|at| table.columns[*at].name.clone()).collect();
    Ok(Sealed { header, rows, report: without_records(report) })
}

/// The report without the number of a record, which is no column of anybody's file.
fn without_records(mut report: Report) -> Report {
    report.columns.retain(|column| column.name != RECORD);
    report.warnings.retain(|warning| !warning.contains(RECORD));
    report.dependencies.retain(|dependency| dependency.column != RECORD);
    report.sample.clear();
    report
}
