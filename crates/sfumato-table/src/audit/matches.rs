//! Audits a release without classes: finds every published record that covers an original one, and
//! uses a flow to compute in how many disjoint assignments all of them match.

mod covering;

use rayon::prelude::*;
use sfumato_core::column::{RawColumn, RawTable};
use sfumato_core::dataset::Table;
use sfumato_core::group::Guarantee;
use sfumato_core::observer::Unobserved;
use sfumato_core::traits::{Requirement, Requirements, Scope};
use sfumato_core::{Error, Result};

use super::{TableAuditRequest, original_job, read_columns};
use crate::data::encode::encode;
use crate::forms::generalized::cover::{Cover, TextCovers};
use crate::job::InputSpec;
pub(crate) use covering::{Column as CoveringColumn, Covering};
use sfumato_kernels::assignments::most_assignments;

/// A published quasi column as it was read: texts, and the code of each row.
pub struct PublishedColumn {
    /// The name of the column.
    pub name: String,
    /// The distinct texts; `None` for null.
    pub texts: Vec<Option<String>>,
    /// The number of each row's text.
    pub codes: Vec<u32>,
}

/// The quasi columns of a release as they were read.
pub fn published(raw: &RawTable, quasi: &[String]) -> Vec<PublishedColumn> {
    let column = |column: &RawColumn| PublishedColumn {
        name: column.name.clone(),
        texts: (0..column.values.len() as u32)
            .map(|code| (Some(code) != column.null).then(|| column.values.get(code).to_string()))
            .collect(),
        codes: (0..raw.n_rows).map(|row| column.codes.get(row)).collect(),
    };
    raw.columns.iter().filter(|column| quasi.contains(&column.name)).map(column).collect()
}

/// What a guarantee rests on. `is_linked`: whether matches were searched in the original.
pub fn evidence(scope: &str, is_linked: bool) -> &'static str {
    match (scope == Scope::Matches.name(), is_linked) {
        (true, true) => "found in the file, against the original",
        (true, false) => "kept by the classes of the file; the original wasn't looked at",
        (false, _) => "measured in the file",
    }
}

/// Replace the guarantees of classes by those of matches, if classes don't satisfy the requirements
/// about matches. Returns whether that was needed.
pub fn look(
    request: &TableAuditRequest,
    requirements: &Requirements,
    published: &[PublishedColumn],
    guarantees: &mut [Guarantee],
) -> Result<bool> {
    let is_about_matches = |requirement: &dyn Requirement| requirement.scope() == Scope::Matches;
    if guarantees.iter().all(|found| found.holds || found.scope != Scope::Matches.name()) {
        return Ok(false);
    }
    let Some(original) = &request.original else {
        return Err(Error::params(
            "whom a row hides can't be told from a release without classes \
            alone",
        )
        .hint(
            "say what it was made from with --original DATA, and with --hierarchy \
                COLUMN=FILE what its labels mean",
        ));
    };
    if request.subject.is_some() {
        return Err(Error::unsupported(
            "matches are of records: a subject column can't be counted among them",
        ));
    }
    let covering = covering(request, original, published)?;
    let n = covering.len();
    let lists = |most: usize| -> Vec<Vec<u32>> {
        (0..n).into_par_iter().map(|record| covering.of(record, most)).collect()
    };
    for requirement in requirements.iter().filter(|requirement| is_about_matches(*requirement)) {
        let k = requirement.min_people();
        if k > n as u64 {
            continue;
        }
        let (achieved, violations) = most_assignments(n, k, lists)?;
        let text = requirement.describe();
        for found in guarantees.iter_mut().filter(|found| found.requirement == text) {
            found.achieved = achieved as f64;
            found.violations = violations;
            found.holds = violations == 0;
        }
    }
    Ok(true)
}

/// Compare the release with its original.
fn covering(
    request: &TableAuditRequest,
    original: &InputSpec,
    published: &[PublishedColumn],
) -> Result<Covering> {
    let mut job = original_job(request, original);
    let dataset = read_columns(&mut job, &Unobserved)?;
    let table = encode(&job, dataset)?.table;
    let n_rows = published.first().map_or(0, |column| column.codes.len());
    if n_rows != table.n_rows {
        return Err(Error::input(format!(
            "the release has {n_rows} rows and the original {}: matches are one to one",
            table.n_rows
        )));
    }
    let columns = published.iter().map(|published| covers(&table, published));
    Ok(Covering::new(table.n_rows, columns.collect::<Result<_>>()?))
}

/// What each row of a column may stand for, and the codes of the originals.
fn covers(table: &Table, published: &PublishedColumn) -> Result<CoveringColumn> {
    let column = table.quasi().into_iter().find(|column| column.name == published.name);
    let column = column
        .ok_or_else(|| Error::input(format!("the original has no column '{}'", published.name)))?;
    let texts = TextCovers::new(column);
    let cover = |text: &Option<String>| -> Cover {
        match text {
            Some(text) => texts.of_text(text),
            None => texts.of_null(),
        }
    };
    Ok(CoveringColumn {
        covers: published.texts.iter().map(cover).collect(),
        published: published.codes.clone(),
        original: (0..table.n_rows).map(|row| column.codes.get(row)).collect(),
    })
}
