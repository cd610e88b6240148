//! Reads a release of subsets back from the bytes of its draft, and checks that it is true: row i
//! of the file is a subset of record `order[i]`, and its sensitive items are that record's. Its
//! promises are judged later, on what was read here.

use rayon::prelude::*;
use sfumato_core::observer::{Observer, Renamed};
use sfumato_core::traits::ClassSizes;
use sfumato_core::transactions::Transactions;
use sfumato_core::{Error, Result, with_sets};
use sfumato_engine::draft::Draft;
use sfumato_engine::form::Written;
use sfumato_engine::verify::{cant_read_back, failed_verification};
use sfumato_io::{BasketLayout, BasketOptions, BasketWriteOptions, ReadOptions, read_baskets};

use super::Subsets;
use super::alike::Alike;
use super::subset::is_subset;
use crate::data::read::split;
use crate::forms::combinations::{Answered, Combinations};
use crate::kind::Baskets;

/// What the bytes of a draft say, after it was compared with the original.
pub struct SetRead {
    /// The quasi items of each row, in the codes of the original.
    pub rows: Transactions,
    /// The sensitive items of each row, if any item is sensitive.
    pub sensitive: Option<Transactions>,
    /// What was counted of combinations.
    pub answered: Answered,
    /// Which rows have the same set.
    pub alike: Alike,
    /// The sizes of classes: how many rows have the same set.
    pub classes: ClassSizes,
    /// The number of published instances of every item, quasi and sensitive.
    pub kept: Vec<u64>,
    /// The number of records with quasi items that are published without any.
    pub emptied: u64,
    /// The SHA-256 hash of the file.
    pub sha256: String,
    /// The size of the file in bytes.
    pub bytes: u64,
    /// The number of items compared with the original.
    pub instances: u64,
}

impl SetRead {
    /// The rows as combinations of items are counted in them.
    pub fn combinations(&self) -> Combinations<'_> {
        let sensitive = self.sensitive.as_ref();
        let (rows, alike, answered) = (&self.rows, &self.alike, &self.answered);
        Combinations { rows, alike, sensitive, answered }
    }
}

/// Read a draft back and compare it with its original.
pub fn read_back(
    written: &Written<'_, Baskets, Subsets>,
    draft: &Draft,
    observer: &dyn Observer,
) -> Result<SetRead> {
    let (baskets, layout) = (&written.data.baskets, &written.data.release_layout);
    let order = &written.witness.order;
    let options = BasketOptions {
        records: Some(order.len() as u64),
        ..read_options(layout, &written.witness.options)
    };
    let observer = Renamed { step: "verify", inner: observer };
    let path = draft.path()?.display().to_string();
    let read = read_baskets(&path, layout, &options, &observer)?;
    let (sha256, bytes) = (read.source.sha256.clone(), read.source.bytes);
    let rows = read.with_names(&baskets.items.names).map_err(cant_read_back)?;
    if rows.len() != order.len() {
        return Err(failed_verification(&format!(
            "{} records were published and {} are in the file",
            order.len(),
            rows.len()
        )));
    }
    let (kept, instances) = (rows.counts(), rows.n_instances());
    let (rows, sensitive) = split(rows, &baskets.items.roles, &[]);
    let emptied = check_truth(&baskets.quasi, &rows, order)?;
    check_sensitive(baskets.sensitive.as_ref(), sensitive.as_ref(), order)?;
    if let Some(most) = written.plan.max_empty.filter(|most| emptied > *most) {
        return Err(Error::infeasible(format!(
            "{emptied} records would be published without any item, {most} may be suppressed"
        ))
        .hint(
            "allow more with --max-suppression, ask for a smaller k, or take another algorithm",
        ));
    }
    let alike = Alike::of(&rows);
    let classes = ClassSizes::from_sizes(alike.copies.iter().map(|copies| u64::from(*copies)));
    let answered = Answered::default();
    Ok(SetRead {
        rows,
        sensitive,
        answered,
        alike,
        classes,
        kept,
        emptied,
        sha256,
        bytes,
        instances,
    })
}

/// The options for reading a draft that was written with the given options. Nothing is guessed.
pub fn read_options(layout: &BasketLayout, written: &BasketWriteOptions) -> BasketOptions {
    let is_lines = matches!(layout, BasketLayout::Lines { .. });
    BasketOptions {
        file: ReadOptions {
            format: (!is_lines).then_some(written.file.format),
            delimiter: Some(written.file.delimiter),
            header: Some(true),
            ..ReadOptions::default()
        },
        ..BasketOptions::default()
    }
}

/// Check that every row is a subset of its record. Returns how many rows are empty whose record
/// isn't.
fn check_truth(original: &Transactions, rows: &Transactions, order: &[u32]) -> Result<u64> {
    with_sets!(rows, rows => with_sets!(original, original => {
        (0..rows.len()).into_par_iter().map(|row| {
            let (published, record) = (rows.get(row), original.get(order[row] as usize));
            if !is_subset(published, record) {
                let what = format!("row {} has an item that its record hasn't", row + 1);
                return Err(failed_verification(&what));
            }
            Ok(u64::from(published.is_empty() && !record.is_empty()))
        }).try_reduce(|| 0, |a, b| Ok(a + b))
    }))
}

/// Check that the sensitive items of every row are those of its record.
pub(crate) fn check_sensitive(
    original: Option<&Transactions>,
    rows: Option<&Transactions>,
    order: &[u32],
) -> Result<()> {
    let (Some(original), Some(rows)) = (original, rows) else {
        return if original.is_none() && rows.is_none() {
            Ok(())
        } else {
            Err(failed_verification("a sensitive item was added or is missing"))
        };
    };
    let differing = with_sets!(rows, rows => with_sets!(original, original => {
        (0..rows.len()).into_par_iter().find_first(|row| {
            let (published, record) = (rows.get(*row), original.get(order[*row] as usize));
            published.len() != record.len() || !is_subset(published, record)
        })
    }));
    match differing {
        Some(row) => Err(failed_verification(&format!(
            "the sensitive items of row {} aren't those of its record",
            row + 1
        ))),
        None => Ok(()),
    }
}
