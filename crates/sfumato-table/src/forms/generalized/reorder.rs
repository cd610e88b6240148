//! Puts the records into the order in which they are published, before anything is written.
//!
//! An order can reveal people, so it is random. The table itself is reordered, column by column:
//! each column is read at random once, while it fits the cache, and writing, verifying and
//! measuring then run straight through memory.

use rand_chacha::ChaCha20Rng;
use rayon::prelude::*;
use sfumato_core::dataset::Table;
use sfumato_core::recoding::{Recoding, SUPPRESSED};
use sfumato_core::{Error, Result, with_codes};
use sfumato_engine::random::shuffle;

use sfumato_engine::hash::{HASH_START, mix};

/// How many records of a reordered table are published: they come first, the suppressed ones last.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct PublishedRows {
    /// The number of published rows, which are the first ones.
    pub rows: usize,
}

/// Bring table and recoding into a random order, or leave the published records in theirs without a
/// generator.
pub fn reorder_by(
    generator: Option<&mut ChaCha20Rng>,
    table: &mut Table,
    recoding: &mut dyn Recoding,
) -> Result<PublishedRows> {
    check_shape(table, recoding)?;
    let classes = recoding.class_of_row();
    let (order, rows) =
        order_of(generator, table.n_rows, |row| classes[row as usize] != SUPPRESSED);
    let before = fingerprint(table, recoding);
    table.columns.par_iter_mut().for_each(|column| column.codes = column.codes.gather(&order));
    if let Some(subject) = &mut table.subject {
        *subject = subject.gather(&order);
    }
    recoding.reorder(&order);
    // Whole records moved, or truth could not be checked row by row any more.
    if fingerprint(table, recoding) != before {
        return Err(Error::internal("the records changed while they were put in order"));
    }
    Ok(PublishedRows { rows })
}

/// The rows in the order in which they are published, the suppressed ones last, and the number of
/// published rows.
pub fn order_of(
    generator: Option<&mut ChaCha20Rng>,
    n_rows: usize,
    is_published: impl Fn(u32) -> bool,
) -> (Vec<u32>, usize) {
    let mut order: Vec<u32> = (0..n_rows as u32).filter(|row| is_published(*row)).collect();
    let rows = order.len();
    if let Some(generator) = generator {
        shuffle(&mut order, generator);
    }
    if rows < n_rows {
        order.extend((0..n_rows as u32).filter(|row| !is_published(*row)));
    }
    (order, rows)
}

/// Check the shape of a recoding: an algorithm may be wrong about anything, but must not make us
/// read out of bounds.
fn check_shape(table: &Table, recoding: &dyn Recoding) -> Result<()> {
    let failed_verification = |what: &str| {
        Error::internal(format!("the algorithm gave a recoding that {what}; nothing was written"))
    };
    let n_classes = recoding.n_classes() as u32;
    if recoding.class_of_row().len() != table.n_rows {
        return Err(failed_verification("hasn't one class per record"));
    }
    if recoding.class_of_row().iter().any(|class| *class != SUPPRESSED && *class >= n_classes) {
        return Err(failed_verification("puts a record into a class that isn't there"));
    }
    if !recoding.is_exact() && recoding.n_columns() != table.quasi().len() {
        return Err(failed_verification("hasn't one value per quasi column"));
    }
    for column in (0..recoding.n_columns()).map(|quasi| recoding.column(quasi)) {
        let n_values = column.values.len();
        if column.of_class.len() != n_classes as usize
            || column.of_class.iter().any(|v| *v as usize >= n_values)
        {
            return Err(failed_verification("hasn't one value per class"));
        }
    }
    Ok(())
}

/// The sum of a hash of each record, including its class. It is the same for any order of whole
/// records.
fn fingerprint(table: &Table, recoding: &dyn Recoding) -> u64 {
    const CHUNK: usize = 8192;
    recoding
        .class_of_row()
        .par_chunks(CHUNK)
        .enumerate()
        .map(|(chunk, classes)| {
            let rows = chunk * CHUNK..chunk * CHUNK + classes.len();
            let mut hashes: Vec<u64> =
                classes.iter().map(|class| mix(HASH_START, u64::from(*class))).collect();
            for codes in table.columns.iter().map(|column| &column.codes).chain(&table.subject) {
                with_codes!(codes, codes => {
                    let cells = &codes[rows.clone()];
                    hashes.iter_mut().zip(cells)
                        .for_each(|(hash, code)| *hash = mix(*hash, u64::from(*code)));
                });
            }
            hashes.into_iter().fold(0u64, u64::wrapping_add)
        })
        .reduce(|| 0, u64::wrapping_add)
}
