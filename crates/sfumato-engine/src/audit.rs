//! What any release really promises, whoever made it: read it, state its facts, judge the models.

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

/// What to audit, and against what. The job says what columns or items are: its input is the
/// release, its models must hold, and its output isn't looked at.
#[derive(Debug, Clone)]
pub struct AuditRequest<J> {
    /// The release, as a job would read it.
    pub job: J,
    /// What the release says of itself.
    pub manifest: Option<Manifest>,
    /// The data that it was made from, as a job would read them.
    pub original: Option<J>,
    /// Bytes of memory to do with.
    pub memory: Option<u64>,
    /// Where what doesn't fit waits.
    pub spill: Option<std::path::PathBuf>,
}

/// What an audit shows beside guarantees.
#[derive(Debug, Clone, Default)]
pub struct Figures {
    /// Its records.
    pub rows: u64,
    /// Whether the release is true of its original; none where that wasn't looked at.
    pub is_true: Option<bool>,
    /// What the form tells, for programs.
    pub json: serde_json::Map<String, serde_json::Value>,
    /// What stands above the guarantees, for people.
    pub head: String,
    /// What stands below them.
    pub tail: String,
}

/// What a release promises.
#[derive(Debug, Clone, Serialize)]
pub struct Audit {
    /// The file or folder.
    pub path: String,
    /// The kind of its records.
    pub kind: &'static str,
    /// What is published of them.
    pub form: &'static str,
    /// Its records.
    pub rows: u64,
    /// The models asked for, and whether they hold.
    pub guarantees: Vec<shown::Guarantee>,
    /// Whether all of them hold, and the release is true where that was looked at.
    pub holds: bool,
    /// What the form tells.
    #[serde(flatten)]
    pub figures: serde_json::Map<String, serde_json::Value>,
    /// The whole in words.
    #[serde(skip)]
    pub words: String,
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
    let figures = form.figures(&opened)?;
    let InputSpec { path, .. } = common.input;
    let holds =
        guarantees.iter().all(|guarantee| guarantee.holds) && figures.is_true != Some(false);
    let words = format!("{}{}{}", figures.head, guarantee_words(&guarantees), figures.tail);
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
