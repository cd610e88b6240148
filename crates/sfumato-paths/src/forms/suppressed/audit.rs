//! Audits a file of paths, whoever made it: how it is read, and what is shown.

use std::fmt::Write as _;

use serde::Serialize;
use sfumato_core::Result;
use sfumato_core::facts::SequenceFacts as _;
use sfumato_core::observer::Observer;
use sfumato_core::sequences::{CountedSequences, FailingSequence};
use sfumato_engine::audit::{AuditRequest, Figures};
use sfumato_engine::job::Population;
use sfumato_engine::risks::risks;
use sfumato_report as shown;
use sfumato_report::numbers::{count, percent, quantity};

use super::NAME;
use super::alike::classes;
use super::facts::Stated;
use crate::data::PathData;
use crate::forms::release_file::{ReleaseFile, load_original, with_columns};
use crate::forms::{check_audit, check_steps, requirements_of};
use crate::job::Job;
use crate::models::PathRequirements;

/// A file of paths as it was read, and its original.
pub struct Opened {
    path: String,
    sha256: String,
    data: PathData,
    original: Option<PathData>,
    requirements: PathRequirements,
    population: Option<Population>,
}

/// Read a file, and its original if one is named.
pub fn open(request: &AuditRequest<Job>, observer: &dyn Observer) -> Result<Opened> {
    check_audit(request)?;
    let job = &request.job;
    let requirements = requirements_of(job)?;
    let file = ReleaseFile::of(NAME, job, false, request.manifest.as_ref())?;
    let release = file.load(observer)?;
    check_steps(&release)?;
    let original = match &request.original {
        None => None,
        Some(original) => {
            let job = with_columns(job, request.manifest.as_ref());
            Some(load_original(original, &job, observer)?.data)
        }
    };
    Ok(Opened {
        path: job.input.path.clone(),
        sha256: release.source.sha256,
        data: release.data,
        original,
        requirements,
        population: job.privacy.population,
    })
}

/// The figures of an audit, for programs.
#[derive(Serialize)]
struct Shown<'a> {
    sha256: &'a str,
    points: u64,
    different_points: u64,
    classes: &'a shown::Classes,
    risks: &'a shown::Ordered<shown::Change>,
    #[serde(skip_serializing_if = "<[Failing]>::is_empty")]
    failing: &'a [Failing],
}

/// A sequence that breaks a model.
#[derive(Serialize)]
struct Failing {
    model: String,
    sequence: Vec<String>,
    paths: u64,
    #[serde(skip_serializing_if = "Option::is_none")]
    value: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    paths_with_value: Option<u64>,
}

impl Opened {
    /// The facts that the file states.
    pub fn state(&self) -> Stated<'_> {
        Stated { data: &self.data }
    }

    /// What an audit shows besides the guarantees.
    pub fn figures(&self) -> Result<Figures> {
        let sizes = classes(&self.data);
        let before = self.original.as_ref().map(classes);
        let change = |(name, of_before, after): (&str, Option<f64>, Option<f64>)| {
            let before = of_before.filter(|_| before.is_some());
            (name.replace('-', "_"), shown::Change { before, after })
        };
        let risks: shown::Ordered<shown::Change> =
            risks(before.as_ref().unwrap_or(&sizes), &sizes, self.population)
                .into_iter()
                .map(change)
                .collect();
        let failing = self.failing()?;
        let counts = self.data.paths.counts(self.data.steps.len());
        let shown = Shown {
            sha256: &self.sha256,
            points: self.data.paths.n_steps() as u64,
            different_points: counts.iter().filter(|n| **n > 0).count() as u64,
            classes: &shown::Classes::from_sizes(sizes.iter()),
            risks: &risks,
            failing: &failing,
        };
        let json = match serde_json::to_value(&shown) {
            Ok(serde_json::Value::Object(figures)) => figures,
            _ => {
                return Err(sfumato_core::Error::internal("the figures of an audit have no names"));
            }
        };
        Ok(Figures {
            rows: self.data.paths.len() as u64,
            is_true: None,
            json,
            head: self.words(&shown),
            tail: failing_words(&failing),
        })
    }

    /// The shortest sequence that breaks each model.
    fn failing(&self) -> Result<Vec<Failing>> {
        let mut all = Vec::new();
        for requirement in &self.requirements.all {
            let Some(asked) = requirement.sequences() else { continue };
            let CountedSequences { failing, .. } = self.state().count(asked)?;
            if let Some(FailingSequence { steps, support, private }) = failing {
                let is_breach = support >= asked.required;
                let (value, n) = private.filter(|_| is_breach).unzip();
                all.push(Failing {
                    model: requirement.describe(),
                    sequence: steps,
                    paths: support,
                    value,
                    paths_with_value: n,
                });
            }
        }
        Ok(all)
    }

    fn words(&self, shown: &Shown<'_>) -> String {
        let mut text = String::new();
        let _ = writeln!(
            text,
            "file       {} ({} paths, {} points, {} different)",
            self.path,
            count(self.data.paths.len() as u64),
            count(shown.points),
            count(shown.different_points)
        );
        for column in &self.data.sensitive {
            let values = count(column.values.len() as u64);
            let _ = writeln!(text, "sensitive  {}, {values} values", column.name);
        }
        for column in &self.data.quasi {
            let values = count(column.values.len() as u64);
            let _ = writeln!(text, "known      {}, {values} values", column.name);
        }
        let _ = writeln!(
            text,
            "alike      {} different paths, each there {} times at least, {} on average",
            count(shown.classes.count),
            count(shown.classes.min),
            quantity(shown.classes.mean)
        );
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

fn failing_words(failing: &[Failing]) -> String {
    let mut text = String::new();
    for found in failing {
        let sequence = found.sequence.join(" -> ");
        let _ = writeln!(text, "fails      {}: {sequence}", found.model);
        let paths = shown::numbers::counted(found.paths, "path");
        let _ = writeln!(text, "           in {paths}");
        if let (Some(value), Some(n)) = (&found.value, found.paths_with_value) {
            let _ = writeln!(text, "           {} of them have {value}", count(n));
        }
    }
    text
}
