//! Sizes of classes for the figures of a report.

use rayon::prelude::*;
use sfumato_core::column::{Code, Codes};
use sfumato_core::traits::ClassSizes;
use sfumato_core::with_codes;
use sfumato_engine::hash::HASH_START;

use sfumato_engine::hash::mix;

/// The number of rows whose hashes are computed together.
const CHUNK: usize = 8192;
/// The number of shares in which hashes are processed, a few at a time, so that only a part of them
/// is in memory.
const SHARES: u64 = 8;

/// Sizes of the classes of rows with equal codes, in people if a subject is given.
///
/// For figures of a report, not for promises: rows are told apart by a 64-bit hash, which confuses
/// two of 20 million different rows with a chance of 1 in 90,000.
pub fn class_sizes(columns: &[&Codes], n_rows: usize, subject: Option<&Codes>) -> ClassSizes {
    let of_share = |share| ClassSizes::from_sizes(sizes_of_share(columns, n_rows, subject, share));
    let shares: Vec<ClassSizes> = (0..SHARES).into_par_iter().map(of_share).collect();
    ClassSizes::from_counts(shares.iter().flat_map(ClassSizes::iter))
}

/// The sizes of classes whose hashes fall into one share.
fn sizes_of_share(
    columns: &[&Codes],
    n_rows: usize,
    subject: Option<&Codes>,
    share: u64,
) -> Vec<u64> {
    let mut mine: Vec<(u64, u32)> = Vec::new();
    let mut hashes: Vec<u64> = Vec::new();
    let mut alone: Vec<u64> = Vec::with_capacity(n_rows / SHARES as usize);
    for first in (0..n_rows).step_by(CHUNK) {
        let rows = first..(first + CHUNK).min(n_rows);
        hashes.clear();
        hashes.resize(rows.len(), HASH_START);
        for column in columns {
            with_codes!(column, codes => {
                let cells = &codes[rows.clone()];
                hashes.iter_mut().zip(cells)
                    .for_each(|(hash, code)| *hash = mix(*hash, u64::from(code.widen())));
            });
        }
        let taken = hashes.iter().enumerate().filter(|(_, hash)| **hash >> 61 == share);
        match subject {
            None => alone.extend(taken.map(|(_, hash)| *hash)),
            Some(subject) => mine.extend(taken.map(|(i, hash)| (*hash, subject.get(first + i)))),
        }
    }
    if subject.is_none() {
        alone.sort_unstable();
        return alone.chunk_by(|a, b| a == b).map(|class| class.len() as u64).collect();
    }
    mine.sort_unstable();
    mine.dedup();
    mine.chunk_by(|a, b| a.0 == b.0).map(|class| class.len() as u64).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use std::collections::{BTreeMap, BTreeSet};

    proptest! {
        #[test]
        fn sizes_agree_with_a_map(
            rows in prop::collection::vec((0u8..5, 0u8..4, 0u8..6), 0..400), with_subject: bool,
        ) {
            let a = Codes::U8(rows.iter().map(|r| r.0).collect());
            let b = Codes::U8(rows.iter().map(|r| r.1).collect());
            let subject = Codes::U8(rows.iter().map(|r| r.2).collect());
            let mut naive: BTreeMap<(u8, u8), BTreeSet<usize>> = BTreeMap::new();
            for (i, row) in rows.iter().enumerate() {
                naive.entry((row.0, row.1)).or_default()
                    .insert(if with_subject { row.2 as usize } else { i });
            }
            let expected = ClassSizes::from_sizes(naive.values().map(|people| people.len() as u64));
            let sizes = class_sizes(&[&a, &b], rows.len(), with_subject.then_some(&subject));
            prop_assert_eq!(sizes, expected);
        }
    }
}
