//! `sfumato query`: aggregates over a release, with an estimate and bounds that hold.
//!
//! It uses only the published cells: ranges, exact values, `*` and statistics of regions. Labels
//! need their hierarchy. It reads no original, unless the caller gives one to compare with.

mod answer;
mod axis;
mod buckets;
mod cell;
mod column;
mod conditions;
mod parse;
mod table;
mod tree;

pub use parse::{Aggregate, Query};

use sfumato_core::observer::Observer;
use sfumato_core::{Error, Result};
pub use sfumato_engine::query::{Answer, Answers};

use crate::job::{ColumnSpec, InputSpec, Job};
use answer::Bounds;
use buckets::BucketQueries;
use sfumato_core::dataset::Role;
use table::{Answered, QueryTable};

/// The queries, and the file to answer them from.
#[derive(Debug, Clone, Default)]
pub struct TableQueryRequest {
    /// The release.
    pub release: InputSpec,
    /// The queries.
    pub queries: Vec<Query>,
    /// What is known about the columns: roles, types, hierarchies, grids.
    pub job: Job,
    /// Whether this is the job that made the release, so that what it doesn't mention wasn't done.
    pub is_job: bool,
    /// The column with the group of a row in a permuted bucket release.
    pub group: Option<String>,
    /// The data that the release was made from, to compare with.
    pub original: Option<InputSpec>,
}

impl TableQueryRequest {
    /// The queries about a table, for a job that says what its columns are.
    pub fn of(request: &sfumato_engine::query::QueryRequest<Job>) -> Result<Self> {
        let manifest = request.manifest.as_ref();
        let is_folder = std::path::Path::new(&request.job.input.path).is_dir();
        let of_manifest = || manifest?.details.get("group")?.as_str().map(String::from);
        // Flags say nothing of the data that a release was made from: trees aren't made from the
        // release.
        let by_flags = || {
            let input = InputSpec { path: String::new(), ..request.job.input.clone() };
            Job { input, ..request.job.clone() }
        };
        let mut job = request.own_job.clone().unwrap_or_else(by_flags);
        let has_sensitive = job.columns.0.iter().any(|(_, spec)| spec.role == Role::Sensitive);
        if let Some(manifest) = manifest.filter(|_| !has_sensitive && !is_folder) {
            for name in manifest.details_of("sensitive") {
                if job.columns.get(&name).is_none() {
                    job.columns.0.push((name, ColumnSpec::of_role(Role::Sensitive)));
                }
            }
        }
        Ok(TableQueryRequest {
            release: request.job.input.clone(),
            queries: request.queries.iter().map(|text| text.parse()).collect::<Result<_>>()?,
            group: request
                .job
                .output
                .group
                .clone()
                .or_else(|| of_manifest().filter(|_| !is_folder)),
            job,
            is_job: request.own_job.is_some(),
            original: request.original.as_ref().map(|original| original.input.clone()),
        })
    }

    /// Texts that mean a missing value, besides the empty text.
    fn missing(&self) -> &[String] {
        if self.release.missing.is_empty() {
            &self.job.input.missing
        } else {
            &self.release.missing
        }
    }
}

/// Answer queries.
pub fn query(request: &TableQueryRequest, observer: &dyn Observer) -> Result<Answers> {
    if request.queries.is_empty() {
        return Err(
            Error::params("no query was given").hint("ask something like 'count where age >= 40'")
        );
    }
    let mut names: Vec<String> = Vec::new();
    for query in &request.queries {
        let conditions = query.predicate.iter().flat_map(|predicate| &predicate.conditions);
        names.extend(
            conditions.map(|condition| condition.column.clone()).chain(query.column.clone()),
        );
    }
    names.sort_unstable();
    names.dedup();
    let trees = tree::trees(request, &names, observer)?;
    let release = match BucketQueries::read(request, &trees, observer)? {
        Some(buckets) => Asked::Buckets(buckets),
        None => Asked::Table(QueryTable::read(
            request,
            &trees,
            &request.release,
            &names,
            false,
            observer,
        )?),
    };
    let original = request.original.as_ref();
    let original = original
        .map(|input| QueryTable::read(request, &trees, input, &names, true, observer))
        .transpose()?;
    let mut answers = Vec::with_capacity(request.queries.len());
    let mut warnings = Vec::new();
    for query in &request.queries {
        let truth = original.as_ref().map(|original| original.answer(query)).transpose()?;
        answers.push(told(query, &release.answer(query)?, truth.as_ref()));
        if let Asked::Table(table) = &release {
            warnings.extend(table.doubts(query)?);
        }
    }
    Ok(Answers {
        path: request.release.path.clone(),
        rows: release.n_rows() as u64,
        not_released: original
            .map(|original| original.n_rows().saturating_sub(release.n_rows()) as u64),
        answers,
        warnings,
    })
}

/// The release that is queried.
enum Asked<'a> {
    Table(QueryTable<'a>),
    Buckets(BucketQueries<'a>),
}

impl Asked<'_> {
    fn n_rows(&self) -> usize {
        match self {
            Asked::Table(table) => table.n_rows(),
            Asked::Buckets(buckets) => buckets.n_rows(),
        }
    }

    fn answer(&self, query: &Query) -> Result<Answered> {
        match self {
            Asked::Table(table) => table.answer(query),
            Asked::Buckets(buckets) => buckets.answer(query),
        }
    }
}

fn told(query: &Query, answered: &Answered, truth: Option<&Answered>) -> Answer {
    let number =
        |answered: &Answered, units: f64| answered.axis.map_or(units, |axis| axis.number(units));
    let shown = |answered: &Answered, units: f64| match answered.axis {
        Some(axis) => axis.shown(units),
        None => Some(units).filter(|units| units.is_finite()).map(whole),
    };
    let Bounds { estimate, lower, upper } = answered.bounds;
    let exact = truth.map(|truth| number(truth, truth.bounds.estimate));
    let error =
        exact.map(|exact| number(answered, estimate) - exact).filter(|error| error.is_finite());
    let counts = query.aggregate == Aggregate::Count;
    Answer {
        query: query.to_string(),
        estimate: shown(answered, estimate),
        lower: shown(answered, lower),
        upper: shown(answered, upper),
        truth: truth.and_then(|truth| shown(truth, truth.bounds.estimate)),
        error,
        relative_error: error
            .zip(exact)
            .filter(|_| answered.axis.is_none_or(|axis| axis.has_zero()))
            .map(|(error, exact)| error / exact)
            .filter(|share| share.is_finite()),
        imprecision: exact.filter(|_| counts).map(|exact| upper - exact),
    }
}

/// A count, without a decimal point if it is whole.
fn whole(count: f64) -> serde_json::Value {
    if count.fract() == 0.0 && count.abs() < 9e15 { (count as i64).into() } else { count.into() }
}
