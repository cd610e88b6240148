//! Applies a recoding: renders the published values and writes the rows, shuffled, to a temporary file.
//!
//! Nothing here decides anything, and nothing here makes the file visible under its final name.

use std::path::Path;

use rand_chacha::ChaCha20Rng;
use rand_chacha::rand_core::{Rng, SeedableRng};
use rayon::prelude::*;

use sfumato_core::column::Dictionary;
use sfumato_core::dataset::{Column, Role, Table};
use sfumato_core::observer::{Observer, Unit};
use sfumato_core::recoding::{Recoding, SUPPRESSED};
use sfumato_core::{Error, Result, with_codes};
use sfumato_io::{AtomicFile, ColumnSource, WriteColumn, WriteOptions, format_of_destination, write_rows};

use crate::job::Job;
use crate::paths::resolve;
use crate::stage::encode::Encoded;

/// A release that nobody has checked yet, in a temporary file.
pub struct Candidate {
    /// The temporary file.
    pub file: AtomicFile,
    /// For each row of the file, the row of the input it came from.
    pub order: Vec<u32>,
    /// How to read the file back.
    pub options: WriteOptions,
    /// Whether the release goes to standard output.
    pub to_stdout: bool,
}

/// Write a release to a temporary file beside its destination.
pub fn apply(
    job: &Job,
    encoded: &Encoded,
    recoding: &dyn Recoding,
    observer: &dyn Observer,
) -> Result<Candidate> {
    let destination = resolve(&job.base, &job.output.path);
    let to_stdout = destination == "-";
    let (format, compression) = if to_stdout {
        let format = encoded.source.format.parse()?;
        (format, None)
    } else {
        format_of_destination(&destination)?
    };
    let options = WriteOptions {
        format,
        compression,
        delimiter: encoded.source.delimiter.unwrap_or(b','),
        crlf: encoded.source.crlf,
    };
    let mut file =
        if to_stdout { AtomicFile::create_anywhere()? } else { AtomicFile::create(Path::new(&destination), false)? };
    let order = release_order(job, recoding)?;
    let published = publish(&encoded.table, recoding);
    let columns: Vec<WriteColumn<'_>> = published.iter().map(Published::as_write_column).collect();
    observer.begin("write", order.len() as u64, Unit::Rows);
    let written = write_rows(&mut file, &columns, &order, &options, observer);
    observer.end();
    written?;
    Ok(Candidate { file, order, options, to_stdout })
}

/// The rows that are published, in the order in which they leave: random, so that order gives nobody away.
pub fn release_order(job: &Job, recoding: &dyn Recoding) -> Result<Vec<u32>> {
    let mut order: Vec<u32> = recoding
        .class_of_row()
        .iter()
        .enumerate()
        .filter(|(_, class)| **class != SUPPRESSED)
        .map(|(row, _)| row as u32)
        .collect();
    if !job.output.keep_order {
        shuffle(&mut order, &mut generator(job.run.seed)?);
    }
    Ok(order)
}

/// The generator of protecting randomness: the operating system's seed, unless one was asked for.
pub fn generator(seed: Option<u64>) -> Result<ChaCha20Rng> {
    if let Some(seed) = seed {
        return Ok(ChaCha20Rng::seed_from_u64(seed));
    }
    let mut bytes = [0u8; 32];
    getrandom::fill(&mut bytes)
        .map_err(|error| Error::resources(format!("the operating system gave no random numbers: {error}")))?;
    Ok(ChaCha20Rng::from_seed(bytes))
}

/// Fisher and Yates, with our own rejection so that a seed gives the same order whatever version of a library.
fn shuffle(rows: &mut [u32], generator: &mut ChaCha20Rng) {
    for i in (1..rows.len()).rev() {
        let bound = i as u64 + 1;
        // The low part of a 32 x 64 bit product, rejected where it would favour small numbers.
        let j = loop {
            let product = u64::from(generator.next_u32()) * bound;
            if (product as u32) >= ((1u64 << 32) % bound) as u32 {
                break product >> 32;
            }
        };
        rows.swap(i, j as usize);
    }
}

/// A column ready to be written: the text of each code, and how a row gets its code.
pub struct Published<'a> {
    name: &'a str,
    values: Dictionary,
    null: Option<u32>,
    native_type: Option<&'a str>,
    source: Box<dyn ColumnSource + Send + 'a>,
}

impl Published<'_> {
    fn as_write_column(&self) -> WriteColumn<'_> {
        WriteColumn {
            name: self.name,
            values: &self.values,
            null: self.null,
            native_type: self.native_type,
            source: self.source.as_ref(),
        }
    }
}

/// Render all columns of a release.
pub fn publish<'a>(table: &'a Table, recoding: &'a dyn Recoding) -> Vec<Published<'a>> {
    let mut quasi = 0;
    let mut jobs: Vec<(&Column, Option<usize>)> = Vec::new();
    for column in &table.columns {
        jobs.push((column, (column.role == Role::Quasi).then_some(quasi)));
        quasi += usize::from(column.role == Role::Quasi);
    }
    jobs.par_iter()
        .map(|(column, quasi)| match quasi {
            Some(quasi) => publish_quasi(column, recoding, *quasi),
            None => publish_unchanged(column),
        })
        .collect()
}

fn publish_quasi<'a>(column: &'a Column, recoding: &'a dyn Recoding, quasi: usize) -> Published<'a> {
    let recoded = recoding.column(quasi);
    let null = recoded.values.iter().position(|value| *value == sfumato_core::recoding::Value::Missing);
    Published {
        name: &column.name,
        values: recoded.values.iter().map(|value| value.render(column)).collect(),
        null: null.map(|code| code as u32),
        native_type: None,
        source: Box::new(OfClass { class_of_row: recoding.class_of_row(), of_class: &recoded.of_class }),
    }
}

fn publish_unchanged(column: &Column) -> Published<'_> {
    let mut values = column.domain.labels.clone();
    values.push(&column.missing_text);
    Published {
        name: &column.name,
        values,
        null: Some(column.domain.missing()),
        native_type: column.native_type.as_deref(),
        source: Box::new(OfRow { column }),
    }
}

/// A row's code is that of its class.
struct OfClass<'a> {
    class_of_row: &'a [u32],
    of_class: &'a [u32],
}

impl ColumnSource for OfClass<'_> {
    fn codes(&self, rows: &[u32], out: &mut Vec<u32>) {
        out.extend(rows.iter().map(|&row| self.of_class[self.class_of_row[row as usize] as usize]));
    }
}

/// A row's code is its own.
struct OfRow<'a> {
    column: &'a Column,
}

impl ColumnSource for OfRow<'_> {
    fn codes(&self, rows: &[u32], out: &mut Vec<u32>) {
        with_codes!(&self.column.codes, codes => {
            out.extend(rows.iter().map(|&row| sfumato_core::column::Code::widen(codes[row as usize])));
        });
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shuffling_is_a_permutation_that_a_seed_repeats() {
        let shuffled = |seed| {
            let mut rows: Vec<u32> = (0..1000).collect();
            shuffle(&mut rows, &mut generator(Some(seed)).unwrap());
            rows
        };
        assert_eq!(shuffled(7), shuffled(7));
        assert_ne!(shuffled(7), shuffled(8));
        let mut sorted = shuffled(7);
        sorted.sort_unstable();
        assert_eq!(sorted, (0..1000).collect::<Vec<u32>>());
    }

    #[test]
    fn every_place_is_equally_likely() {
        // 6 orders of 3 rows, 6,000 draws: each about 1,000 times (5 standard deviations are 145).
        let mut random = generator(Some(1)).unwrap();
        let mut counts = std::collections::BTreeMap::new();
        for _ in 0..6000 {
            let mut rows = [0, 1, 2];
            shuffle(&mut rows, &mut random);
            *counts.entry(rows).or_insert(0i32) += 1;
        }
        assert_eq!(counts.len(), 6);
        assert!(counts.values().all(|n| (n - 1000).abs() < 145), "{counts:?}");
    }
}
