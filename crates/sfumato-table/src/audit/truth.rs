//! Whether a release is true of its original: whether its rows can be assigned to different records
//! of the original such that every cell covers the cell that it was made from.
//!
//! Nobody says which row was made from which record, so any assignment will do. A release of which
//! no assignment is possible is false; one that has an assignment may still have been made from
//! other records, and nobody could tell.

use rayon::prelude::*;
use serde::Serialize;
use sfumato_core::dataset::{Column, Role, Table};
use sfumato_core::observer::Unobserved;
use sfumato_core::{Error, FastMap, Result};
use sfumato_kernels::assignments::most_units;

use super::matches::{Covering, CoveringColumn, PublishedColumn};
use super::{TableAuditRequest, hierarchy_of, read_columns, written_of};
use crate::data::encode::encode;
use crate::forms::generalized::cover::{Cover, TextCovers};
use crate::job::{ColumnSpec, InputSpec, Job};

/// What was found.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
pub struct Truth {
    /// The number of rows that no record of the original can be assigned to.
    pub false_rows: u64,
    /// The number of rows that were compared.
    pub rows: u64,
    /// The columns that were compared.
    pub compared: Vec<String>,
    /// The columns whose labels mean nothing without their hierarchy, so that they weren't
    /// compared.
    pub unknown: Vec<String>,
}

/// How many pairs of a row and a record are compared at most: 4 GiB of memory.
const MOST_PAIRS: usize = 1 << 27;

/// Compare a release with its original.
pub(super) fn check(
    request: &TableAuditRequest,
    original: &InputSpec,
    published: &[PublishedColumn],
) -> Result<Truth> {
    let rows = published.first().map_or(0, |column| column.codes.len());
    let base = request.base.clone();
    let mut job = Job { input: original.clone(), base, ..Job::default() };
    for column in published {
        let is_quasi = request.quasi.contains(&column.name);
        let role = if is_quasi { Role::Quasi } else { Role::Sensitive };
        let hierarchy = hierarchy_of(request, &column.name).filter(|_| is_quasi);
        let written = written_of(request, &column.name);
        let spec = ColumnSpec { hierarchy, written, ..ColumnSpec::of_role(role) };
        job.columns.0.push((column.name.clone(), spec));
    }
    let dataset = read_columns(&mut job, &Unobserved)?;
    let table = encode(&job, dataset)?.table;
    let mut truth = Truth { rows: rows as u64, ..Truth::default() };
    let mut columns = Vec::new();
    for column in published {
        let has_tree = hierarchy_of(request, &column.name).is_some();
        match covers(&table, column, has_tree)? {
            Some(covers) => {
                truth.compared.push(column.name.clone());
                columns.push(covers);
            }
            None => truth.unknown.push(column.name.clone()),
        }
    }
    if columns.is_empty() {
        return Err(Error::params(
            "nothing of the release can be compared with the original: its labels are no values or \
             ranges of it",
        )
        .hint("say what labels mean with --hierarchy COLUMN=FILE"));
    }
    truth.false_rows = rows as u64 - assigned(rows, table.n_rows, columns)?;
    Ok(truth)
}

/// To how many rows different records of the original can be assigned. Rows that are alike, and
/// records that are, are one node with a capacity.
fn assigned(n_rows: usize, n_records: usize, mut columns: Vec<CoveringColumn>) -> Result<u64> {
    let rows = alike(n_rows, columns.iter().map(|column| &column.published[..]));
    let records = alike(n_records, columns.iter().map(|column| &column.original[..]));
    for column in &mut columns {
        column.published = rows.iter().map(|(row, _)| column.published[*row]).collect();
        column.original = records.iter().map(|(record, _)| column.original[*record]).collect();
    }
    let covering = Covering::new(rows.len(), columns);
    let lists: Vec<Vec<u32>> =
        (0..records.len()).into_par_iter().map(|record| covering.of(record, usize::MAX)).collect();
    if lists.iter().map(Vec::len).sum::<usize>() > MOST_PAIRS {
        return Err(Error::resources(
            "there are more pairs of rows and records than can be compared",
        )
        .hint("audit a part of the release, or leave --original out"));
    }
    let counts = |groups: &[(usize, u64)]| groups.iter().map(|(_, n)| *n).collect::<Vec<u64>>();
    Ok(most_units(&lists, &counts(&records), &counts(&rows)))
}

/// Groups of rows that are alike in all columns: the first of each, and how many there are.
fn alike<'a>(n: usize, columns: impl Iterator<Item = &'a [u32]> + Clone) -> Vec<(usize, u64)> {
    let mut groups: Vec<(usize, u64)> = Vec::new();
    let mut of_key: FastMap<Vec<u32>, usize> = FastMap::default();
    for row in 0..n {
        let key: Vec<u32> = columns.clone().map(|codes| codes[row]).collect();
        let group = *of_key.entry(key).or_insert_with(|| {
            groups.push((row, 0));
            groups.len() - 1
        });
        groups[group].1 += 1;
    }
    groups
}

/// What each text of a column may stand for, or `None` if it has labels that only a hierarchy
/// explains.
fn covers(
    table: &Table,
    published: &PublishedColumn,
    has_tree: bool,
) -> Result<Option<CoveringColumn>> {
    let column = table.columns.iter().find(|column| column.name == published.name);
    let column = column
        .ok_or_else(|| Error::input(format!("the original has no column '{}'", published.name)))?;
    let texts = TextCovers::new(column);
    let mut covers = Vec::with_capacity(published.texts.len());
    for text in &published.texts {
        let cover = match text {
            Some(text) => texts.of_text(text),
            None => texts.of_null(),
        };
        // Without a tree that was named, a column of words has one of its own, without labels.
        if cover == Cover::nothing()
            && !has_tree
            && text.as_deref().is_some_and(|text| is_label(column, text))
        {
            return Ok(None);
        }
        covers.push(cover);
    }
    Ok(Some(CoveringColumn {
        covers,
        published: published.codes.clone(),
        original: (0..table.n_rows).map(|row| column.codes.get(row)).collect(),
    }))
}

/// Whether a text that covers nothing may be the label of a hierarchy that wasn't named: it is
/// neither a value nor a range of the column. A value that the original doesn't have is false.
fn is_label(column: &Column, text: &str) -> bool {
    if column.role != Role::Quasi {
        return false;
    }
    let kind = column.domain.kind;
    if !kind.is_ordered() {
        return true;
    }
    let range = text.strip_prefix('[').and_then(|text| text.strip_suffix(']'));
    let range = range.and_then(|text| text.split_once(".."));
    let is_range =
        range.is_some_and(|(from, to)| kind.parse(from).is_some() && kind.parse(to).is_some());
    !is_range && kind.parse(text).is_none()
}
