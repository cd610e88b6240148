//! Audits a file of generalized baskets, whoever made it. Labels are compared as texts; with the
//! item hierarchy it is checked that they are its nodes, and with the original as well whether the
//! rows may be true.

use std::fmt::Write as _;

use crate::traits::SetRequirements;
use serde::Serialize;
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
use super::facts::Stated;
use crate::data::item_tree::{ItemTree, Node};
use crate::data::read::{Loaded, load};
use crate::forms::combinations::{Answered, Combinations, Failing, failing, failing_words};
use crate::forms::release_file::{ReleaseFile, original_of};
use crate::forms::subsets::Alike;
use crate::forms::{check_audit, json_of, requirements_of};
use crate::job::{BasketSpec, Job};

/// A file of generalized baskets as it was read.
pub struct Opened {
    path: String,
    sha256: String,
    /// The labels of each row.
    rows: Transactions,
    names: Vec<String>,
    /// The sensitive items of each row, if any item is sensitive.
    sensitive: Option<Transactions>,
    alike: Alike,
    answered: Answered,
    requirements: SetRequirements,
    /// The sizes of classes of the original, if it was given, and whether the rows may be true of
    /// it.
    original: Option<(ClassSizes, bool)>,
    /// The population that the records were drawn from.
    population: Option<Population>,
}

/// Read a file, and its original if one is named. Models that it can't judge are refused first.
pub fn open(request: &AuditRequest<Job>, observer: &dyn Observer) -> Result<Opened> {
    check_audit(request)?;
    let job = &request.job;
    let requirements = requirements_of(job)?;
    check_models(&requirements)?;
    let file = ReleaseFile::of(NAME, job, false, request.manifest.as_ref())?;
    let Loaded { baskets, source, .. } = file.load(false, observer)?;
    let (rows, names) = (baskets.quasi, baskets.items.names);
    let original = match &request.original {
        None => {
            if let Some(how) = &job.baskets.hierarchy {
                nodes_of(&ItemTree::alone(how, &job.base)?, &rows, &names, &job.input.path)?;
            }
            None
        }
        Some(original) => {
            let hierarchy = job.baskets.hierarchy.as_ref().or(original.baskets.hierarchy.as_ref());
            let Some(how) = hierarchy else {
                return Err(Error::params(
                    "rows of labels are compared with the original by the item hierarchy",
                )
                .hint("name it with --item-hierarchy, or leave --original out"));
            };
            let (input, mut spec) = original_of(original, job)?;
            if spec.sensitive.is_empty() {
                spec = BasketSpec { sensitive: file.baskets().sensitive.clone(), ..spec };
            }
            let observer = Renamed { step: "read the original", inner: observer };
            let original = load(&input, &spec, None, false, &observer)?.baskets;
            let tree = ItemTree::read(how, &job.base, &original.items, &original.quasi.counts())?;
            let leaves = tree.leaves_of(&original.quasi)?;
            let nodes = nodes_of(&tree, &rows, &names, &job.input.path)?;
            let is_true = may_be_true(&tree, &leaves, &nodes);
            Some((sizes(&Alike::of(&leaves)), is_true))
        }
    };
    Ok(Opened {
        path: job.input.path.clone(),
        sha256: source.sha256,
        alike: Alike::of(&rows),
        rows,
        names,
        sensitive: baskets.sensitive,
        answered: Answered::default(),
        requirements,
        original,
        population: job.privacy.population,
    })
}

/// Refuse models that need facts which rows of labels can't state.
fn check_models(requirements: &SetRequirements) -> Result<()> {
    for (hiding, _) in requirements.all.iter().flat_map(|requirement| requirement.asks()) {
        if hiding != Hiding::Copies {
            return Err(Error::params(format!(
                "a file of generalized baskets states nothing about {}",
                hiding.describe()
            ))
            .hint("ask for k-anonymity, km-anonymity or coherence"));
        }
    }
    Ok(())
}

/// The rows as sets of nodes. An error where a label is no node, or stands beside one above it.
pub(super) fn nodes_of(
    tree: &ItemTree,
    rows: &Transactions,
    names: &[String],
    path: &str,
) -> Result<Transactions> {
    let nodes: FastMap<&str, Node> = tree.labels().iter().map(String::as_str).zip(0..).collect();
    // Names that only sensitive parts have needn't be nodes.
    let counts = rows.counts();
    let node_of: Vec<Option<Node>> =
        names.iter().map(|name| nodes.get(&name[..]).copied()).collect();
    let mut sets: Vec<Vec<Node>> = Vec::with_capacity(rows.len());
    let is_unknown = |at: &usize| counts[*at] > 0 && node_of[*at].is_none();
    let n_unknown = (0..names.len()).filter(is_unknown).count();
    if n_unknown > 0 {
        return Err(Error::input(format!("{n_unknown} labels are no nodes of the item hierarchy"))
            .in_file(path)
            .hint("name the hierarchy that the release was made with"));
    }
    for row in 0..rows.len() {
        let set: Vec<Node> =
            rows.set(row).into_iter().filter_map(|name| node_of[name as usize]).collect();
        let is_above = |a: &Node| set.iter().any(|b| a != b && tree.covers(*a, *b));
        if set.iter().any(is_above) {
            return Err(Error::input("a row has a node beside one below it")
                .in_file(path)
                .at_line(row as u64 + 1));
        }
        sets.push(set);
    }
    Ok(Transactions::from_sets(tree.n_nodes(), sets))
}

/// Whether rows may be true of an original: there are as many, and no node is in more rows than
/// records have something below it. Which row is whose isn't known, so that more can't be said.
fn may_be_true(tree: &ItemTree, leaves: &Transactions, rows: &Transactions) -> bool {
    let mut records = vec![0u64; tree.n_nodes()];
    for record in 0..leaves.len() {
        let mut above: Vec<Node> = Vec::new();
        for mut node in leaves.set(record) {
            while !above.contains(&node) {
                above.push(node);
                node = tree.parent(node);
            }
        }
        above.into_iter().for_each(|node| records[node as usize] += 1);
    }
    rows.len() == leaves.len() && rows.counts().iter().zip(&records).all(|(rows, n)| rows <= n)
}

/// The figures of an audit, for programs.
#[derive(Serialize)]
struct Shown<'a> {
    sha256: &'a str,
    empty: u64,
    labels: u64,
    instances: u64,
    classes: &'a shown::Classes,
    risks: &'a shown::Ordered<shown::Change>,
    #[serde(skip_serializing_if = "<[Failing]>::is_empty")]
    failing: &'a [Failing],
}

impl Opened {
    /// The facts that the file states.
    pub(super) fn state(&self) -> Stated<'_> {
        Stated { combinations: self.combinations() }
    }

    fn combinations(&self) -> Combinations<'_> {
        let sensitive = self.sensitive.as_ref();
        let (rows, alike, answered) = (&self.rows, &self.alike, &self.answered);
        Combinations { rows, alike, sensitive, answered }
    }

    /// What an audit shows besides the guarantees.
    pub fn figures(&self) -> Result<Figures> {
        let sizes = sizes(&self.alike);
        let before = self.original.as_ref().map(|(before, _)| before);
        let change = |(name, of_before, after): (&str, Option<f64>, Option<f64>)| {
            let before = of_before.filter(|_| before.is_some());
            (name.replace('-', "_"), shown::Change { before, after })
        };
        let risks: shown::Ordered<shown::Change> =
            risks(before.unwrap_or(&sizes), &sizes, self.population)
                .into_iter()
                .map(change)
                .collect();
        let failing = failing(&self.requirements, &self.combinations(), &self.names, &self.names)?;
        let shown = Shown {
            sha256: &self.sha256,
            empty: (0..self.rows.len()).filter(|row| self.rows.size(*row) == 0).count() as u64,
            labels: self.rows.counts().iter().filter(|n| **n > 0).count() as u64,
            instances: self.rows.n_instances(),
            classes: &shown::Classes::from_sizes(sizes.iter()),
            risks: &risks,
            failing: &failing,
        };
        Ok(Figures {
            rows: self.rows.len() as u64,
            is_true: self.original.as_ref().map(|(_, is_true)| *is_true),
            json: json_of(&shown)?,
            head: self.words(&shown),
            tail: failing_words(&failing),
        })
    }

    fn words(&self, shown: &Shown<'_>) -> String {
        let mut text = String::new();
        let (rows, labels) = (count(self.rows.len() as u64), count(shown.labels));
        let _ = writeln!(text, "file       {} ({rows} records, {labels} labels)", self.path);
        if let Some((_, is_true)) = &self.original {
            let words = match is_true {
                true => "no node is in more rows than original records have something below it",
                false => {
                    "NOT TRUE of the original: some nodes are in too many rows, or rows are \
                          too many or too few"
                }
            };
            let _ = writeln!(text, "original   {words}");
        }
        let classes = shown.classes;
        let _ = writeln!(
            text,
            "classes    {}, smallest {}, mean {}, largest {}; {} uniques",
            count(classes.count),
            count(classes.min),
            quantity(classes.mean),
            count(classes.max),
            count(classes.uniques)
        );
        if shown.empty > 0 {
            let _ = writeln!(text, "           {} records have no items", count(shown.empty));
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

fn sizes(alike: &Alike) -> ClassSizes {
    ClassSizes::from_sizes(alike.copies.iter().map(|copies| u64::from(*copies)))
}
