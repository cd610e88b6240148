//! What a file of generalized cells keeps of its original, whoever made it: its texts are read as
//! values of the original's columns, and measured as a run measures its own decision.
//!
//! Which record became which row isn't known, so rows are laid on records in any order. No metric
//! that is measured here depends on it: those that do ask for a target, and there is none.

use sfumato_core::observer::Observer;
use sfumato_core::recoding::{BoxesBuilder, SUPPRESSED, Value};
use sfumato_core::traits::{ClassSizes, View};
use sfumato_core::{Error, FastMap, Result};
use sfumato_engine::audit::AuditRequest;
use sfumato_engine::compare::Utility;
use sfumato_report::Classes;

use super::cover::{Cover, TextCovers};
use super::kept::kept;
use crate::audit::{
    PublishedColumn, TableAuditRequest, hierarchy_of, job_of, published, read_columns,
};
use crate::data::encode::encode;
use crate::job::{ColumnSpec, Job};
use sfumato_core::dataset::{Column, Role, Table};

/// Measure a release beside its original.
pub fn utility(request: &AuditRequest<Job>, observer: &dyn Observer) -> Result<Utility> {
    let asked = TableAuditRequest::of(request)?;
    let original = request.original.as_ref().ok_or_else(|| {
        Error::params("what a release keeps is measured beside its original")
            .hint("say what it was made from with --original DATA")
    })?;
    if asked.quasi.is_empty() {
        return Err(
            Error::params("no quasi column was named").hint("say what was blurred with --qi a,b,c")
        );
    }
    let (sensitive, pseudonyms) = (Vec::new(), Vec::new());
    let of_quasi = TableAuditRequest { sensitive, pseudonyms, subject: None, ..asked.clone() };
    let release = read_columns(&mut job_of(&of_quasi, &asked.input), observer)?;
    let rows = release.raw.n_rows;
    let texts = published(&release.raw, &asked.quasi);
    drop(release);

    let mut job =
        Job { input: original.input.clone(), base: original.base.clone(), ..Job::default() };
    for name in &asked.quasi {
        let said = original.columns.get(name).cloned();
        let mut spec = said.unwrap_or_else(|| ColumnSpec::of_role(Role::Quasi));
        spec.role = Role::Quasi;
        spec.hierarchy = spec.hierarchy.or_else(|| hierarchy_of(&asked, name));
        job.columns.0.push((name.clone(), spec));
    }
    let read = |job: &Job| Ok(encode(job, read_columns(&mut job.clone(), observer)?)?.table);
    let mut table: Table = read(&job)?;
    // A release that was made without the hierarchy of another has ranges where that one has
    // labels.
    let is_ranged = |column: &&Column| {
        let published = texts.iter().find(|texts| texts.name == column.name);
        column.hierarchy.is_some()
            && published.is_some_and(|published| values(column, published).is_none())
    };
    let ranged: Vec<String> =
        table.columns.iter().filter(is_ranged).map(|column| column.name.clone()).collect();
    if !ranged.is_empty() {
        let specs = job.columns.0.iter_mut().filter(|(name, _)| ranged.contains(name));
        specs.for_each(|(_, spec)| spec.hierarchy = None);
        table = read(&job)?;
    }
    if rows > table.n_rows {
        return Err(Error::input(format!(
            "the release has {rows} rows and its original {}",
            table.n_rows
        ))
        .in_file(&asked.input.path)
        .hint("is this the data that the release was made from?"));
    }

    let mut utility = Utility { rows: Some(rows as u64), ..Utility::default() };
    let mut columns: Vec<(Vec<Value>, &PublishedColumn)> = Vec::new();
    table.columns.retain(|column| {
        let Some(texts) = texts.iter().find(|texts| texts.name == column.name) else {
            utility.remarks.push(format!("it has no column '{}'", column.name));
            return false;
        };
        match values(column, texts) {
            Some(values) => {
                columns.push((values, texts));
                true
            }
            None => {
                utility.remarks.push(format!(
                    "labels of column '{}' mean nothing without its hierarchy, so that it isn't \
                     measured: --hierarchy {}=FILE, or --job release.toml",
                    column.name, column.name
                ));
                false
            }
        }
    });
    if !columns.is_empty() && columns.len() < asked.quasi.len() {
        utility.remarks.push("its metrics are of the other columns alone".into());
    }
    let sizes = class_sizes(&texts, rows);
    utility.classes = Some(Classes::from_sizes(ClassSizes::from_sizes(sizes).iter()));
    if columns.is_empty() {
        return Ok(utility);
    }
    let recoding = {
        let mut builder = BoxesBuilder::new(columns.len());
        let mut known: FastMap<Vec<Value>, u32> = FastMap::default();
        let mut class_of_row = vec![SUPPRESSED; table.n_rows];
        for (row, class) in class_of_row.iter_mut().take(rows).enumerate() {
            let region: Vec<Value> =
                columns.iter().map(|(values, texts)| values[texts.codes[row] as usize]).collect();
            *class = match known.get(&region) {
                Some(class) => *class,
                None => {
                    let class = builder.push(&region)?;
                    known.insert(region, class);
                    class
                }
            };
        }
        builder.finish(class_of_row)
    };
    let view = View::new(&table, &recoding, None);
    // Which record a row is of isn't known.
    utility.metrics = crate::metrics::ALL
        .iter()
        .filter(|metric| !crate::metrics::needs_records(**metric))
        .filter_map(|metric| Some((metric.info().name, Some(metric.measure(&view)?.overall))))
        .collect();
    utility.kept = kept(&view);
    Ok(utility)
}

/// What each text of a column stands for, or `None` if one of them stands for nothing.
fn values(column: &Column, published: &PublishedColumn) -> Option<Vec<Value>> {
    let covers = TextCovers::new(column);
    let mut found = Vec::with_capacity(published.texts.len());
    // Texts that no row has may be in a dictionary.
    let mut is_used = vec![false; published.texts.len()];
    published.codes.iter().for_each(|code| is_used[*code as usize] = true);
    for (text, is_used) in published.texts.iter().zip(is_used) {
        let cover = match text {
            Some(text) => covers.of_text(text),
            None => covers.of_null(),
        };
        match value(column, &cover) {
            Some(value) => found.push(value),
            None if !is_used => found.push(Value::Any),
            None => return None,
        }
    }
    Some(found)
}

/// The smallest value that covers what a text covers.
fn value(column: &Column, cover: &Cover) -> Option<Value> {
    let missing = column.domain.missing();
    let (low, high) = cover.span();
    match (low > high, cover.has(missing)) {
        (true, _) => None,
        (false, true) if low == missing => Some(Value::Missing),
        (false, true) => Some(Value::Any),
        (false, false) => Some(Value::covering(column, low, high + 1, false)),
    }
}

/// How many rows have the same texts in all columns.
fn class_sizes(columns: &[PublishedColumn], rows: usize) -> Vec<u64> {
    let mut sizes: FastMap<Vec<u32>, u64> = FastMap::default();
    for row in 0..rows {
        let key: Vec<u32> = columns.iter().map(|column| column.codes[row]).collect();
        *sizes.entry(key).or_default() += 1;
    }
    let mut sizes: Vec<u64> = sizes.into_values().collect();
    sizes.sort_unstable();
    sizes
}
