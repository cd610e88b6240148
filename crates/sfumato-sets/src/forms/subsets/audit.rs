//! Audits a file of baskets, whoever made it: how it is read, and what is shown.

use std::fmt::Write as _;

use serde::Serialize;
use sfumato_core::facts::Facts as _;
use sfumato_core::facts::Hiding;
use sfumato_core::observer::{Observer, Renamed};
use sfumato_core::traits::ClassSizes;
use sfumato_core::transactions::Transactions;
use sfumato_core::{Error, FastMap, Result};
use sfumato_engine::audit::{AuditRequest, Figures};
use sfumato_engine::job::Population;
use sfumato_engine::risks::risks;
use sfumato_report as shown;
use sfumato_report::numbers::{count, percent, quantity};

use super::NAME;
use super::alike::Alike;
use super::facts::Stated;
use crate::data::Items;
use crate::data::read::load;
use crate::forms::combinations::{Answered, Combinations, Failing, failing, failing_words};
use crate::forms::release_file::{ReleaseFile, original_of};
use crate::forms::{check_audit, json_of, requirements_of};
use crate::job::{BasketSpec, Job};
use crate::traits::SetRequirements;

/// A file of baskets as it was read, and its original.
pub struct Opened {
    path: String,
    sha256: String,
    /// The quasi items of each row, in the codes of the original if there is one.
    pub(super) rows: Transactions,
    /// The names of the items that rows have.
    names: Vec<String>,
    pub(super) alike: Alike,
    /// The sensitive items of each row, if any item is sensitive, and the names of items in their
    /// codes.
    sensitive: Option<(Transactions, Vec<String>)>,
    answered: Answered,
    /// The models that are asked about.
    requirements: SetRequirements,
    /// The number of items of all records, quasi or sensitive.
    instances: u64,
    pub(super) original: Option<Transactions>,
    /// The items of the original.
    pub(super) items: Option<Items>,
    /// How many items are sensitive only because the manifest says so.
    sensitive_by_manifest: usize,
    /// The population that the records were drawn from.
    population: Option<Population>,
}

/// Read a file, and its original if one is named. Models that it can't judge are refused first.
pub fn open(request: &AuditRequest<Job>, observer: &dyn Observer) -> Result<Opened> {
    check_audit(request)?;
    let job = &request.job;
    let requirements = requirements_of(job)?;
    check_models(&requirements, request.original.is_some())?;
    let file = ReleaseFile::of(NAME, job, false, request.manifest.as_ref())?;
    let release = file.load(false, observer)?;
    let mut rows = release.baskets.quasi;
    let sensitive = release.baskets.sensitive;
    let instances = rows.n_instances() + sensitive.as_ref().map_or(0, Transactions::n_instances);
    let mut names = release.baskets.items.names;
    let sensitive = sensitive.map(|sensitive| (sensitive, names.clone()));
    let mut items = None;
    let original = match &request.original {
        None => None,
        Some(original) => {
            let (input, mut spec) = original_of(original, job)?;
            if spec.sensitive.is_empty() {
                spec = BasketSpec { sensitive: file.baskets().sensitive.clone(), ..spec };
            }
            let observer = Renamed { step: "read the original", inner: observer };
            let original = load(&input, &spec, None, false, &observer)?.baskets;
            rows = renamed(&rows, &names, &original.items.names, &job.input.path)?;
            names = original.items.names.clone();
            items = Some(original.items);
            Some(original.quasi)
        }
    };
    Ok(Opened {
        path: job.input.path.clone(),
        sha256: release.source.sha256,
        alike: Alike::of(&rows),
        rows,
        names,
        sensitive,
        answered: Answered::default(),
        requirements,
        instances,
        original,
        items,
        sensitive_by_manifest: file.sensitive_by_manifest(job),
        population: job.privacy.population,
    })
}

/// Refuse models that need facts which a file of sets can't state, with or without its original.
fn check_models(requirements: &SetRequirements, has_original: bool) -> Result<()> {
    let asked = requirements.all.iter().flat_map(|requirement| requirement.asks());
    for (hiding, _) in asked {
        match hiding {
            Hiding::Copies => {}
            Hiding::Supporters | Hiding::Images if has_original => {}
            Hiding::Supporters | Hiding::Images => {
                return Err(Error::params("these models are about the original records as well")
                    .hint("name the data with --original"));
            }
            Hiding::Bystanders => {
                return Err(Error::params(
                    "the privacy degree is about bucket releases, and this is a file of sets",
                )
                .hint("audit the folder that holds quasi and sensitive files"));
            }
            Hiding::Askers => {
                return Err(Error::params(format!(
                    "a file of sets states nothing about {}",
                    hiding.describe()
                ))
                .hint("audit a release of a log of queries"));
            }
            Hiding::Matches | Hiding::Labels => {
                return Err(Error::params(format!(
                    "a file of sets states nothing about {}",
                    hiding.describe()
                ))
                .hint("audit the folder of a bitmap release, with --original"));
            }
        }
    }
    Ok(())
}

/// The figures of an audit, for programs.
#[derive(Serialize)]
struct Shown<'a> {
    sha256: &'a str,
    empty: u64,
    instances: u64,
    achieved: &'a [(String, u64)],
    classes: &'a shown::Classes,
    risks: &'a shown::Ordered<shown::Change>,
    #[serde(skip_serializing_if = "<[Failing]>::is_empty")]
    failing: &'a [Failing],
}

impl Opened {
    /// The facts that the file states.
    pub fn state(&self) -> Stated<'_> {
        let original = self.original.as_ref();
        Stated { combinations: self.combinations(), original, told: None }
    }

    /// The rows as combinations of items are counted in them.
    fn combinations(&self) -> Combinations<'_> {
        let sensitive = self.sensitive.as_ref().map(|(sensitive, _)| sensitive);
        let (rows, alike, answered) = (&self.rows, &self.alike, &self.answered);
        Combinations { rows, alike, sensitive, answered }
    }

    /// What an audit shows besides the guarantees.
    pub fn figures(&self) -> Result<Figures> {
        let achieved = self.achieved()?;
        let sizes = sizes(&self.alike);
        let before = self.original.as_ref().map(|original| self::sizes(&Alike::of(original)));
        let change = |(name, of_before, after): (&str, Option<f64>, Option<f64>)| {
            let before = of_before.filter(|_| before.is_some());
            (name.replace('-', "_"), shown::Change { before, after })
        };
        let risks: shown::Ordered<shown::Change> =
            risks(before.as_ref().unwrap_or(&sizes), &sizes, self.population)
                .into_iter()
                .map(change)
                .collect();
        let private = self.sensitive.as_ref().map_or(&[][..], |(_, names)| names);
        let failing = failing(&self.requirements, &self.combinations(), &self.names, private)?;
        let shown = Shown {
            sha256: &self.sha256,
            empty: (0..self.rows.len()).filter(|row| self.rows.size(*row) == 0).count() as u64,
            instances: self.instances,
            achieved: &achieved,
            classes: &shown::Classes::from_sizes(sizes.iter()),
            risks: &risks,
            failing: &failing,
        };
        Ok(Figures {
            rows: self.rows.len() as u64,
            is_true: None,
            json: json_of(&shown)?,
            head: self.words(&shown),
            tail: failing_words(&failing),
        })
    }

    /// The largest k for which each count holds: always that of copies, and with the original those
    /// of supporters and images.
    fn achieved(&self) -> Result<Vec<(String, u64)>> {
        let facts = self.state();
        let mut achieved = Vec::new();
        if let Some(found) = facts.least(Hiding::Copies, 1)? {
            achieved.push((Hiding::Copies.describe().to_string(), found.least));
        }
        // Counted up to the number asked for, or a little beyond the copies: all supporters of all
        // sets would take long.
        let copies = achieved.first().map_or(0, |(_, copies)| *copies);
        let enough = self.requirements.k().max(2 * copies).max(10);
        for hiding in [Hiding::Supporters, Hiding::Images] {
            if let Some(found) = facts.least(hiding, enough)? {
                let what = format!("{} (counted up to {enough})", hiding.describe());
                achieved.push((what, found.least));
            }
        }
        Ok(achieved)
    }

    fn words(&self, shown: &Shown<'_>) -> String {
        let mut text = String::new();
        let (rows, instances) = (count(self.rows.len() as u64), count(self.instances));
        let _ =
            writeln!(text, "file       {} ({rows} records, {instances} items in all)", self.path);
        if self.sensitive_by_manifest > 0 {
            let n = count(self.sensitive_by_manifest as u64);
            let _ =
                writeln!(text, "sensitive  {n} items that no model counts, as the manifest says");
        }
        let _ = writeln!(
            text,
            "classes    {}, smallest {}, mean {}, largest {}; {} uniques",
            count(shown.classes.count),
            count(shown.classes.min),
            quantity(shown.classes.mean),
            count(shown.classes.max),
            count(shown.classes.uniques)
        );
        if shown.empty > 0 {
            let _ = writeln!(text, "           {} records have no items", count(shown.empty));
        }
        let _ = writeln!(text, "least");
        for (what, least) in shown.achieved {
            let _ = writeln!(text, "  {what}: {}", count(*least));
        }
        let _ = writeln!(text, "risks");
        for (name, change) in shown.risks.iter() {
            let share = |value: Option<f64>| value.map_or("-".to_string(), percent);
            let before = change.before.map(|before| format!("{} before, ", percent(before)));
            let before = before.unwrap_or_default();
            let _ =
                writeln!(text, "  {:<46} {before}{}", name.replace('_', " "), share(change.after));
        }
        text
    }
}

pub(super) fn sizes(alike: &Alike) -> ClassSizes {
    ClassSizes::from_sizes(alike.copies.iter().map(|copies| u64::from(*copies)))
}

/// The sets of a release with the codes of the original's items.
fn renamed(
    rows: &Transactions,
    names: &[String],
    original: &[String],
    path: &str,
) -> Result<Transactions> {
    let codes: FastMap<&str, u32> = original.iter().map(String::as_str).zip(0..).collect();
    let code_of = |name: &String| {
        codes.get(name.as_str()).copied().ok_or_else(|| {
            Error::input("an item is in no record of the original")
                .in_file(path)
                .about_values(format!("'{name}'"))
        })
    };
    // Items that only sensitive parts have needn't be known.
    let counts = rows.counts();
    let table: Vec<Option<u32>> = names
        .iter()
        .zip(&counts)
        .map(|(name, n)| if *n > 0 { code_of(name).map(Some) } else { Ok(None) })
        .collect::<Result<_>>()?;
    let set =
        |row: usize| rows.set(row).into_iter().filter_map(|item| table[item as usize]).collect();
    Ok(Transactions::from_sets(original.len(), (0..rows.len()).map(set)))
}
