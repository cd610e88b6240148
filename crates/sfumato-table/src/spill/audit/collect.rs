//! Reads a file and groups its rows: blocks into runs that fit into memory, and classes of runs
//! into classes of the file.

use rayon::prelude::*;
use sfumato_core::dataset::{Canonical, Role};
use sfumato_core::group::{Histogram, Summary};
use sfumato_core::{Error, Result};
use sfumato_io::spill::SpillFolder;
use sfumato_io::{LocalBlock, LocalCells};

use super::room::Room;
use super::values::{MissingCells, Values};
use crate::data::class_index::ClassIndex;
use crate::spill::class_runs::{ClassRuns, put_text};
use crate::spill::source::subject;

/// The largest number of bytes of a class in the index of a run, besides its codes.
const CLASS_BYTES: u64 = 112;

/// What is known about a sensitive column of the whole file.
#[derive(Debug, Default)]
pub struct Sensitive {
    /// The values of the column.
    pub values: Values,
    /// How many rows have each value.
    pub counts: Vec<u64>,
}

/// The handling of each column that is read.
enum Column {
    Quasi { values: Values, codes: Vec<u32> },
    Sensitive { place: usize, found: Sensitive, codes: Vec<u32> },
    Subject { canonical: Canonical, people: Vec<u64>, n_missing: u64 },
}

/// Groups the rows of a file.
pub struct Collector<'a> {
    room: Room,
    missing: MissingCells<'a>,
    /// Whether missing cells of quasi columns are one value, as in an original. In a release they
    /// are different texts.
    joins_missing: bool,
    names: Vec<String>,
    columns: Vec<Column>,
    index: ClassIndex,
    /// The class of each row of the run, if it is needed. Its sensitive codes and its person are
    /// stored likewise.
    class_of_row: Vec<u32>,
    codes_of_row: Vec<Vec<u32>>,
    person_of_row: Vec<u64>,
    /// The classes of the file.
    pub classes: ClassRuns,
    /// The people of the file, each a class.
    pub people: Option<ClassRuns>,
    /// The number of rows so far.
    pub n_rows: u64,
}

impl<'a> Collector<'a> {
    /// A collector that has read nothing. `columns` are the names and roles of those that will be
    /// read, `subject_form` says which texts are one person.
    pub fn new(
        folder: &SpillFolder,
        room: Room,
        missing: MissingCells<'a>,
        joins_missing: bool,
        columns: Vec<(String, Role)>,
        subject_form: Canonical,
    ) -> Result<Self> {
        let mut n_sensitive = 0;
        let column = |(_, role): &(String, Role)| match role {
            Role::Sensitive => {
                n_sensitive += 1;
                Column::Sensitive {
                    place: n_sensitive - 1,
                    found: Sensitive::default(),
                    codes: Vec::new(),
                }
            }
            Role::Subject => {
                Column::Subject { canonical: subject_form, people: Vec::new(), n_missing: 0 }
            }
            _ => Column::Quasi { values: Values::default(), codes: Vec::new() },
        };
        let made: Vec<Column> = columns.iter().map(column).collect();
        let has_subject = made.iter().any(|column| matches!(column, Column::Subject { .. }));
        // Who counts sensitive values against those of the file must know how many people have
        // each.
        let people = match has_subject && !joins_missing {
            true => Some(ClassRuns::new(folder, room.people)?),
            false => None,
        };
        Ok(Collector {
            room,
            missing,
            joins_missing,
            names: columns.into_iter().map(|(name, _)| name).collect(),
            index: ClassIndex::new(n_quasi(&made)),
            columns: made,
            class_of_row: Vec::new(),
            codes_of_row: vec![Vec::new(); n_sensitive],
            person_of_row: Vec::new(),
            classes: ClassRuns::new(folder, room.classes)?,
            people,
            n_rows: 0,
        })
    }

    /// Receive the next rows.
    pub fn block(&mut self, block: &LocalBlock<'_>) -> Result<()> {
        let (missing, joins) = (&self.missing, self.joins_missing);
        self.columns.par_iter_mut().zip(block.columns).for_each(|(column, cells)| match column {
            Column::Quasi { values, codes } => {
                values.encode(cells, joins.then_some(missing), codes)
            }
            Column::Sensitive { found, codes, .. } => {
                found.values.encode(cells, None, codes);
                found.counts.resize(found.values.len(), 0);
                codes.iter().for_each(|code| found.counts[*code as usize] += 1);
            }
            Column::Subject { canonical, people, n_missing } => {
                *n_missing += persons(*canonical, cells, missing, people)
            }
        });
        let quasi: Vec<&[u32]> = self
            .columns
            .iter()
            .filter_map(|column| match column {
                Column::Quasi { codes, .. } => Some(codes.as_slice()),
                _ => None,
            })
            .collect();
        let by_row = self.columns.len() > quasi.len();
        self.index.add(&quasi, block.n_rows, by_row.then_some(&mut self.class_of_row));
        for column in &self.columns {
            match column {
                Column::Sensitive { place, codes, .. } => {
                    self.codes_of_row[*place].extend_from_slice(codes)
                }
                Column::Subject { people, .. } => self.person_of_row.extend_from_slice(people),
                Column::Quasi { .. } => {}
            }
        }
        self.n_rows += block.n_rows as u64;
        self.check_values()?;
        if self.bytes() > self.room.run { self.flush() } else { Ok(()) }
    }

    /// Check that the values of sensitive columns fit into memory, since models count them.
    fn check_values(&self) -> Result<()> {
        let mut total = 0;
        for (column, name) in self.columns.iter().zip(&self.names) {
            if let Column::Sensitive { found, .. } = column {
                total += found.values.bytes() + found.counts.len() as u64 * 8;
                if total > self.room.values {
                    return Err(Error::resources(format!(
                        "column '{name}' has more different values than {} of memory can hold",
                        sfumato_report::numbers::bytes(self.room.values)
                    ))
                    .hint("raise --memory, or leave the column out"));
                }
            }
        }
        Ok(())
    }

    fn bytes(&self) -> u64 {
        let column = |column: &Column| match column {
            // Its values once more as a list, when the run ends.
            Column::Quasi { values, .. } => values.bytes() + values.len() as u64 * 16,
            _ => 0,
        };
        let columns: u64 = self.columns.iter().map(column).sum();
        let per_row =
            8 + 4 * self.codes_of_row.len() as u64 + 16 * u64::from(!self.person_of_row.is_empty());
        let per_class = CLASS_BYTES + 4 * n_quasi(&self.columns) as u64;
        columns + per_row * self.class_of_row.len() as u64 + per_class * self.index.len() as u64
    }

    /// Pass on the classes of this run.
    fn flush(&mut self) -> Result<()> {
        let n_quasi = n_quasi(&self.columns);
        let (keys, sizes) =
            std::mem::replace(&mut self.index, ClassIndex::new(n_quasi)).into_keys();
        let quasi = self.columns.iter_mut().filter_map(|column| match column {
            Column::Quasi { values, .. } => Some(std::mem::take(values)),
            _ => None,
        });
        let texts: Vec<Vec<Option<Box<str>>>> = quasi.map(Values::spell).collect();
        let rows = by_number(&self.class_of_row, &sizes);
        let (mut key, mut first) = (Vec::new(), 0);
        for (class, size) in sizes.iter().enumerate() {
            key.clear();
            for (keys, texts) in keys.iter().zip(&texts) {
                put_text(&mut key, texts[keys[class] as usize].as_deref());
            }
            if rows.is_empty() {
                self.classes.add_key(&key, &Summary::of_count(*size))?;
                continue;
            }
            let members = &rows[first..first + *size as usize];
            first += *size as usize;
            let summary = self.summary(members);
            self.classes.add_key(&key, &summary)?;
        }
        self.hand_over_people()?;
        self.class_of_row.clear();
        self.person_of_row.clear();
        self.codes_of_row.iter_mut().for_each(Vec::clear);
        Ok(())
    }

    fn summary(&self, rows: &[u32]) -> Summary {
        let n = rows.len() as u64;
        if self.person_of_row.is_empty() {
            let count = |codes: &Vec<u32>| {
                Histogram::from_counts(rows.iter().map(|row| (codes[*row as usize], 1)))
            };
            return Summary::of_histograms(n, self.codes_of_row.iter().map(count).collect());
        }
        let person = |row: &u32| self.person_of_row[*row as usize];
        let people: Vec<u64> = rows.iter().map(person).collect();
        let count = |codes: &Vec<u32>| {
            Histogram::of_people(
                rows.iter().map(|row| (codes[*row as usize], person(row))).collect(),
            )
        };
        Summary::of_subjects(n, self.codes_of_row.iter().map(count).collect(), people)
    }

    /// Pass on the sensitive values of each person in this run.
    fn hand_over_people(&mut self) -> Result<()> {
        let Some(runs) = &mut self.people else { return Ok(()) };
        let mut rows: Vec<u32> = (0..self.person_of_row.len() as u32).collect();
        rows.par_sort_unstable_by_key(|row| self.person_of_row[*row as usize]);
        for rows in
            rows.chunk_by(|a, b| self.person_of_row[*a as usize] == self.person_of_row[*b as usize])
        {
            let count = |codes: &Vec<u32>| {
                Histogram::from_counts(rows.iter().map(|row| (codes[*row as usize], 1)))
            };
            let histograms = self.codes_of_row.iter().map(count).collect();
            let person = self.person_of_row[rows[0] as usize];
            runs.add_key(
                &person.to_le_bytes(),
                &Summary::of_histograms(rows.len() as u64, histograms),
            )?;
        }
        Ok(())
    }

    /// Finish reading, and return what was found about sensitive columns, in file order.
    pub fn finish(
        mut self,
        name_of_subject: Option<&str>,
    ) -> Result<(ClassRuns, Option<ClassRuns>, Vec<Sensitive>, u64)> {
        self.flush()?;
        let mut sensitive = Vec::new();
        for column in self.columns {
            match column {
                Column::Sensitive { found, .. } => sensitive.push(found),
                Column::Subject { n_missing, .. } if n_missing > 0 => {
                    let name = name_of_subject.unwrap_or_default();
                    return Err(Error::input(format!(
                        "subject column '{name}' is missing in {n_missing} rows"
                    ))
                    .hint("every row must say which person it belongs to"));
                }
                _ => {}
            }
        }
        Ok((self.classes, self.people, sensitive, self.n_rows))
    }
}

fn n_quasi(columns: &[Column]) -> usize {
    columns.iter().filter(|column| matches!(column, Column::Quasi { .. })).count()
}

/// The rows of class 0, then those of class 1, and so on.
fn by_number(class_of_row: &[u32], sizes: &[u64]) -> Vec<u32> {
    let mut next: Vec<u64> = Vec::with_capacity(sizes.len());
    let mut sum = 0;
    for size in sizes.iter().take(if class_of_row.is_empty() { 0 } else { sizes.len() }) {
        next.push(sum);
        sum += size;
    }
    let mut rows = vec![0; class_of_row.len()];
    for (row, class) in (0..).zip(class_of_row) {
        let place = &mut next[*class as usize];
        rows[*place as usize] = row;
        *place += 1;
    }
    rows
}

/// The person of each row of a block, and the number of rows without one.
fn persons(
    canonical: Canonical,
    cells: &LocalCells<'_>,
    missing: &MissingCells<'_>,
    people: &mut Vec<u64>,
) -> u64 {
    people.clear();
    match cells {
        LocalCells::Texts { codes, texts, null } => {
            let mut n_missing = 0;
            let is_missing = |text: &str| (missing.text)(text) || (missing.text)(text.trim());
            let person = |(code, text): (u32, &str)| match Some(code) == *null || is_missing(text) {
                true => None,
                false => Some(subject(canonical, text)),
            };
            let known: Vec<Option<u64>> = (0..).zip(texts.iter()).map(person).collect();
            people.extend(codes.iter().map(|code| {
                let person = known[*code as usize];
                n_missing += u64::from(person.is_none());
                person.unwrap_or_default()
            }));
            n_missing
        }
        LocalCells::Integers { values, is_null } => {
            people.extend(values.iter().map(|value| *value as u64));
            let is_missing = |(row, value): &(usize, &i64)| {
                is_null.is_some_and(|nulls| nulls[*row]) || missing.numbers.contains(value)
            };
            values.iter().enumerate().filter(is_missing).count() as u64
        }
    }
}
