//! Puts the records into the order in which they leave, before anything is written.
//!
//! Order gives people away, so it is random. The table itself is reordered, column by column: each column is read at
//! random once, while it fits the cache, and writing, verifying and measuring then run straight through memory.

use rand_chacha::ChaCha20Rng;
use rand_chacha::rand_core::{Rng, SeedableRng};
use rayon::prelude::*;
use sfumato_core::dataset::Table;
use sfumato_core::recoding::{Recoding, SUPPRESSED};
use sfumato_core::{Error, Result, with_codes};

use crate::class_index::{HASH_START, mix};
use crate::job::Job;

/// How many records of a reordered table are published: they come first, the suppressed ones last.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Published {
    /// The first so many rows are the release.
    pub rows: usize,
}

/// Bring table and recoding into the order of the release.
pub fn reorder(job: &Job, table: &mut Table, recoding: &mut dyn Recoding) -> Result<Published> {
    let mut generator = match job.output.keep_order {
        true => None,
        false => Some(generator(job.run.seed)?),
    };
    reorder_by(generator.as_mut(), table, recoding)
}

/// Bring table and recoding into a random order, or leave the published records in theirs without a generator.
pub fn reorder_by(
    generator: Option<&mut ChaCha20Rng>,
    table: &mut Table,
    recoding: &mut dyn Recoding,
) -> Result<Published> {
    check_shape(table, recoding)?;
    let classes = recoding.class_of_row();
    let (order, rows) = order_of(generator, table.n_rows, |row| classes[row as usize] != SUPPRESSED);
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
    Ok(Published { rows })
}

/// The rows in the order in which they leave, the suppressed ones last; and how many leave.
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

/// An algorithm may be wrong about anything; it must not make us read past an end.
fn check_shape(table: &Table, recoding: &dyn Recoding) -> Result<()> {
    let lie = |what: &str| {
        Error::internal(format!("the algorithm gave a recoding that {what}; nothing was written"))
    };
    let n_classes = recoding.n_classes() as u32;
    if recoding.class_of_row().len() != table.n_rows {
        return Err(lie("hasn't one class per record"));
    }
    if recoding.class_of_row().iter().any(|class| *class != SUPPRESSED && *class >= n_classes) {
        return Err(lie("puts a record into a class that isn't there"));
    }
    if !recoding.is_exact() && recoding.n_columns() != table.quasi().len() {
        return Err(lie("hasn't one value per quasi column"));
    }
    for column in (0..recoding.n_columns()).map(|quasi| recoding.column(quasi)) {
        let n_values = column.values.len();
        if column.of_class.len() != n_classes as usize
            || column.of_class.iter().any(|v| *v as usize >= n_values)
        {
            return Err(lie("hasn't one value per class"));
        }
    }
    Ok(())
}

/// The sum of a hash of each record, its class included: the same for any order of whole records.
fn fingerprint(table: &Table, recoding: &dyn Recoding) -> u64 {
    const CHUNK: usize = 8192;
    recoding
        .class_of_row()
        .par_chunks(CHUNK)
        .enumerate()
        .map(|(chunk, classes)| {
            let rows = chunk * CHUNK..chunk * CHUNK + classes.len();
            let mut hashes: Vec<u64> = classes.iter().map(|class| mix(HASH_START, u64::from(*class))).collect();
            for codes in table.columns.iter().map(|column| &column.codes).chain(&table.subject) {
                with_codes!(codes, codes => {
                    let cells = &codes[rows.clone()];
                    hashes.iter_mut().zip(cells).for_each(|(hash, code)| *hash = mix(*hash, u64::from(*code)));
                });
            }
            hashes.into_iter().fold(0u64, u64::wrapping_add)
        })
        .reduce(|| 0, u64::wrapping_add)
}

/// The generator of protecting randomness: the operating system's seed, unless one was asked for.
pub(crate) fn generator(seed: Option<u64>) -> Result<ChaCha20Rng> {
    if let Some(seed) = seed {
        return Ok(ChaCha20Rng::seed_from_u64(seed));
    }
    let mut bytes = [0u8; 32];
    getrandom::fill(&mut bytes)
        .map_err(|error| Error::resources(format!("the operating system gave no random numbers: {error}")))?;
    Ok(ChaCha20Rng::from_seed(bytes))
}

/// Fisher and Yates, with our own rejection so that a seed gives the same order whatever version of a library.
pub(crate) fn shuffle(rows: &mut [u32], generator: &mut ChaCha20Rng) {
    for i in (1..rows.len()).rev() {
        let bound = i as u64 + 1;
        // The high part of a product is a number below `bound`; low parts that would favour some numbers are drawn again.
        let j = loop {
            let product = u64::from(generator.next_u32()) * bound;
            let low = u64::from(product as u32);
            if low >= bound || low >= (1u64 << 32) % bound {
                break product >> 32;
            }
        };
        rows.swap(i, j as usize);
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
