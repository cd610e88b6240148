//! Verifies a release of baskets: reads the bytes of the temporary file back and checks two things.
//!
//! Privacy: every model holds on the sets that a recipient sees. Truth: row i of the file is a subset of record `order[i]`, and its
//! sensitive items are that record's. Nothing is taken from the algorithm but hints at where to look.

use rayon::prelude::*;
use sfumato_core::observer::{Observer, Renamed};
use sfumato_core::sets::{Hiding, Published, SetRequirements, Transactions};
use sfumato_core::traits::ClassSizes;
use sfumato_core::{Error, Result, with_sets};
use sfumato_io::ReadOptions;
use sfumato_io::{BasketForm, BasketOptions, read_baskets};

use sfumato_engine::verify::lie;

use super::alike::Alike;
use super::plan::SetPlan;
use super::publish::SetCandidate;
use super::subset::is_subset;
use super::{images, supporters};
use crate::data::read::{Loaded, split};

/// A release that was checked. Only [`verify`] makes one.
pub struct SetVerified {
    candidate: SetCandidate,
    /// What was asked and what was reached.
    pub guarantees: Vec<SetGuarantee>,
    /// How many rows have the same set.
    pub classes: ClassSizes,
    /// What is left of every item: quasi and sensitive.
    pub kept: Vec<u64>,
    /// Records with quasi items that are published without any.
    pub emptied: u64,
    /// SHA-256 of the file.
    pub sha256: String,
    /// Its size.
    pub bytes: u64,
    /// Items compared with the original.
    pub instances: u64,
}

impl SetVerified {
    /// The file, to be given its name.
    pub fn into_candidate(self) -> SetCandidate {
        self.candidate
    }
    /// Which record each row is.
    pub fn order(&self) -> &[u32] {
        &self.candidate.order
    }
}

/// A count that a model asks for, and its smallest value.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SetGuarantee {
    /// The model.
    pub model: &'static str,
    /// With its parameters.
    pub requirement: String,
    /// What is counted.
    pub hiding: Hiding,
    /// How many are asked for.
    pub required: u64,
    /// The least number found. Supporters and images are counted until there are enough.
    pub achieved: u64,
    /// How many sets, or records, have fewer.
    pub violations: u64,
}

/// Check what was written.
pub fn verify(
    plan: &SetPlan,
    loaded: &Loaded,
    published: &Published,
    candidate: SetCandidate,
    observer: &dyn Observer,
) -> Result<SetVerified> {
    let baskets = &loaded.baskets;
    let path = candidate.file.path().display().to_string();
    let options = BasketOptions {
        file: ReadOptions {
            format: (!matches!(loaded.release_form, BasketForm::Lines { .. }))
                .then_some(candidate.options.file.format),
            delimiter: Some(candidate.options.file.delimiter),
            header: Some(true),
            ..ReadOptions::default()
        },
        records: Some(candidate.order.len() as u64),
        ..BasketOptions::default()
    };
    let observer = Renamed { step: "verify", inner: observer };
    let read = read_baskets(&path, &loaded.release_form, &options, &observer)?;
    let (sha256, bytes) = (read.source.sha256.clone(), read.source.bytes);
    let rows = read.with_names(&baskets.items.names).map_err(|error| lie(&error.message))?;
    if rows.len() != candidate.order.len() {
        return Err(lie(&format!(
            "{} records were published and {} are in the file",
            candidate.order.len(),
            rows.len()
        )));
    }
    let (kept, instances) = (rows.counts(), rows.n_instances());
    let (rows, sensitive) = split(rows, &baskets.items.roles, &[]);
    let emptied = check_truth(&baskets.quasi, &rows, &candidate.order)?;
    check_sensitive(baskets.sensitive.as_ref(), sensitive.as_ref(), &candidate.order)?;
    if let Some(most) = plan.max_empty.filter(|most| emptied > *most) {
        return Err(Error::infeasible(format!(
            "{emptied} records would be published without any item, {most} may be suppressed"
        ))
        .hint("allow more with --max-suppression, ask for a smaller k, or take another algorithm"));
    }
    let alike = Alike::of(&rows);
    let sources = Sources { original: &baskets.quasi, published, order: &candidate.order };
    let guarantees = judge(&plan.requirements, &rows, &alike, Some(&sources));
    if let Some(broken) = guarantees.iter().find(|guarantee| guarantee.violations > 0) {
        return Err(lie(&format!(
            "{} doesn't hold {} times in the written file: {} are {}, required {}",
            broken.requirement,
            broken.violations,
            broken.hiding.describe(),
            broken.achieved,
            broken.required
        )));
    }
    let classes = ClassSizes::from_sizes(alike.copies.iter().map(|copies| u64::from(*copies)));
    Ok(SetVerified { candidate, guarantees, classes, kept, emptied, sha256, bytes, instances })
}

/// That every row is a subset of its record; how many are empty and needn't be.
fn check_truth(original: &Transactions, rows: &Transactions, order: &[u32]) -> Result<u64> {
    with_sets!(rows, rows => with_sets!(original, original => {
        (0..rows.len()).into_par_iter().map(|row| {
            let (published, record) = (rows.get(row), original.get(order[row] as usize));
            if !is_subset(published, record) {
                return Err(lie(&format!("row {} has an item that its record hasn't", row + 1)));
            }
            Ok(u64::from(published.is_empty() && !record.is_empty()))
        }).try_reduce(|| 0, |a, b| Ok(a + b))
    }))
}

/// That the sensitive items of every row are those of its record.
fn check_sensitive(
    original: Option<&Transactions>,
    rows: Option<&Transactions>,
    order: &[u32],
) -> Result<()> {
    let (Some(original), Some(rows)) = (original, rows) else {
        return if original.is_none() && rows.is_none() {
            Ok(())
        } else {
            Err(lie("sensitive items came or went"))
        };
    };
    let differing = with_sets!(rows, rows => with_sets!(original, original => {
        (0..rows.len()).into_par_iter().find_first(|row| {
            let (published, record) = (rows.get(*row), original.get(order[*row] as usize));
            published.len() != record.len() || !is_subset(published, record)
        })
    }));
    match differing {
        Some(row) => Err(lie(&format!("the sensitive items of row {} aren't those of its record", row + 1))),
        None => Ok(()),
    }
}

/// Where a release comes from, when that is known row by row.
pub struct Sources<'a> {
    /// The quasi items of all original records.
    pub original: &'a Transactions,
    /// What was decided: it may name supporters.
    pub published: &'a Published,
    /// Which record each row is.
    pub order: &'a [u32],
}

/// Every count that is asked for. Without the sources only those that the release itself shows.
pub fn judge(
    requirements: &SetRequirements,
    rows: &Transactions,
    alike: &Alike,
    sources: Option<&Sources<'_>>,
) -> Vec<SetGuarantee> {
    let mut guarantees = Vec::new();
    for requirement in &requirements.all {
        for (hiding, required) in requirement.asks() {
            let (achieved, violations) = match (hiding, sources) {
                (Hiding::Copies, _) => least(alike.copies.iter().map(|copies| u64::from(*copies)), required),
                (Hiding::Supporters, Some(sources)) => {
                    let named = |row: usize| match &sources.published.witnesses {
                        Some(witnesses) => {
                            witnesses.of(sources.published.of_record[sources.order[row] as usize] as usize)
                        }
                        None => &[],
                    };
                    least(
                        supporters::count(sources.original, rows, alike, required, true, &named).into_iter(),
                        required,
                    )
                }
                (Hiding::Images, Some(sources)) => {
                    let mut row_of = vec![0; sources.order.len()];
                    sources.order.iter().zip(0..).for_each(|(record, row)| row_of[*record as usize] = row);
                    images::least(sources.original, rows, alike, required, &|record| Some(row_of[record]))
                }
                // Published sets are neither buckets nor bitmaps: plans that ask for these go other ways.
                (Hiding::Supporters | Hiding::Images, None)
                | (Hiding::Bystanders | Hiding::Matches | Hiding::Labels, _) => continue,
            };
            guarantees.push(SetGuarantee {
                model: requirement.model(),
                requirement: requirement.describe(),
                hiding,
                required,
                achieved,
                violations,
            });
        }
    }
    guarantees
}

/// The least count, and how many are below a number.
pub fn least(counts: impl Iterator<Item = u64>, required: u64) -> (u64, u64) {
    counts.fold((u64::MAX, 0), |(least, below), n| (least.min(n), below + u64::from(n < required)))
}
