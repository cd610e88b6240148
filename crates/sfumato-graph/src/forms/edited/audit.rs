//! Audits a file of edges, whoever made it: how it is read, and what is shown.

use std::fmt::Write as _;

use serde::Serialize;
use sfumato_core::observer::Observer;
use sfumato_core::{Error, Result};
use sfumato_engine::audit::{AuditRequest, Figures};
use sfumato_engine::paths::resolve;
use sfumato_report::numbers::{count, percent};

use super::NAME;
use super::plan::check_labels;
use crate::data::{Alike, Names, functions};
use crate::forms::figures::{HidingFrom, hiding, known};
use crate::forms::release_file::{read_original, read_release};
use crate::forms::stated::Stated;
use crate::forms::{check_audit, requirements_of};
use crate::job::Job;
use crate::models::k_automorphism::functions_file;
use crate::traits::{Counted, GraphRequirements};

/// How many nodes at risk are named for each model that doesn't hold.
const SHOWN: usize = 10;

/// A graph as it was read from a release, and its original.
pub struct Opened {
    path: String,
    sha256: String,
    names: Names,
    stated: Stated,
    requirements: GraphRequirements,
    original: Option<Stated>,
}

/// Read a file, and its original if one is named.
pub fn open(request: &AuditRequest<Job>, observer: &dyn Observer) -> Result<Opened> {
    check_audit(request)?;
    let job = &request.job;
    let requirements = requirements_of(job)?;
    let mut loaded = read_release(NAME, job, request.manifest.as_ref(), observer)?;
    check_labels(&requirements, loaded.labels.as_ref())?;
    // Numbers that a release of ours gives say which function maps it to itself.
    let numbers = loaded.names.as_numbers(loaded.graph.n(), loaded.layout.first_id());
    if let Some(ids) = &numbers {
        loaded.graph = loaded.graph.renumbered(ids);
        loaded.labels = loaded.labels.map(|labels| labels.renumbered(ids));
        let first = loaded.layout.first_id();
        loaded.names = Names::Numbers((first..first + loaded.graph.n() as u64).collect());
    }
    let mut stated = Stated::new(loaded.graph, loaded.labels, numbers.is_some());
    if let Some(file) = functions_file(&job.privacy.models)? {
        let file = resolve(&job.base, &file);
        stated.functions = Some(functions::read(&file, &loaded.names, observer)?);
    }
    let original = match &request.original {
        None => None,
        Some(original) => {
            let original = read_original(original, job, observer)?;
            if original.graph.n() != stated.graph.n() {
                return Err(Error::input(format!(
                    "the release has {} nodes and the original {}: they don't belong together",
                    stated.graph.n(),
                    original.graph.n()
                ))
                .in_file(&job.input.path));
            }
            Some(Stated::new(original.graph, original.labels, false))
        }
    };
    Ok(Opened {
        path: job.input.path.clone(),
        sha256: loaded.source.sha256,
        names: loaded.names,
        stated,
        requirements,
        original,
    })
}

/// A model that doesn't hold, and nodes that it doesn't protect.
#[derive(Serialize)]
struct AtRisk {
    model: String,
    nodes: u64,
    shown: Vec<ExposedNode>,
}

#[derive(Serialize)]
struct ExposedNode {
    node: String,
    degree: u32,
    candidates: u32,
}

/// The figures of an audit, for programs.
#[derive(Serialize)]
struct Shown<'a> {
    sha256: &'a str,
    nodes: u64,
    edges: u64,
    isolated: u64,
    hiding: &'a [HidingFrom],
    #[serde(skip_serializing_if = "<[HidingFrom]>::is_empty")]
    hiding_before: &'a [HidingFrom],
    #[serde(skip_serializing_if = "<[AtRisk]>::is_empty")]
    at_risk: &'a [AtRisk],
}

impl Opened {
    /// The facts that the file states.
    pub fn stated(&self) -> &Stated {
        &self.stated
    }

    /// What an audit shows besides the guarantees.
    pub fn figures(&self) -> Result<Figures> {
        let now = hiding(&self.stated)?;
        let before = self.original.as_ref().map(hiding).transpose()?.unwrap_or_default();
        let at_risk = self.at_risk()?;
        let graph = &self.stated.graph;
        let shown = Shown {
            sha256: &self.sha256,
            nodes: graph.n() as u64,
            edges: graph.m(),
            isolated: graph.isolated(),
            hiding: &now,
            hiding_before: &before,
            at_risk: &at_risk,
        };
        let json = match serde_json::to_value(&shown) {
            Ok(serde_json::Value::Object(json)) => json,
            _ => return Err(Error::internal("the figures of an audit have no names")),
        };
        Ok(Figures {
            rows: graph.n() as u64,
            is_true: None,
            json,
            head: self.words(&shown),
            tail: at_risk_words(&at_risk),
        })
    }

    /// The nodes in the smallest candidate sets, for every model that doesn't hold.
    fn at_risk(&self) -> Result<Vec<AtRisk>> {
        let mut all = Vec::new();
        for one in self.requirements.all.iter().filter(|one| one.counted == Counted::Nodes) {
            let exposed = |alike: &Alike| {
                let size = |node: u32| alike.sizes[alike.class_of[node as usize] as usize];
                let is_few = |node: &u32| u64::from(size(*node)) < one.required;
                let mut nodes: Vec<u32> = self.stated.graph.nodes().filter(is_few).collect();
                let total = nodes.len() as u64;
                nodes.sort_by_key(|node| (size(*node), std::cmp::Reverse(self.degree(*node))));
                nodes.truncate(SHOWN);
                let shown = nodes.into_iter().map(|node| ExposedNode {
                    node: self.names.get(node).unwrap_or_else(|| "(no name)".into()),
                    degree: self.degree(node),
                    candidates: size(node),
                });
                (total, shown.collect())
            };
            if let Some((nodes, shown)) = self.stated.alike(one.structure, exposed)?
                && nodes > 0
            {
                all.push(AtRisk { model: one.text.clone(), nodes, shown });
            }
        }
        Ok(all)
    }

    fn degree(&self, node: u32) -> u32 {
        self.stated.graph.degree(node)
    }

    fn words(&self, shown: &Shown<'_>) -> String {
        let mut text = format!(
            "file       {} ({} nodes, {} edges, {} nodes without an edge)\n",
            self.path,
            count(shown.nodes),
            count(shown.edges),
            count(shown.isolated)
        );
        let _ = writeln!(text, "hiding     from somebody who knows of a node");
        for (place, now) in shown.hiding.iter().enumerate() {
            let before = shown.hiding_before.get(place).map_or(String::new(), |before| {
                format!("; before: {} alone, {}", count(before.unique), percent(before.guessed))
            });
            let _ = writeln!(
                text,
                "  {:<32} smallest set {}, {} nodes alone, {} guessed right{before}",
                known(&now.knowledge),
                count(now.smallest),
                count(now.unique),
                percent(now.guessed)
            );
        }
        text
    }
}

fn at_risk_words(all: &[AtRisk]) -> String {
    let mut text = String::new();
    for one in all {
        let _ = writeln!(text, "at risk    {}: {} nodes", one.model, count(one.nodes));
        for node in &one.shown {
            let _ = writeln!(
                text,
                "  node {}: degree {}, candidates {}",
                node.node,
                count(u64::from(node.degree)),
                count(u64::from(node.candidates))
            );
        }
    }
    text
}
