//! The first pass over a file that doesn't fit into memory: it finds what the columns are, how many
//! rows there are, and a random sample of them.
//!
//! It reads a few blocks at a time. Values are stored only if necessary (hierarchies, words, what
//! models count); for numbers the least and the largest are enough.

mod column;
mod distinct;
mod kinds;
mod sample;

pub use column::Observed;
pub use sample::{Sample, SampledCells};

use std::cell::RefCell;

use rayon::prelude::*;
use sfumato_core::column::{Dictionary, Provenance};
use sfumato_core::dataset::{Role, ValueKind};
use sfumato_core::memory::Reservation;
use sfumato_core::observer::Observer;
use sfumato_core::{Error, Result};
use sfumato_io::{LocalBlock, LocalCells, LocalSink, ReadOptions, scan_local};

use crate::data::assign_roles::assign_roles;
use crate::data::encode::{canonical, is_missing, kind_asked};
use crate::job::Job;
use crate::spill::cuts::asks_for_cuts;

/// The result of the first pass.
#[derive(Debug)]
pub struct Survey {
    /// All column names of the file.
    pub header: Vec<String>,
    /// The role of each column of the file.
    pub roles: Vec<Role>,
    /// The columns that are read, in file order.
    pub columns: Vec<Observed>,
    /// Their types, as Arrow names them.
    pub native_types: Vec<Option<String>>,
    /// The number of rows.
    pub n_rows: u64,
    /// The file that was read.
    pub source: Provenance,
    /// Some rows.
    pub sample: Sample,
    /// The memory that this takes.
    pub held: Held,
}

/// The memory of a first look.
#[derive(Debug)]
pub struct Held {
    /// Of different values.
    pub values: Reservation,
    /// Of the sampled rows.
    pub sample: Reservation,
}

/// How much may be in memory.
#[derive(Debug, Clone, Copy)]
pub struct Room {
    /// Bytes of distinct values.
    pub values: u64,
    /// Rows of the sample, at most.
    pub sample_rows: usize,
    /// Bytes of the sample.
    pub sample_bytes: u64,
}

impl Room {
    /// An empty sample of so many columns that will fit.
    fn sample(&self, seed: u64, n_columns: usize) -> Sample {
        let rows = sample_rows(self.sample_rows as u64, self.sample_bytes, n_columns);
        Sample::new(seed, (rows as usize, self.sample_bytes / 2), n_columns)
    }
}

/// The number of rows of a sample of so many columns that takes at most `bytes` bytes, texts
/// aside: a cell is a text with its end, a word and a code.
pub fn sample_rows(most: u64, bytes: u64, n_columns: usize) -> u64 {
    const CELL: u64 = 24;
    const FEW_COLUMNS: u64 = 200;
    most.min(bytes / (CELL * n_columns as u64).max(FEW_COLUMNS))
}

/// Make the first pass over a file.
pub fn survey(
    job: &Job,
    path: &str,
    options: &ReadOptions,
    room: Room,
    seed: u64,
    observer: &dyn Observer,
) -> Result<Survey> {
    let mut roles = Vec::new();
    // The columns are known when the header is, which is after the sink was made.
    let columns: RefCell<Vec<Observed>> = RefCell::default();
    let mut select = |header: &[String]| {
        roles = assign_roles(job, header)?;
        let read = header.iter().zip(&roles).filter(|(_, role)| **role != Role::Identifier);
        *columns.borrow_mut() =
            read.map(|(name, role)| observed(job, name, *role)).collect::<Result<_>>()?;
        Ok(roles.iter().map(|role| *role != Role::Identifier).collect())
    };
    let held = Held {
        values: options.memory.book("different values of columns", 0),
        sample: options.memory.book("the sample", 0),
    };
    let mut surveyor =
        Surveyor { job, columns: &columns, sample: None, held, room, seed, n_rows: 0 };
    let scanned = scan_local(path, options, &mut select, &mut surveyor, observer)?;
    let Surveyor { sample, held, n_rows, .. } = surveyor;
    let mut columns = columns.into_inner();
    columns.iter_mut().for_each(Observed::finish);
    if n_rows == 0 {
        return Err(Error::input("the file has a header and no rows").in_file(path));
    }
    let n_columns = columns.len();
    Ok(Survey {
        header: scanned.header,
        roles,
        columns,
        native_types: scanned.native_types,
        n_rows,
        source: scanned.source,
        sample: sample.unwrap_or_else(|| room.sample(seed, n_columns)),
        held,
    })
}

/// What is to be learnt of a column. Hierarchies are built from all values, and models count those
/// of sensitive columns; what passes through keeps its texts. Cuts are found over all values.
fn observed(job: &Job, name: &str, role: Role) -> Result<Observed> {
    let spec = job.columns.get(name);
    let asked = match spec.and_then(|spec| spec.kind.as_deref()) {
        Some("decimal") | None => None,
        Some(asked) => Some(kind_asked(asked, ValueKind::Text)?),
    };
    let has_hierarchy = spec.is_some_and(|spec| spec.hierarchy.is_some());
    let must_hold = match role {
        Role::Quasi => has_hierarchy || asked == Some(ValueKind::Text) || asks_for_cuts(job),
        Role::Sensitive | Role::Target => true,
        Role::Keep | Role::Subject | Role::Identifier | Role::Guard => false,
    };
    let passes = matches!(role, Role::Keep | Role::Target);
    let (canonical, of_people) = (spec.and_then(canonical), role == Role::Subject);
    let asked = asked.filter(|kind| *kind != ValueKind::Text);
    let observed = Observed::new(name.to_string(), passes, must_hold, asked);
    let mut observed = observed.by_form(canonical, of_people);
    // People are told apart by numbers or hashes, and what is published as it is can be read back.
    observed.may_spill = matches!(role, Role::Keep | Role::Sensitive | Role::Subject);
    Ok(observed)
}

struct Surveyor<'a> {
    job: &'a Job,
    columns: &'a RefCell<Vec<Observed>>,
    sample: Option<Sample>,
    held: Held,
    room: Room,
    seed: u64,
    n_rows: u64,
}

impl LocalSink for Surveyor<'_> {
    fn block(&mut self, block: &LocalBlock<'_>) -> Result<()> {
        let mut columns = self.columns.borrow_mut();
        let missing = |text: &str| is_missing(self.job, text);
        let tokens = missing_numbers(self.job);
        columns.par_iter_mut().zip(block.columns).for_each(|(column, cells)| match cells {
            LocalCells::Integers { values, is_null } if !tokens.is_empty() && !column.passes => {
                let is_null = with_tokens(values, *is_null, &tokens);
                column.add_integers(values, Some(&is_null));
            }
            LocalCells::Integers { values, is_null } => column.add_integers(values, *is_null),
            LocalCells::Texts { codes, texts, null } => {
                look(column, (codes, texts, *null), block.first_row, &missing);
            }
        });
        self.n_rows += block.n_rows as u64;
        let sample = self.sample.get_or_insert_with(|| self.room.sample(self.seed, columns.len()));
        let chosen = sample.choose(block.first_row, block.n_rows);
        for (column, cells) in block.columns.iter().enumerate() {
            match cells {
                LocalCells::Texts { codes, texts, null } => {
                    let text = |code: u32| (Some(code) != *null).then(|| texts.get(code));
                    sample.push_texts(column, chosen.iter().map(|row| text(codes[*row as usize])));
                }
                LocalCells::Integers { values, is_null } => {
                    let number =
                        |row: usize| is_null.is_none_or(|nulls| !nulls[row]).then(|| values[row]);
                    sample.push_integers(column, chosen.iter().map(|row| number(*row as usize)));
                }
            }
        }
        sample.thin();
        self.held.sample.rebook(sample.bytes());
        let made = make_room(&mut columns, self.room.values);
        self.held.values.rebook(columns.iter().map(Observed::bytes).sum());
        made
    }
}

fn look(
    column: &mut Observed,
    (codes, texts, null): (&[u32], &Dictionary, Option<u32>),
    first_row: u64,
    missing: &(dyn Fn(&str) -> bool + Sync),
) {
    let mut seen = vec![(0u64, u64::MAX); texts.len()];
    for (row, code) in (first_row..).zip(codes) {
        let (rows, first) = &mut seen[*code as usize];
        *rows += 1;
        *first = (*first).min(row);
    }
    let used = (0u32..).zip(seen).filter(|(_, (rows, _))| *rows > 0);
    let text = |code: u32| (Some(code) != null).then(|| texts.get(code));
    column.add_texts(used.map(|(code, (rows, first))| (text(code), rows, first)), missing);
}

/// The numbers that mean missing.
pub fn missing_numbers(job: &Job) -> Vec<i64> {
    job.input.missing.iter().filter_map(|token| ValueKind::Integer.parse(token)).collect()
}

/// Which numbers are missing: those that are null, and those that mean it.
pub fn with_tokens(values: &[i64], is_null: Option<&[bool]>, tokens: &[i64]) -> Vec<bool> {
    let null = |row: usize| is_null.is_some_and(|nulls| nulls[row]);
    values.iter().enumerate().map(|(row, value)| null(row) || tokens.contains(value)).collect()
}

/// Forget the values of columns that don't need them, the largest first: numbers and dates that
/// nobody counts, then texts that can wait in a file or are only compared, then what models may
/// want to count (who needs the counts will say so). If that isn't enough, the data are too large
/// for the allowed memory.
fn make_room(columns: &mut [Observed], room: u64) -> Result<()> {
    let stages: [fn(&Observed) -> bool; 3] = [
        |column| column.may_be_keys() && !column.must_hold,
        |column| column.may_spill && !column.must_hold,
        |column| column.may_be_keys() || column.may_spill,
    ];
    while columns.iter().map(Observed::bytes).sum::<u64>() > room {
        let largest_of = |stage: &fn(&Observed) -> bool| {
            let held = (0..columns.len()).filter(|at| columns[*at].values.is_some());
            held.filter(|at| stage(&columns[*at])).max_by_key(|at| columns[*at].bytes())
        };
        if let Some(at) = stages.iter().find_map(largest_of) {
            columns[at].drop_values();
            continue;
        }
        let Some(largest) = columns.iter().max_by_key(|column| column.bytes()) else {
            return Ok(());
        };
        return Err(Error::resources(format!(
            "column '{}' has more different texts than {} of memory can hold",
            largest.name,
            sfumato_report::numbers::bytes(room)
        ))
        .hint(
            "raise --memory, leave the column out, or make it a number, a date or a shorter code",
        ));
    }
    Ok(())
}
