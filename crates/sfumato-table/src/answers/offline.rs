//! The audit of queries that were answered already: of logs of ours, of several recipients who may
//! pool them, or of a list of queries that something else answered.

use std::path::Path;

use sfumato_core::column::RawTable;
use sfumato_core::observer::Observer;
use sfumato_core::{Error, Result};
use sfumato_engine::input::read_options;
use sfumato_io::{read, select_all, steps};

use super::auditor::disclosed;
use super::extremes::{Extreme, told};
use super::log::{Record, conditions, past, read_log};
use super::noisy::UNITS;
use super::selection::{extreme, selected};
use super::{MIN_SET, Past, is_max};
use crate::job::InputSpec;
use crate::query::{Aggregate, Query};

/// What is audited.
pub struct OfflineRequest {
    /// Logs, or files with a query in each line.
    pub logs: Vec<String>,
    /// The table that a list of queries is about.
    pub table: Option<InputSpec>,
    /// The smallest group of records that may be told; of a log its own without it.
    pub min_set: Option<u64>,
}

/// What the answers told of a column.
#[derive(Debug, Clone, PartialEq, serde::Serialize)]
pub struct ToldOf {
    /// The column.
    pub column: String,
    /// How many answers are about it.
    pub answers: u64,
    /// The groups of records whose value, sum or extreme is told, as numbers of records from 1.
    pub disclosed: Vec<Vec<u64>>,
    /// Why it can't be said whether more is told, if it can't.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub not_judged: Option<String>,
}

/// What an audit found.
#[derive(Debug, Clone, PartialEq, serde::Serialize)]
pub struct Audited {
    /// How many queries were answered.
    pub answered: u64,
    /// How many queries were denied.
    pub denied: u64,
    /// How many counts are about fewer records than the smallest set.
    pub small_counts: u64,
    /// What was told of each column.
    pub columns: Vec<ToldOf>,
    /// The epsilon that was spent on answers with noise, all logs together.
    pub epsilon: f64,
    /// Whether nothing was disclosed, and all could be judged.
    pub holds: bool,
}

/// Queries of all logs together.
#[derive(Default)]
struct Pool {
    past: Vec<Past>,
    denied: u64,
    table: Option<String>,
    min_set: u64,
}

/// Judge what answers told together.
pub fn audit(request: &OfflineRequest, observer: &dyn Observer) -> Result<Audited> {
    let mut pool = Pool::default();
    for path in &request.logs {
        let text = steps::read_to_string(Path::new(path))
            .map_err(|error| Error::io(Path::new(path), "read", &error))?;
        match text.trim_start().starts_with('{') {
            true => pool.add_log(path, request.logs.len() > 1)?,
            false => pool.add_list(path, &text, request, observer)?,
        }
    }
    let min_set = request.min_set.unwrap_or(if pool.min_set > 0 { pool.min_set } else { MIN_SET });
    Ok(judged(&pool, min_set))
}

impl Pool {
    /// Add a log of ours. Logs are about the same records only if they are about the same file.
    fn add_log(&mut self, path: &str, is_pooled: bool) -> Result<()> {
        let lines = read_log(Path::new(path))?;
        for line in &lines {
            match line {
                Record::Opened { policy, .. } => {
                    self.min_set = self.min_set.max(policy.min_set);
                    if policy.id.is_some() && is_pooled {
                        return Err(Error::unsupported(
                            "logs that know records by an id aren't pooled: each hashes ids in \
                             its own way",
                        )
                        .in_file(path));
                    }
                }
                Record::Table { sha256 } => self.same_table(sha256, path)?,
                Record::Records { .. } | Record::Answered { .. } => {}
                Record::Denied { .. } => self.denied += 1,
            }
        }
        self.past.extend(past(&lines));
        Ok(())
    }

    fn same_table(&mut self, sha256: &str, path: &str) -> Result<()> {
        match self.table.get_or_insert_with(|| sha256.to_string()) == sha256 {
            true => Ok(()),
            false => Err(Error::input("these queries are about another table than the others")
                .in_file(path)
                .hint("audit logs of one file together")),
        }
    }

    /// Add a list of queries, which are answered here.
    fn add_list(
        &mut self,
        path: &str,
        text: &str,
        request: &OfflineRequest,
        observer: &dyn Observer,
    ) -> Result<()> {
        let input = request.table.as_ref().ok_or_else(|| {
            Error::params("a list of queries is audited with the table that they are about")
                .in_file(path)
                .hint("say sfumato answer TABLE --audit QUERIES")
        })?;
        let table = read(&input.path, &read_options(input)?, &mut select_all, observer)?;
        self.same_table(&table.source.sha256, path)?;
        for (n, line) in (1u64..).zip(text.lines()) {
            let line = line.trim();
            if !line.is_empty() && !line.starts_with('#') {
                let past = answered(&table, line);
                self.past.push(past.map_err(|error| error.in_file(path).at_line(n))?);
            }
        }
        Ok(())
    }
}

/// A query of a list, with what it told.
fn answered(table: &RawTable, line: &str) -> Result<Past> {
    let query: Query = line.parse()?;
    let set = selected(table, &query)?;
    let answer = match (is_max(&query), &query.column) {
        (Some(is_max), Some(name)) if !set.is_empty() => Some(extreme(table, name, &set, is_max)?),
        _ => None,
    };
    Ok(Past { query, set, answer, spent: None })
}

fn judged(pool: &Pool, min_set: u64) -> Audited {
    let exact: Vec<&Past> = pool.past.iter().filter(|past| past.spent.is_none()).collect();
    let mut names: Vec<&String> =
        exact.iter().filter_map(|past| past.query.column.as_ref()).collect();
    names.sort_unstable();
    names.dedup();
    let columns: Vec<ToldOf> = names.iter().map(|name| of_column(name, &exact, min_set)).collect();
    let is_small = |past: &&&Past| {
        let n = past.set.len() as u64;
        past.query.aggregate == Aggregate::Count && n > 0 && n < min_set
    };
    let small_counts = exact.iter().filter(is_small).count() as u64;
    let is_fine = |told: &ToldOf| told.disclosed.is_empty() && told.not_judged.is_none();
    Audited {
        answered: pool.past.len() as u64,
        denied: pool.denied,
        small_counts,
        epsilon: pool.past.iter().filter_map(|past| past.spent).sum::<u64>() as f64 / UNITS as f64,
        holds: small_counts == 0 && columns.iter().all(is_fine),
        columns,
    }
}

/// What sums and extremes of a column tell.
fn of_column(name: &str, exact: &[&Past], min_set: u64) -> ToldOf {
    let about: Vec<&&Past> =
        exact.iter().filter(|past| past.query.column.as_deref() == Some(name)).collect();
    let extremes: Vec<Extreme> = about.iter().filter_map(|past| past.extreme()).collect();
    let sums: Vec<Vec<u32>> = about
        .iter()
        .filter(|past| is_max(&past.query).is_none() && !past.set.is_empty())
        .map(|past| past.set.clone())
        .collect();
    let found = told(&extremes);
    let is_selected_by =
        exact.iter().any(|past| conditions(&past.query).iter().any(|column| column == name));
    let few = found.fewest.is_some_and(|fewest| fewest < min_set);
    let not_judged = match () {
        () if is_selected_by => Some("queries select by it, which tells its values, too"),
        () if !sums.is_empty() && !extremes.is_empty() => {
            Some("sums and extremes may tell more together")
        }
        () if found.is_inconsistent => Some("no values have these extremes"),
        () if found.is_unsure => Some("the largest and the smallest may be of the same records"),
        () if few && found.values.is_empty() => {
            Some("an extreme is that of one of fewer records than the smallest set")
        }
        () => None,
    };
    let mut disclosed = disclosed(&sums, min_set);
    disclosed.extend(found.values.iter().map(|record| vec![*record]));
    let from_one = |group: Vec<u32>| group.into_iter().map(|at| u64::from(at) + 1).collect();
    ToldOf {
        column: name.to_string(),
        answers: about.len() as u64,
        disclosed: disclosed.into_iter().map(from_one).collect(),
        not_judged: not_judged.map(String::from),
    }
}
