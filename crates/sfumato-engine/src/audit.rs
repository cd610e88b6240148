//! Audits any release, whoever made it: reads it, states its facts and judges the models on them.

use serde::Serialize;
use sfumato_core::{Error, Result};
use sfumato_report as shown;

use crate::context::Context;
use crate::form::Form;
use crate::job::InputSpec;
use crate::kind::{Kind, KindJob};
use crate::manifest::Manifest;
use crate::reports::{guarantee_words, shown_guarantee};
use crate::verify::unjudged;

/// What to audit, and against what. The job says what the columns or items are: its input is the
/// release, its models must hold, and its output is ignored.
#[derive(Debug, Clone)]
pub struct AuditRequest<J> {
    /// The job that describes the release: its input is the release.
    pub job: J,
    /// The manifest of the release, if it has one.
    pub manifest: Option<Manifest>,
    /// The job that describes the original data, if they are given: its input is the original.
    pub original: Option<J>,
    /// How many bytes of memory the audit may use.
    pub memory: Option<u64>,
    /// The folder for data that don't fit into memory.
    pub spill: Option<std::path::PathBuf>,
}

/// What an audit shows besides the guarantees.
#[derive(Debug, Clone, Default)]
pub struct Figures {
    /// The number of records in the release.
    pub rows: u64,
    /// Whether what the release states is true of its original. `None` if that wasn't checked.
    pub is_true: Option<bool>,
    /// The figures of the form, for programs.
    pub json: serde_json::Map<String, serde_json::Value>,
    /// The text to show above the guarantees.
    pub head: String,
    /// The text to show below the guarantees.
    pub tail: String,
}

/// The result of an audit: what a release promises.
#[derive(Debug, Clone, Serialize)]
pub struct Audit {
    /// The path of the file or folder that was audited.
    pub path: String,
    /// The name of the kind of its records.
    pub kind: &'static str,
    /// The name of the form in which the records are published.
    pub form: &'static str,
    /// The number of records in the release.
    pub rows: u64,
    /// The models asked for, and whether they hold.
    pub guarantees: Vec<shown::Guarantee>,
    /// Whether all guarantees hold, and the release is true of its original if that was checked.
    pub holds: bool,
    /// The figures of the form.
    #[serde(flatten)]
    pub figures: serde_json::Map<String, serde_json::Value>,
    /// The whole audit as text for people.
    #[serde(skip)]
    pub words: String,
}

/// Whether the manifest beside a single file has another hash than the file. A run that is killed
/// between the two renames that publish a release leaves a new manifest beside an old file.
fn is_of_another_file(manifest: Option<&Manifest>, figures: &Figures) -> bool {
    let Some([file]) = manifest.map(|manifest| manifest.files.as_slice()) else { return false };
    let sha256 = figures.json.get("sha256").and_then(|sha256| sha256.as_str());
    sha256.is_some_and(|sha256| !sha256.is_empty() && sha256 != file.sha256)
}

/// Whether everything that was asked holds: each model, and the truth where it was checked.
fn is_held(guarantees: &[shown::Guarantee], figures: &Figures) -> bool {
    guarantees.iter().all(|guarantee| guarantee.holds) && figures.is_true != Some(false)
}

/// Audit a release: the same steps for every kind and form.
pub fn audit<K: Kind, F: Form<K>>(
    kind: &K,
    form: &F,
    request: &AuditRequest<K::Job>,
    context: &Context<'_>,
) -> Result<Audit> {
    let common = request.job.common();
    let opened = form.open(request, context)?;
    let guarantees = match common.privacy.models.is_empty() {
        true => Vec::new(),
        false => {
            let promises = form.bind(&common.privacy.models, &opened)?;
            let found = promises.judge(form.state(&opened).as_ref())?;
            if let Some(model) = unjudged(&promises.describe(), &found) {
                return Err(Error::internal(format!("{model} was not judged")));
            }
            found
        }
    };
    let guarantees: Vec<shown::Guarantee> = guarantees
        .iter()
        .map(|found| shown_guarantee(found, form.audit_evidence(&opened, found.scope)))
        .collect();
    let mut figures = form.figures(&opened)?;
    let InputSpec { path, .. } = common.input;
    let holds = is_held(&guarantees, &figures);
    let mut words = format!("{}{}{}", figures.head, guarantee_words(&guarantees), figures.tail);
    if is_of_another_file(request.manifest.as_ref(), &figures) {
        words += "manifest   describes another file: this one was changed, or a run was killed \
                  while it put both in place\n";
        figures.json.insert("manifest_matches".into(), false.into());
    }
    Ok(Audit {
        path: path.clone(),
        kind: kind.name(),
        form: form.name(),
        rows: figures.rows,
        holds,
        guarantees,
        figures: figures.json,
        words,
    })
}

#[cfg(test)]
mod tests {
    use sfumato_core::facts::Least;
    use sfumato_core::group::Guarantee;

    use super::*;
    use crate::manifest::{Described, ManifestFile};

    fn guarantee(violations: u64) -> shown::Guarantee {
        let found = Least { least: 2, violations };
        let found = Guarantee::at_least(("crowd", "crowd(k=2)".into()), ("k", "class"), 2, found);
        shown_guarantee(&found, "checked")
    }

    #[test]
    fn an_audit_holds_if_every_model_does_and_nothing_is_untrue() {
        let figures = |is_true| Figures { is_true, ..Figures::default() };
        for is_true in [None, Some(true), Some(false)] {
            let is_true_or_unknown = is_true != Some(false);
            assert_eq!(is_held(&[], &figures(is_true)), is_true_or_unknown);
            assert_eq!(is_held(&[guarantee(0)], &figures(is_true)), is_true_or_unknown);
            assert!(!is_held(&[guarantee(0), guarantee(1)], &figures(is_true)));
        }
    }

    #[test]
    fn a_manifest_of_another_file_is_seen() {
        let file = |sha256: &str| ManifestFile { sha256: sha256.into(), ..Default::default() };
        let manifest = |files: Vec<ManifestFile>| {
            Manifest::new("toy", "rounded", Described { files, ..Described::default() })
        };
        let figures = |sha256: Option<&str>| {
            let hash = |sha256: &str| ("sha256".to_string(), sha256.into());
            Figures { json: sha256.map(hash).into_iter().collect(), ..Figures::default() }
        };
        let one = manifest(vec![file("ab")]);
        assert!(is_of_another_file(Some(&one), &figures(Some("cd"))));
        assert!(!is_of_another_file(Some(&one), &figures(Some("ab"))));
        // Nothing is said where there is no hash, no manifest, or a folder of files.
        assert!(!is_of_another_file(Some(&one), &figures(Some(""))));
        assert!(!is_of_another_file(Some(&one), &figures(None)));
        assert!(!is_of_another_file(None, &figures(Some("cd"))));
        let two = manifest(vec![file("ab"), file("ab")]);
        assert!(!is_of_another_file(Some(&two), &figures(Some("cd"))));
    }
}
