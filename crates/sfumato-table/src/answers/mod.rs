//! Answers instead of data: sums, means, counts and extremes over a private table, one at a time,
//! with an auditor that denies what would disclose somebody's value beside all that was answered
//! before, or with noise from a budget.
//!
//! Whether an answer is denied depends on which records the queries select, and never on the values
//! that are asked about: a denial tells nothing that whoever asks couldn't work out.

mod auditor;
mod extremes;
mod log;
mod noisy;
pub mod offline;
pub mod reconstruction;
mod selection;

pub use auditor::{Auditor, Denial, discloses};
pub use extremes::{Extreme, Told, told};
pub use log::{Log, Policy, Record};
pub use noisy::UNITS;

use std::path::Path;

use sfumato_core::column::RawTable;
use sfumato_core::observer::Observer;
use sfumato_core::{Error, Result};
use sfumato_engine::input::read_options;
use sfumato_engine::random::generator;
use sfumato_io::{read, select_all};

use crate::job::InputSpec;
use crate::query::{Aggregate, Query};
use noisy::Noisy;
use selection::{exact_sum, extreme, selected};

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
    /// What the query may cost of a budget, in millionths of epsilon.
    pub spend: Option<u64>,
    /// Between what a record adds to a sum with noise.
    pub bounds: Option<(String, String)>,
}

/// A query that was answered.
#[derive(Debug, Clone)]
pub struct Past {
    /// The query.
    pub query: Query,
    /// The records that it selected.
    pub set: Vec<u32>,
    /// The answer, where the log has it.
    pub answer: Option<f64>,
    /// What it cost, in millionths of epsilon, where it has noise.
    pub spent: Option<u64>,
}

impl Past {
    /// The largest or smallest value that it tells, if it tells one.
    fn extreme(&self) -> Option<Extreme> {
        let is_max = is_max(&self.query)?;
        let mut set = self.set.clone();
        set.sort_unstable();
        set.dedup();
        Some(Extreme { set, is_max, at: self.answer? })
    }
}

/// Whether a query asks for the largest value, or the smallest one.
fn is_max(query: &Query) -> Option<bool> {
    match query.aggregate {
        Aggregate::Max => Some(true),
        Aggregate::Min => Some(false),
        Aggregate::Count | Aggregate::Sum | Aggregate::Avg => None,
    }
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
    /// The budget of answers with noise, in millionths of epsilon.
    pub budget: Option<u64>,
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
    /// The epsilon that it cost, where it has noise.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub epsilon: Option<f64>,
    /// The epsilon that is left of the budget.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub left: Option<f64>,
    /// The mean size of the noise.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub noise: Option<f64>,
    /// How many answers were given so far, this one included.
    pub answers: u64,
    /// The hash of the log's last line, which stands for all of it.
    pub head: String,
}

/// Answer a query, or deny it. The log is written before anything is returned.
pub fn answer(request: &AnswerRequest, observer: &dyn Observer) -> Result<Answered> {
    let query: Query = request.query.parse()?;
    let input = &request.input;
    let table = read(&input.path, &read_options(input)?, &mut select_all, observer)?;
    let mut log = Log::open(Path::new(&request.log), &policy(&request.policy)?)?;
    let found = match log.policy().budget {
        Some(budget) => with_noise(request, (&query, &table), budget, &mut log),
        None => exactly(request, (&query, &table), &mut log),
    };
    let (denial, found) = found.map_err(|error| error.in_file(&input.path))?;
    let budget = log.policy().budget;
    let epsilon = |millionths: u64| millionths as f64 / UNITS as f64;
    let given = found.is_some();
    let (answer, noise, spent) = found.map_or((None, None, None), |found| {
        (Some(found.answer), found.noise, found.spent.map(epsilon))
    });
    Ok(Answered {
        query: query.to_string(),
        denied: !given,
        reason: denial.map(|denial| denial.to_string()),
        answer,
        epsilon: spent,
        left: budget.map(|budget| epsilon(budget.saturating_sub(log.spent()))),
        noise,
        answers: log.answers(),
        head: log.head().to_string(),
    })
}

/// An answer that is given.
struct Found {
    answer: serde_json::Number,
    noise: Option<f64>,
    spent: Option<u64>,
}

/// Why a query is denied, or its answer.
type Outcome = (Option<Denial>, Option<Found>);

/// What one query costs where nothing is said: this part of the budget.
const PARTS: u64 = 10;

/// Answer with noise as long as the budget lasts. Which records are selected is no secret to be
/// audited: the noise hides each.
fn with_noise(
    request: &AnswerRequest,
    (query, table): (&Query, &RawTable),
    budget: u64,
    log: &mut Log,
) -> Result<Outcome> {
    let left = budget.saturating_sub(log.spent());
    let spend = request.spend.unwrap_or_else(|| (budget / PARTS).max(1));
    let rows = selected(table, query)?;
    let noisy = Noisy::of(table, query, &rows, (spend, request.bounds.as_ref()))?;
    let denial = match log.answers() >= log.policy().max_answers {
        true => Some(Denial::Closed { answers: log.answers() }),
        false => (spend > left).then_some(Denial::Budget { left }),
    };
    if let Some(denial) = denial {
        log.append(Record::denied(query, &denial))?;
        return Ok((Some(denial), None));
    }
    let found = noisy.draw(&mut generator(None)?)?;
    // The log needn't say which records were selected: nothing later depends on it.
    log.append(Record::answered(query, &[], Some(found.answer.to_string()), Some(spend)))?;
    let noise = Some(found.noise);
    Ok((None, Some(Found { answer: found.answer, noise, spent: Some(spend) })))
}

/// Answer exactly, unless that tells a value beside what was answered.
fn exactly(
    request: &AnswerRequest,
    (query, table): (&Query, &RawTable),
    log: &mut Log,
) -> Result<Outcome> {
    if request.spend.is_some() || request.bounds.is_some() {
        return Err(Error::params("this log has no budget: its answers are exact")
            .hint("--spend and --bounds belong to a log that was begun with --epsilon"));
    }
    log.check_columns(query)?;
    let people = people(table, log)?;
    let rows = selected(table, query)?;
    let set: Vec<u32> = rows.iter().map(|row| people[*row as usize]).collect();
    let denial = match log.answers() >= log.policy().max_answers {
        true => Some(Denial::Closed { answers: log.answers() }),
        false => judge(log, query, &set, table.n_rows as u64)?,
    };
    // What can't be computed is refused whether the query is denied or not.
    let found = compute(table, query, &rows)?;
    let Some(denial) = denial else {
        let kept = is_max(query).map(|_| found.to_string());
        log.append(Record::answered(query, &set, kept, None))?;
        return Ok((None, Some(Found { answer: found, noise: None, spent: None })));
    };
    log.append(Record::denied(query, &denial))?;
    Ok((Some(denial), None))
}

/// Whether a query is denied, by the sets and answers that were given before.
fn judge(log: &Log, query: &Query, set: &[u32], n: u64) -> Result<Option<Denial>> {
    let past: Vec<Past> =
        log.past().into_iter().filter(|past| past.query.column == query.column).collect();
    let policy = log.policy();
    let (extremes, sums): (Vec<Past>, Vec<Past>) =
        past.into_iter().partition(|past| is_max(&past.query).is_some());
    let is_mixed = query.column.is_some()
        && if is_max(query).is_some() { !sums.is_empty() } else { !extremes.is_empty() };
    if is_mixed {
        return Err(Error::unsupported(
            "sums and extremes of one column aren't answered by one log: what they tell together \
             isn't judged",
        )
        .hint("ask for sums of this column only, or for extremes only"));
    }
    if let Some(is_max) = is_max(query) {
        let extremes: Vec<Extreme> = extremes.iter().filter_map(Past::extreme).collect();
        return Ok(extremes::judge(&extremes, (set, is_max), n, policy.min_set));
    }
    let mut auditor = Auditor::new(policy.min_set, policy.max_overlap);
    if query.column.is_some() {
        sums.iter().for_each(|past| auditor.answered(&past.set));
    }
    Ok(auditor.judge(set, n, query.aggregate == Aggregate::Count))
}

/// Play the reconstruction of the records that meet a condition from counts over random sets: of
/// so many counts, or four for each record, each wrong by at most `error`.
pub fn reconstruct(
    input: &InputSpec,
    condition: &str,
    counts: Option<u64>,
    error: u64,
    observer: &dyn Observer,
) -> Result<reconstruction::Reconstructed> {
    let query: Query = format!("count where {condition}").parse()?;
    let table = read(&input.path, &read_options(input)?, &mut select_all, observer)?;
    let mut secret = vec![false; table.n_rows];
    let rows = selected(&table, &query).map_err(|error| error.in_file(&input.path))?;
    rows.iter().for_each(|row| secret[*row as usize] = true);
    let counts = counts.unwrap_or(4 * table.n_rows as u64);
    reconstruction::play(&secret, counts, error, &mut generator(None)?)
        .map_err(|error| error.in_file(&input.path))
}

fn policy(asked: &Asked) -> Result<(Policy, &Asked)> {
    let has_limits = asked.min_set.is_some() || asked.max_overlap.is_some() || asked.id.is_some();
    if asked.budget.is_some() && has_limits {
        return Err(Error::params("answers with noise have a budget, and no limits about sets")
            .hint("leave out --min-set, --max-overlap and --id, or --epsilon"));
    }
    let policy = Policy {
        min_set: asked.min_set.unwrap_or(MIN_SET),
        max_overlap: asked.max_overlap,
        max_answers: asked.max_answers.unwrap_or(u64::MAX),
        id: asked.id.clone(),
        budget: asked.budget,
    };
    Ok((policy, asked))
}

/// Who each row is: a number that stays the same while the table changes.
fn people(table: &RawTable, log: &mut Log) -> Result<Vec<u32>> {
    let Some(id) = log.policy().id.clone() else {
        log.same_table(&table.source.sha256)?;
        return Ok((0..table.n_rows as u32).collect());
    };
    let column = table.column(&id).ok_or_else(|| {
        Error::params(format!("the file has no column '{id}', by which the log knows records"))
    })?;
    let names: Vec<&str> =
        (0..table.n_rows).map(|row| column.values.get(column.codes.get(row))).collect();
    log.number(&names)
}

/// The true answer.
fn compute(table: &RawTable, query: &Query, rows: &[u32]) -> Result<serde_json::Number> {
    let Some(name) = &query.column else { return Ok((rows.len() as u64).into()) };
    if let Some(is_max) = is_max(query) {
        let found = extreme(table, name, rows, is_max)?;
        let whole = (found.fract() == 0.0 && found.abs() < 1e15).then_some(found as i64);
        return whole
            .map(Into::into)
            .or_else(|| serde_json::Number::from_f64(found))
            .ok_or_else(|| Error::input(format!("column '{name}' has a number that isn't one")));
    }
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

#[cfg(test)]
mod extremes_tests;
