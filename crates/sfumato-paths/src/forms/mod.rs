//! The forms in which paths may be published: one folder each.

pub(crate) mod beside;
pub mod flows;
pub mod moved;
pub mod regions;
mod release_file;
pub mod suppressed;
pub(crate) mod texts;

pub use flows::FlowsForm;
pub use moved::Moved;
pub use regions::Regions;
pub use suppressed::Suppressed;

use sfumato_core::{Error, Result};
use sfumato_engine::audit::AuditRequest;

use crate::RELEASES;
use crate::data::read::Loaded;
use crate::job::Job;
use crate::models::{self, PathRequirements};

/// The requirements of a job's models. Empty if it has none.
pub(crate) fn requirements_of(job: &Job) -> Result<PathRequirements> {
    match job.privacy.models.is_empty() {
        true => Ok(PathRequirements::default()),
        false => models::bind(&job.privacy.models),
    }
}

/// The error about an algorithm that a form doesn't have. If another form has it, the error says
/// so.
pub(crate) fn has_no_algorithm(error: Error, name: &str, form: &str, family: &str) -> Error {
    let mut known = RELEASES.iter().flat_map(|release| release.algorithms());
    match known.any(|info| info.name == name) {
        true => Error { message: format!("{name} makes no {form} paths"), ..error }
            .hint(format!("'sfumato list {family}' shows those that do")),
        false => error,
    }
}

/// Refuse tracks without a grid where a model asks about sequences of steps.
pub(crate) fn check_steps(loaded: &Loaded) -> Result<()> {
    match loaded.data.steps.is_empty() && loaded.tracks.is_some() {
        true => Err(Error::unsupported(
            "this model is about places, and tracks of coordinates have none",
        )
        .hint("say how wide places are, as in --paths 'track(.., grid=500, every=1h)'")),
        false => Ok(()),
    }
}

/// Refuse what no audit of paths can do, before anything is read.
pub(crate) fn check_audit(request: &AuditRequest<Job>) -> Result<()> {
    match request.memory.is_some() || request.spill.is_some() {
        true => Err(Error::unsupported("--memory is for tables, and these are paths")),
        false => Ok(()),
    }
}
