//! Audits a bucket release of baskets, whoever made it: what it really promises, from its files
//! alone.

use std::fmt::Write as _;

use serde::Serialize;
use sfumato_core::facts::Hiding;
use sfumato_core::observer::{Observer, Renamed};
use sfumato_core::traits::ClassSizes;
use sfumato_core::{Error, Result};
use sfumato_engine::audit::{AuditRequest, Figures};
use sfumato_report as shown;
use sfumato_report::numbers::{count, quantity};

use super::facts::Stated;
use super::linked::Linked;
use super::truth::check_against;
use crate::forms::release_file::original_of;
use crate::forms::{check_audit, json_of, requirements_of};
use crate::job::Job;

/// A bucket release as it was read. If an original was named, the release was compared with it.
pub struct Opened {
    path: String,
    linked: Linked,
    checked_against_original: bool,
}

/// Read a release, and compare it with its original if one is named.
pub fn open(request: &AuditRequest<Job>, observer: &dyn Observer) -> Result<Opened> {
    check_audit(request)?;
    let job = &request.job;
    let requirements = requirements_of(job)?;
    let mut asked = requirements.all.iter().flat_map(|requirement| requirement.asks());
    if let Some((other, _)) = asked.find(|(hiding, _)| *hiding != Hiding::Bystanders) {
        return Err(Error::unsupported(format!(
            "a bucket release promises nothing about {}",
            other.describe()
        ))
        .hint("ask for privacy-degree(p=...)"));
    }
    let linked = super::open::open(job, false, request.manifest.as_ref(), observer)?;
    if let Some(original) = &request.original {
        let (input, spec) = original_of(original, job)?;
        let observer = Renamed { step: "read the original", inner: observer };
        check_against(&linked, &input, &spec, &job.input.path, &observer)?;
    }
    let checked_against_original = request.original.is_some();
    Ok(Opened { path: job.input.path.clone(), linked, checked_against_original })
}

/// The figures of an audit, for programs.
#[derive(Serialize)]
struct Shown {
    groups: u64,
    sensitive_items: u64,
    sensitive_instances: u64,
    privacy_degree: Option<f64>,
    checked_against_original: bool,
    sizes: shown::Classes,
}

impl Opened {
    /// The facts that the release states.
    pub fn state(&self) -> Stated<'_> {
        Stated { linked: &self.linked }
    }

    /// What an audit shows besides the guarantees.
    pub fn figures(&self) -> Result<Figures> {
        let linked = &self.linked;
        let per_group = |group: usize| {
            linked.counts.of_group(group).iter().map(|(_, n)| u64::from(*n)).sum::<u64>()
        };
        let sizes = linked.groups.sizes().iter().map(|size| u64::from(*size));
        let shown = Shown {
            groups: linked.groups.len() as u64,
            sensitive_items: linked.sensitive.len() as u64,
            sensitive_instances: (0..linked.groups.len()).map(per_group).sum(),
            privacy_degree: self.state().degree().map(|degree| degree.value()),
            checked_against_original: self.checked_against_original,
            sizes: shown::Classes::from_sizes(ClassSizes::from_sizes(sizes).iter()),
        };
        Ok(Figures {
            rows: linked.quasi.len() as u64,
            is_true: self.checked_against_original.then_some(true),
            json: json_of(&shown)?,
            head: self.words(&shown),
            tail: String::new(),
        })
    }

    fn words(&self, shown: &Shown) -> String {
        let mut text = String::new();
        let rows = count(self.linked.quasi.len() as u64);
        let _ = writeln!(text, "release    {} ({rows} records)", self.path);
        let _ = writeln!(
            text,
            "groups     {}, smallest {}, mean {}, largest {}; items that aren't sensitive are \
                published as they are",
            count(shown.groups),
            count(shown.sizes.min),
            quantity(shown.sizes.mean),
            count(shown.sizes.max)
        );
        let _ = writeln!(
            text,
            "sensitive  {} items, {} in all",
            count(shown.sensitive_items),
            count(shown.sensitive_instances)
        );
        if shown.checked_against_original {
            let _ = writeln!(text, "original   rows and counts are those of it");
        }
        let degree = shown.privacy_degree;
        let degree = degree.map_or("none: no group has a sensitive item".into(), quantity);
        let _ = writeln!(text, "achieved   privacy degree {degree}");
        text
    }
}
