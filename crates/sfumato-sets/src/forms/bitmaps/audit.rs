//! Audits a bitmap release, whoever made it: what it really promises, from its files and the
//! original.

use std::fmt::Write as _;

use serde::Serialize;
use sfumato_core::facts::Hiding;
use sfumato_core::observer::{Observer, Renamed};
use sfumato_core::transactions::Transactions;
use sfumato_core::{Error, Result};
use sfumato_engine::audit::{AuditRequest, Figures};
use sfumato_report::numbers::{count, quantity};

use super::NAME;
use super::admitted::Index;
use super::facts::{Against, AuditedBitmaps};
use super::read::{Release, open as open_release};
use crate::data::read::{input_of, load};
use crate::forms::release_file::{manifest_of_folder, original_of};
use crate::forms::{check_audit, json_of, requirements_of};
use crate::job::{BasketSpec, Job};

/// A bitmap release as it was read, and its original.
pub struct Opened {
    path: String,
    pub(super) release: Release,
    pub(super) against: Option<Against>,
}

/// Read a release, and its original if one is named. Models that it can't judge are refused first.
pub fn open(request: &AuditRequest<Job>, observer: &dyn Observer) -> Result<Opened> {
    check_audit(request)?;
    let job = &request.job;
    let requirements = requirements_of(job)?;
    let mut asked = requirements.all.iter().flat_map(|requirement| requirement.asks());
    let is_other = |hiding: &Hiding| !matches!(hiding, Hiding::Matches | Hiding::Labels);
    if let Some((other, _)) = asked.find(|(hiding, _)| is_other(hiding)) {
        return Err(Error::unsupported(format!(
            "a bitmap release promises nothing about {}",
            other.describe()
        ))
        .hint("ask for nonreciprocal-k-anonymity(k=...)"));
    }
    if !requirements.all.is_empty() && request.original.is_none() {
        return Err(Error::params("whom a row hides can't be told from a bitmap release alone")
            .hint("say what it was made from with --original FILE --baskets LAYOUT"));
    }
    let path = input_of(job).path;
    let manifest = manifest_of_folder(request.manifest.as_ref(), NAME, &path)?;
    let original = match &request.original {
        None => None,
        Some(original) => {
            // What the release says is sensitive is, whatever the caller says.
            let (input, spec) = original_of(original, job)?;
            let spec = BasketSpec { sensitive: manifest.details_of("sensitive"), ..spec };
            let observer = Renamed { step: "read the original", inner: observer };
            Some(load(&input, &spec, None, false, &observer)?)
        }
    };
    let known = original.as_ref().map(|loaded| &loaded.baskets.items.names[..]);
    let release = open_release(&path, &manifest, known, observer)?;
    let against = match original {
        None => None,
        Some(original) => {
            let (rows, records) = (release.bitmaps.len(), original.baskets.quasi.len());
            if rows != records {
                return Err(Error::input(format!(
                    "the release has {rows} rows and the original {records} records"
                )));
            }
            Some(Against { index: Index::new(&release.bitmaps), original })
        }
    };
    Ok(Opened { path: job.input.path.clone(), release, against })
}

/// The figures of an audit, for programs.
#[derive(Serialize)]
struct Shown {
    items: u64,
    sensitive_items: u64,
    mean_base: f64,
    mean_distance: f64,
    mean_threshold: f64,
    largest_threshold: u32,
    exact_rows: u64,
    is_true: Option<bool>,
}

impl Opened {
    /// The facts that the release states.
    pub fn state(&self) -> AuditedBitmaps<'_> {
        AuditedBitmaps { release: &self.release, against: self.against.as_ref() }
    }

    /// What an audit shows besides the guarantees.
    pub fn figures(&self) -> Result<Figures> {
        let bitmaps = &self.release.bitmaps;
        let n = bitmaps.len().max(1) as f64;
        let threshold = &bitmaps.threshold;
        let mut used = bitmaps.base.counts();
        used.iter_mut().zip(bitmaps.distance.counts()).for_each(|(n, more)| *n += more);
        let different =
            |sets: &Transactions| sets.counts().iter().filter(|n| **n > 0).count() as u64;
        let is_true = self.state().is_true();
        let shown = Shown {
            items: used.iter().filter(|n| **n > 0).count() as u64,
            sensitive_items: self.release.sensitive.as_ref().map_or(0, different),
            mean_base: bitmaps.base.n_instances() as f64 / n,
            mean_distance: bitmaps.distance.n_instances() as f64 / n,
            mean_threshold: threshold.iter().map(|t| u64::from(*t)).sum::<u64>() as f64 / n,
            largest_threshold: threshold.iter().copied().max().unwrap_or(0),
            exact_rows: threshold.iter().filter(|t| **t == 0).count() as u64,
            is_true,
        };
        Ok(Figures {
            rows: bitmaps.len() as u64,
            is_true,
            json: json_of(&shown)?,
            head: self.words(&shown),
            tail: String::new(),
        })
    }

    fn words(&self, shown: &Shown) -> String {
        let mut text = String::new();
        let _ = writeln!(
            text,
            "release    {} ({} rows, {} items, {} of them sensitive)",
            self.path,
            count(self.release.bitmaps.len() as u64),
            count(shown.items + shown.sensitive_items),
            count(shown.sensitive_items)
        );
        let _ = writeln!(
            text,
            "doubt      {} items a row, {} in doubt, at most {} of them wrong, on average; the \
                largest threshold is {}; {} rows are exact",
            quantity(shown.mean_base),
            quantity(shown.mean_distance),
            quantity(shown.mean_threshold),
            shown.largest_threshold,
            count(shown.exact_rows)
        );
        let truth = match shown.is_true {
            None => "not checked: name the data it was made from with --original",
            Some(true) => {
                "each record can be given a row of its own that it is a possible world of, with \
                    its sensitive items"
            }
            Some(false) => {
                "NOT TRUE: some record is no possible world of any row that others leave to it"
            }
        };
        let _ = writeln!(text, "truth      {truth}");
        text
    }
}
