//! Answers instead of data: sums, means and counts over a private table, one at a time, with an
//! auditor that denies what would disclose somebody's value beside all that was answered before.
//!
//! Whether an answer is denied depends on which records the queries select, and never on the values
//! that are asked about: a denial tells nothing that whoever asks couldn't work out.

mod auditor;
mod log;
mod selection;

pub use auditor::{Auditor, Denial, discloses};
pub use log::{Log, Policy, Record};

use std::path::Path;

use sfumato_core::column::RawTable;
use sfumato_core::observer::Observer;
use sfumato_core::{Error, Result};
use sfumato_engine::input::read_options;
use sfumato_io::{read, select_all};

use crate::job::InputSpec;
use crate::query::{Aggregate, Query};
use selection::{exact_sum, selected};

/// What is asked, of which table, and what is kept of it.
pub struct AnswerRequest {
    /// The private table.
    pub input: InputSpec,
    /// The query.
    pub query: String,
    /// The log.
    pub log: String,
    /// What a new log is opened with; of one that is there already, what must be its own.
    pub policy: Asked,
}

/// What was said of the policy.
#[derive(Debug, Clone, Default)]
pub struct Asked {
    /// The smallest set of records that is answered about.
    pub min_set: Option<u64>,
    /// How many records two sets may share at most.
    pub max_overlap: Option<u64>,
    /// How many answers are given at most.
    pub max_answers: Option<u64>,
    /// The column that says which record is which, so that the table may change.
    pub id: Option<String>,
}

/// The smallest set that is answered about, where nothing else is said.
const MIN_SET: u64 = 3;

/// An answer, or why there is none.
#[derive(Debug, Clone, PartialEq, serde::Serialize)]
pub struct Answered {
    /// The query as it was understood.
    pub query: String,
    /// Whether it was denied.
    pub denied: bool,
    /// Why it was denied.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
    /// The answer.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub answer: Option<serde_json::Number>,
    /// How many answers were given so far, this one included.
    pub answers: u64,
    /// The hash of the log's last line, which stands for all of it.
    pub head: String,
}

/// Answer a query, or deny it. The log is written before anything is returned.
pub fn answer(request: &AnswerRequest, observer: &dyn Observer) -> Result<Answered> {
    let query: Query = request.query.parse()?;
    if matches!(query.aggregate, Aggregate::Min | Aggregate::Max) {
        return Err(Error::unsupported(format!(
            "{} isn't answered: nothing here tells what extremes disclose beside sums",
            query.aggregate.name()
        ))
        .hint("ask for count, sum or avg"));
    }
    let input = &request.input;
    let table = read(&input.path, &read_options(input)?, &mut select_all, observer)?;
    let mut log = Log::open(Path::new(&request.log), &policy(&request.policy))?;
    log.check_columns(&query)?;
    let people = people(&table, &mut log, &input.path)?;
    let rows = selected(&table, &query).map_err(|error| error.in_file(&input.path))?;
    let set: Vec<u32> = rows.iter().map(|row| people[*row as usize]).collect();
    let mut auditor = log.auditor(query.column.as_deref());
    let denial = match log.answers() >= log.policy().max_answers {
        true => Some(Denial::Closed { answers: log.answers() }),
        false => auditor.judge(&set, table.n_rows as u64, query.aggregate == Aggregate::Count),
    };
    let found = match &denial {
        Some(_) => None,
        None => Some(compute(&table, &query, &rows).map_err(|error| error.in_file(&input.path))?),
    };
    log.append(Record::of(&query, &set, denial.as_ref()))?;
    Ok(Answered {
        query: query.to_string(),
        denied: denial.is_some(),
        reason: denial.map(|denial| denial.to_string()),
        answer: found,
        answers: log.answers(),
        head: log.head().to_string(),
    })
}

fn policy(asked: &Asked) -> (Policy, &Asked) {
    let policy = Policy {
        min_set: asked.min_set.unwrap_or(MIN_SET),
        max_overlap: asked.max_overlap,
        max_answers: asked.max_answers.unwrap_or(u64::MAX),
        id: asked.id.clone(),
    };
    (policy, asked)
}

/// Who each row is: a number that stays the same while the table changes.
fn people(table: &RawTable, log: &mut Log, path: &str) -> Result<Vec<u32>> {
    let Some(id) = log.policy().id.clone() else {
        log.same_table(&table.source.sha256).map_err(|error| error.in_file(path))?;
        return Ok((0..table.n_rows as u32).collect());
    };
    let column = table.column(&id).ok_or_else(|| {
        Error::params(format!("the file has no column '{id}', by which the log knows records"))
            .in_file(path)
    })?;
    let names: Vec<&str> =
        (0..table.n_rows).map(|row| column.values.get(column.codes.get(row))).collect();
    log.number(&names).map_err(|error| error.in_file(path))
}

/// The true answer.
fn compute(table: &RawTable, query: &Query, rows: &[u32]) -> Result<serde_json::Number> {
    let Some(name) = &query.column else { return Ok((rows.len() as u64).into()) };
    let sum = exact_sum(table, name, rows)?;
    let value = match query.aggregate {
        Aggregate::Avg if rows.is_empty() => {
            return Err(Error::params("no record is selected, so that there is no mean"));
        }
        Aggregate::Avg => sum.as_f64() / rows.len() as f64,
        _ => match sum.whole() {
            Some(whole) => return Ok(whole.into()),
            None => sum.as_f64(),
        },
    };
    serde_json::Number::from_f64(value)
        .ok_or_else(|| Error::input(format!("the numbers of column '{name}' are too large to add")))
}

#[cfg(test)]
mod tests;
