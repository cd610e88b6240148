//! Verifies a bucket release: reads its files back and checks them against the original.
//!
//! Truth: row i of the quasi values is record i of the reordered table, cell by cell, and the
//! sensitive values of a group are those of its records. Privacy: every model holds on the groups
//! as read. Nothing that the algorithm says is trusted, not even which record is in which group.

mod cells;
mod groups;

use sfumato_engine::verify::{cant_read_back, failed_verification};
use std::path::Path;

use sfumato_core::Result;
use sfumato_core::dataset::{Role, Table};
use sfumato_core::facts::{ClassFacts, Facts};
use sfumato_core::group::{ClassTable, Guarantee, evaluate_with};
use sfumato_core::observer::{Observer, Renamed};
use sfumato_core::traits::{ClassSizes, Requirements};
use sfumato_engine::manifest::ManifestFile;
use sfumato_io::{Block, BlockSink, ReadOptions, Scanned, scan};

use super::COUNT;
use super::check::check_requirements;
use super::publish::{BucketFiles, exact_columns};
use crate::forms::generalized::make_plan::Plan;
use crate::forms::generalized::verify::{Evidence, check_suppressed};
use crate::job::Job;
pub(crate) use cells::CellCheck;
use cells::NumberCheck;
use groups::{Counted, class_table, counted_by_row, counts_of_original, group_sizes};
use sfumato_engine::threads::at_once;

/// What the files of a draft say, after they were compared with the original.
pub struct ReadGroups {
    /// The groups with the published counts of their sensitive values.
    classes: ClassTable,
    /// Sizes of the groups, in people.
    pub groups: ClassSizes,
    /// For each sensitive column, the largest share of a value in a group, as numerator and
    /// denominator.
    pub largest: Vec<(u64, u64)>,
    /// For each sensitive column, the mean over all records of the share that a record's own value
    /// has in its group.
    pub association: Vec<f64>,
    /// The group of each published record: the first ones of the reordered table.
    pub group_of_row: Vec<u32>,
    /// What was compared.
    pub evidence: Evidence,
    /// The files with their hashes.
    pub files: Vec<ManifestFile>,
    /// Bytes of all files.
    pub bytes: u64,
}

impl ReadGroups {
    /// The number of groups.
    pub fn n_groups(&self) -> u64 {
        self.group_of_row.iter().max().copied().map_or(0, u64::from)
    }
    /// The SHA-256 hash of each file.
    pub fn sha256(&self) -> String {
        let hashes: Vec<&str> = self.files.iter().map(|file| file.sha256.as_str()).collect();
        hashes.join(" ")
    }
}

impl Facts for ReadGroups {
    fn release(&self) -> &'static str {
        "a table of buckets"
    }
    fn classes(&self) -> Option<&dyn ClassFacts> {
        Some(self)
    }
}

impl ClassFacts for ReadGroups {
    fn evaluate(&self, requirements: &Requirements) -> Result<Vec<Guarantee>> {
        check_requirements(requirements)?;
        Ok(evaluate_with(requirements, &self.classes, &at_once))
    }
}

/// Read a draft back and compare it with its original.
pub(super) fn read_back(
    job: &Job,
    plan: &Plan,
    table: &Table,
    (path, published): (&Path, &BucketFiles),
    observer: &dyn Observer,
) -> Result<ReadGroups> {
    check_suppressed(plan, (table.n_rows - published.n_rows) as u64)?;
    let observer = &Renamed { step: "verify", inner: observer };
    let read = match &published.linked {
        Some(names) => linked(job, table, (path, published), names, observer)?,
        None => permuted(job, table, (path, published), observer)?,
    };
    let sizes = group_sizes(&read.group_of_row).map_err(|what| failed_verification(&what))?;
    for (column, counted) in table.sensitive().iter().zip(&read.sensitive) {
        let originals = counts_of_original(column, &read.group_of_row);
        if let Some(what) = counted.first_difference(&originals) {
            return Err(failed_verification(&format!("{what} in column '{}'", column.name)));
        }
    }
    let classes = class_table(plan, table, &read.group_of_row, &sizes, &read.sensitive);
    Ok(ReadGroups {
        groups: ClassSizes::from_sizes(classes.summaries.iter().map(|summary| summary.people)),
        classes,
        largest: read.sensitive.iter().map(|counted| counted.largest_share(&sizes)).collect(),
        association: read.sensitive.iter().map(|counted| counted.association(&sizes)).collect(),
        evidence: Evidence { rows: published.n_rows as u64, cells: read.cells },
        group_of_row: read.group_of_row,
        files: read.files,
        bytes: read.bytes,
    })
}

/// The content of the files.
struct Read {
    group_of_row: Vec<u32>,
    sensitive: Vec<Counted>,
    cells: u64,
    files: Vec<ManifestFile>,
    bytes: u64,
}

fn linked(
    job: &Job,
    table: &Table,
    (folder, published): (&Path, &BucketFiles),
    (quasi, sensitive): &(String, Vec<String>),
    observer: &dyn Observer,
) -> Result<Read> {
    let columns: Vec<_> = exact_columns(table).collect();
    let mut names: Vec<String> = columns.iter().map(|column| column.name.clone()).collect();
    names.push(job.group_column().into());
    let mut rows = Rows {
        cells: columns.iter().map(|column| (CellCheck::new(column), true)).collect(),
        groups: NumberCheck::default(),
        n_rows: published.n_rows,
        codes: vec![Vec::new(); columns.len()],
    };
    let scanned = scan_back(&folder.join(quasi), published, &names, &mut rows, observer)?;
    check_rows(&scanned, published.n_rows)?;
    let mut cells = (published.n_rows * names.len()) as u64;
    let mut bytes = scanned.source.bytes;
    let group_of_row = rows.groups.numbers;
    let describe = |path: &str, column: Option<&str>, scanned: &Scanned| ManifestFile {
        path: path.into(),
        holds: if column.is_some() { "sensitive" } else { "quasi" }.into(),
        column: column.map(String::from),
        rows: scanned.n_rows as u64,
        sha256: scanned.source.sha256.clone(),
    };
    let mut files = vec![describe(quasi, None, &scanned)];
    let mut counted = Vec::with_capacity(sensitive.len());
    for (column, path) in table.sensitive().into_iter().zip(sensitive) {
        let names = [job.group_column().to_string(), column.name.clone(), COUNT.to_string()];
        let mut counts = Counts {
            groups: NumberCheck::default(),
            cells: CellCheck::new(column),
            codes: Vec::new(),
            times: NumberCheck::default(),
        };
        let scanned = scan_back(&folder.join(path), published, &names, &mut counts, observer)?;
        cells += scanned.n_rows as u64 * 3;
        bytes += scanned.source.bytes;
        files.push(describe(path, Some(&column.name), &scanned));
        let all = counts.groups.numbers.iter().zip(&counts.codes).zip(&counts.times.numbers);
        counted.push(Counted::new(
            all.map(|((group, code), times)| (*group, *code, *times)).collect(),
        ));
    }
    Ok(Read { group_of_row, sensitive: counted, cells, files, bytes })
}

fn permuted(
    job: &Job,
    table: &Table,
    (path, published): (&Path, &BucketFiles),
    observer: &dyn Observer,
) -> Result<Read> {
    let columns: Vec<_> = table.published().collect();
    let mut names: Vec<String> = columns.iter().map(|column| column.name.clone()).collect();
    names.push(job.group_column().into());
    let mut rows = Rows {
        cells: columns
            .iter()
            .map(|column| (CellCheck::new(column), column.role != Role::Sensitive))
            .collect(),
        groups: NumberCheck::default(),
        n_rows: published.n_rows,
        codes: vec![Vec::new(); columns.len()],
    };
    let scanned = scan_back(path, published, &names, &mut rows, observer)?;
    check_rows(&scanned, published.n_rows)?;
    let group_of_row = rows.groups.numbers;
    let sensitive =
        columns.iter().zip(&rows.codes).filter(|(column, _)| column.role == Role::Sensitive);
    Ok(Read {
        sensitive: sensitive.map(|(_, codes)| counted_by_row(&group_of_row, codes)).collect(),
        group_of_row,
        cells: (published.n_rows * names.len()) as u64,
        files: vec![ManifestFile {
            holds: "rows".into(),
            rows: scanned.n_rows as u64,
            sha256: scanned.source.sha256,
            ..ManifestFile::default()
        }],
        bytes: scanned.source.bytes,
    })
}

fn scan_back(
    path: &Path,
    published: &BucketFiles,
    expected: &[String],
    sink: &mut dyn BlockSink,
    observer: &dyn Observer,
) -> Result<Scanned> {
    let options = ReadOptions {
        format: Some(published.options.format),
        delimiter: Some(published.options.delimiter),
        header: Some(true),
        ..ReadOptions::default()
    };
    let mut select = |header: &[String]| match header == expected {
        true => Ok(vec![true; header.len()]),
        false => Err(failed_verification("the columns of the release aren't those of the job")),
    };
    scan(&path.display().to_string(), &options, &mut select, sink, observer).map_err(cant_read_back)
}

fn check_rows(scanned: &Scanned, n_rows: usize) -> Result<()> {
    match scanned.n_rows == n_rows {
        true => Ok(()),
        false => Err(failed_verification(&format!(
            "{n_rows} rows were written, {} read back",
            scanned.n_rows
        ))),
    }
}

/// Receives rows of records: cells that must equal the original, or whose codes are kept, and last
/// the group.
struct Rows<'a> {
    /// Each column, and whether its cells must equal the original.
    cells: Vec<(CellCheck<'a>, bool)>,
    groups: NumberCheck,
    n_rows: usize,
    /// The codes of the other columns.
    codes: Vec<Vec<u32>>,
}

impl BlockSink for Rows<'_> {
    fn block(&mut self, block: &Block<'_>) -> Result<()> {
        let first = block.first_row as usize;
        if first + block.n_rows > self.n_rows {
            return Err(failed_verification("the file has more rows than were published"));
        }
        for (place, (check, is_exact)) in self.cells.iter_mut().enumerate() {
            check.learn(&block.dictionaries[place], block.nulls[place]);
            let codes = &block.columns[place];
            let wrong = match is_exact {
                true => check.first_other(codes, first),
                false => {
                    self.codes[place].extend(codes.iter().filter_map(|code| check.code(*code)));
                    codes.iter().position(|code| check.code(*code).is_none())
                }
            };
            if let Some(row) = wrong {
                return Err(failed_verification(&format!(
                    "the cell of row {} in column '{}' isn't its original",
                    first + row + 1,
                    check.name()
                )));
            }
        }
        let place = self.cells.len();
        self.groups.add(&block.dictionaries[place], &block.columns[place])
    }
}

/// Receives rows of a group, a value and a count.
struct Counts<'a> {
    groups: NumberCheck,
    cells: CellCheck<'a>,
    codes: Vec<u32>,
    times: NumberCheck,
}

impl BlockSink for Counts<'_> {
    fn block(&mut self, block: &Block<'_>) -> Result<()> {
        self.groups.add(&block.dictionaries[0], &block.columns[0])?;
        self.cells.learn(&block.dictionaries[1], block.nulls[1]);
        for code in &block.columns[1] {
            let known = self.cells.code(*code);
            self.codes.push(known.ok_or_else(|| {
                failed_verification(&format!(
                    "a cell of column '{}' isn't a value of that column",
                    self.cells.name()
                ))
            })?);
        }
        self.times.add(&block.dictionaries[2], &block.columns[2])
    }
}
