//! Generalizes the columns beside paths by models of tables, in a run of its own.
//!
//! Kinds of data don't know each other. Whoever knows them all says once who runs jobs about
//! tables;
//! here a table of one row for each person is handed over in memory and comes back generalized and
//! verified, in the same order.

use std::sync::{Arc, OnceLock};

use arrow_array::{ArrayRef, RecordBatch, StringArray};
use sfumato_core::observer::Observer;
use sfumato_core::{Error, FastMap, Result};
use sfumato_engine::Job as AnyJob;
use sfumato_io::{Inbox, Loan, ReadOptions};
use sfumato_report::Report;

use super::read::Loaded;
use super::{PathData, SensitiveColumn};
use crate::job::Job;

/// Who runs a job about a table.
pub type RunTable = fn(&AnyJob, &dyn Observer) -> Result<Report>;

static TABLES: OnceLock<RunTable> = OnceLock::new();

/// Say who runs jobs about tables. The first to say it is heard.
pub fn run_tables_by(run: RunTable) {
    let _ = TABLES.set(run);
}

/// Generalize the columns that an attacker may know as the job says, if it does.
pub fn generalize(job: &Job, loaded: &mut Loaded, observer: &dyn Observer) -> Result<()> {
    let spec = &job.paths;
    if spec.quasi_models.is_empty() {
        return match spec.columns.is_empty() {
            true => Ok(()),
            false => Err(Error::params("columns beside paths are described, and no model is said")
                .hint("say which with quasi_models in [paths], or --qi-model")),
        };
    }
    if loaded.data.quasi.is_empty() {
        return Err(Error::params("a model for columns beside paths is said, and no column")
            .hint("name the columns that an attacker may know with --qi"));
    }
    let run = TABLES.get().ok_or_else(|| {
        Error::unsupported("this program can't generalize columns: it has no tables")
    })?;
    let rows = Rows::of(loaded);
    let loan = Loan::new(vec![batch_of(&loaded.data, &rows.records)?])?;
    let inbox = Inbox::new();
    let report = run(&table_job(job, &loaded.data, loan.name(), inbox.name()), observer).map_err(
        |error| Error { message: format!("columns beside paths: {}", error.message), ..error },
    )?;
    let lost = || Error::internal("the generalized columns weren't handed over");
    let back = Loan::new(inbox.take().ok_or_else(lost)?.batches()?)?;
    let table = sfumato_io::read(
        back.name(),
        &ReadOptions::default(),
        &mut sfumato_io::select_all,
        observer,
    )?;
    if table.n_rows != rows.records.len() {
        return Err(Error::internal("the generalized columns have other rows than paths"));
    }
    for quasi in &mut loaded.data.quasi {
        let column = table.column(&quasi.name).ok_or_else(lost)?;
        *quasi = SensitiveColumn {
            name: quasi.name.clone(),
            is_missing: (0..column.values.len() as u32)
                .map(|code| column.null == Some(code))
                .collect(),
            values: column.values.iter().map(String::from).collect(),
            of_record: rows.of_record.iter().map(|row| column.codes.get(*row as usize)).collect(),
            native_type: None,
        };
        let own = loaded.release.columns.iter_mut().find(|(name, _)| *name == quasi.name);
        own.into_iter().for_each(|(_, native_type)| *native_type = None);
    }
    loaded.generalized = report
        .guarantees
        .iter()
        .map(|one| {
            let achieved = one.achieved.as_ref().map_or("kept".into(), |n| format!("{n:?}"));
            format!("{} {}: {} {achieved}", one.model, one.params, one.measure)
        })
        .collect();
    Ok(())
}

/// The rows of the table: one for each person, of whom a cut track has several records.
struct Rows {
    /// A record of each.
    records: Vec<u32>,
    /// The row of each record.
    of_record: Vec<u32>,
}

impl Rows {
    fn of(loaded: &Loaded) -> Rows {
        let Some(tracks) = &loaded.tracks else {
            let all: Vec<u32> = (0..loaded.data.paths.len() as u32).collect();
            return Rows { records: all.clone(), of_record: all };
        };
        let mut row_of: FastMap<u32, u32> = FastMap::default();
        let mut rows = Rows { records: Vec::new(), of_record: Vec::new() };
        for (record, person) in (0..).zip(&tracks.of_whom) {
            let row = *row_of.entry(*person).or_insert_with(|| {
                rows.records.push(record);
                rows.records.len() as u32 - 1
            });
            rows.of_record.push(row);
        }
        rows
    }
}

/// One row for each person: what may be known, and what must not be learned.
fn batch_of(data: &PathData, records: &[u32]) -> Result<RecordBatch> {
    let column = |column: &SensitiveColumn| {
        let value = |code: &u32| {
            let code = *code as usize;
            (!column.is_missing[code]).then(|| column.values[code].as_str())
        };
        let of_record = records.iter().map(|record| &column.of_record[*record as usize]);
        let values: StringArray = of_record.map(value).collect();
        (column.name.clone(), Arc::new(values) as ArrayRef)
    };
    RecordBatch::try_from_iter(data.quasi.iter().chain(&data.sensitive).map(column))
        .map_err(|error| Error::internal(format!("columns beside paths are no table: {error}")))
}

fn table_job(job: &Job, data: &PathData, input: &str, output: &str) -> AnyJob {
    let mut table = AnyJob::default();
    table.set_base(&job.base);
    table.set("input", "path", input);
    for (columns, role) in [(&data.quasi, "quasi"), (&data.sensitive, "sensitive")] {
        for column in columns {
            let said = job.paths.columns.get(&column.name).and_then(toml::Value::as_table);
            let mut said = said.cloned().unwrap_or_default();
            said.insert("role".into(), role.into());
            table.set("columns", &column.name, said);
        }
    }
    table.set("privacy", "models", job.paths.quasi_models.clone());
    // Whoever is left out of the table would lose their path.
    table.set("privacy", "max_suppression", "0%");
    if let Some(algorithm) = &job.paths.quasi_algorithm {
        table.set("recode", "algorithm", algorithm.as_str());
    }
    table.set("output", "path", output);
    table.set("output", "keep_order", true);
    if let Some(seed) = job.run.seed.and_then(|seed| i64::try_from(seed).ok()) {
        table.set("run", "seed", seed);
    }
    table
}
