//! Measures what a bitmap release really promises, from its files and the original, whoever made it.

use rayon::prelude::*;
use serde::Serialize;
use sfumato_core::observer::{Observer, Renamed};
use sfumato_core::sets::{Hiding, SetRequirements, Transactions};
use sfumato_core::{Error, Result, with_sets};
use sfumato_report as shown;

use crate::data::read::{Loaded, load};
use crate::forms::subsets::report::guarantee;
use crate::forms::subsets::verify::SetGuarantee;
use sfumato_engine::job::{BasketSpec, InputSpec};
use sfumato_kernels::assignments::{AT_FIRST, Choices, most_assignments, most_pairs};

use super::admitted::Index;
use super::files::labels;
use super::read::{Release, open, sensitive_items};

/// What to audit, and against what.
#[derive(Debug, Clone, Default)]
pub struct BitmapAuditRequest {
    /// The folder of the release.
    pub input: InputSpec,
    /// Models that must hold.
    pub models: Vec<String>,
    /// The data that it was made from, and how they lie in their file.
    pub original: Option<(InputSpec, BasketSpec)>,
}

/// What a bitmap release promises.
#[derive(Debug, Clone, Serialize)]
pub struct BitmapAudit {
    /// The folder.
    pub path: String,
    /// Its rows.
    pub rows: u64,
    /// Different items of base and distance sets.
    pub items: u64,
    /// Different sensitive items.
    pub sensitive_items: u64,
    /// Items of a base set, on average.
    pub mean_base: f64,
    /// Items in which a base set may be wrong, on average.
    pub mean_distance: f64,
    /// In how many of them at most, on average.
    pub mean_threshold: f64,
    /// The largest threshold.
    pub largest_threshold: u32,
    /// Rows that can't be wrong.
    pub exact_rows: u64,
    /// Whether each record can be given a row of its own that it is a possible world of and that has its sensitive items; not said without the original.
    pub is_true: Option<bool>,
    /// The models asked for, and whether they hold.
    pub guarantees: Vec<shown::Guarantee>,
    /// Whether all of them hold.
    pub holds: bool,
}

/// Audit a folder.
pub fn audit(request: &BitmapAuditRequest, observer: &dyn Observer) -> Result<BitmapAudit> {
    let requirements = match request.models.is_empty() {
        true => SetRequirements::default(),
        false => crate::models::bind(&request.models)?,
    };
    let asked = requirements.all.iter().flat_map(|requirement| requirement.asks());
    let is_other = |hiding: &Hiding| !matches!(hiding, Hiding::Matches | Hiding::Labels);
    if let Some((other, _)) = asked.into_iter().find(|(hiding, _)| is_other(hiding)) {
        return Err(Error::unsupported(format!(
            "a bitmap release promises nothing about {}",
            other.describe()
        ))
        .hint("ask for nonreciprocal-k-anonymity(k=...)"));
    }
    if !requirements.all.is_empty() && request.original.is_none() {
        return Err(Error::params("whom a row hides can't be told from a bitmap release alone")
            .hint("say what it was made from with --original FILE --baskets FORM"));
    }
    let path = &request.input.path;
    let original = match &request.original {
        None => None,
        Some((input, spec)) => {
            let spec = BasketSpec { sensitive: sensitive_items(path)?, utilities: None, ..spec.clone() };
            Some(load(input, &spec, None, false, &Renamed { step: "read the original", inner: observer })?)
        }
    };
    let known = original.as_ref().map(|loaded| &loaded.baskets.items.names[..]);
    let release = open(path, known, observer)?;
    let mut guarantees = Vec::new();
    let mut is_true = None;
    if let Some(loaded) = &original {
        let against = Against::new(&release, loaded)?;
        is_true = Some(against.is_true());
        for requirement in &requirements.all {
            for (hiding, required) in requirement.asks() {
                let (achieved, violations) = match hiding {
                    Hiding::Labels => against.labels(required)?,
                    _ => against.matches(required)?,
                };
                let found = SetGuarantee {
                    model: requirement.model(),
                    requirement: requirement.describe(),
                    hiding,
                    required,
                    achieved,
                    violations,
                };
                guarantees.push(guarantee(&found, "found in the files, against the original"));
            }
        }
    }
    let bitmaps = &release.bitmaps;
    let n = bitmaps.len().max(1) as f64;
    let threshold = &bitmaps.threshold;
    let mut used = bitmaps.base.counts();
    used.iter_mut().zip(bitmaps.distance.counts()).for_each(|(n, more)| *n += more);
    let different = |sets: &Transactions| sets.counts().iter().filter(|n| **n > 0).count() as u64;
    Ok(BitmapAudit {
        path: path.clone(),
        rows: bitmaps.len() as u64,
        items: used.iter().filter(|n| **n > 0).count() as u64,
        sensitive_items: release.sensitive.as_ref().map_or(0, different),
        mean_base: bitmaps.base.n_instances() as f64 / n,
        mean_distance: bitmaps.distance.n_instances() as f64 / n,
        mean_threshold: threshold.iter().map(|t| u64::from(*t)).sum::<u64>() as f64 / n,
        largest_threshold: threshold.iter().copied().max().unwrap_or(0),
        exact_rows: threshold.iter().filter(|t| **t == 0).count() as u64,
        is_true,
        holds: guarantees.iter().all(|guarantee| guarantee.holds) && is_true != Some(false),
        guarantees,
    })
}

/// A release beside its original.
struct Against<'a> {
    release: &'a Release,
    original: &'a Transactions,
    sensitive: Option<&'a Transactions>,
    index: Index<'a>,
}

impl<'a> Against<'a> {
    fn new(release: &'a Release, loaded: &'a Loaded) -> Result<Self> {
        let (rows, records) = (release.bitmaps.len(), loaded.baskets.quasi.len());
        if rows != records {
            return Err(Error::input(format!(
                "the release has {rows} rows and the original {records} records"
            )));
        }
        Ok(Against {
            release,
            original: &loaded.baskets.quasi,
            sensitive: loaded.baskets.sensitive.as_ref(),
            index: Index::new(&release.bitmaps),
        })
    }

    /// At most so many rows that admit each record and suit it.
    fn lists(&self, most: usize, suits: impl Fn(usize, u32) -> bool + Sync) -> Vec<Vec<u32>> {
        with_sets!(self.original, sets => (0..sets.len())
            .into_par_iter()
            .map(|record| self.index.admitting(sets, record, most, |row| suits(record, row)))
            .collect())
    }

    /// Whether each record can have a row of its own that is true of it.
    fn is_true(&self) -> bool {
        let own = |record: usize, row: u32| match (self.sensitive, &self.release.sensitive) {
            (Some(truth), Some(read)) => truth.set(record) == read.set(row as usize),
            (truth, read) => truth.is_none() && read.is_none(),
        };
        let n = self.original.len();
        let is_possible = |most| most_pairs(&Choices::new(&self.lists(most, own)), n, 1) == n as u64;
        is_possible(2 * AT_FIRST) || is_possible(usize::MAX)
    }

    /// In how many disjoint assignments all records match, up to so many; and how many records have too few matches, or 1 where only the
    /// assignments are missing.
    fn matches(&self, k: u64) -> Result<(u64, u64)> {
        most_assignments(self.original.len(), k, |most| self.lists(most, |_, _| true))
    }

    /// The least number of different labels among the rows that a record matches, up to so many, and how many records have fewer.
    fn labels(&self, l: u64) -> Result<(u64, u64)> {
        let Some(sensitive) = &self.release.sensitive else { return Ok((0, self.original.len() as u64)) };
        let labels = labels(sensitive)?;
        let different = |rows: &Vec<u32>| {
            let mut met: Vec<u32> = rows.iter().map(|row| labels[*row as usize]).collect();
            met.sort_unstable();
            met.dedup();
            (met.len() as u64).min(l)
        };
        let lists = self.lists(usize::MAX, |_, _| true);
        let counts: Vec<u64> = lists.par_iter().map(different).collect();
        let least = counts.iter().copied().min().unwrap_or(0);
        Ok((least, counts.iter().filter(|n| **n < l).count() as u64))
    }
}
