//! The forms in which graphs may be published: one folder each.

pub mod answers;
pub mod edited;
pub(crate) mod figures;
pub(crate) mod pictures;
pub mod randomized;
pub(crate) mod release_file;
pub(crate) mod stated;
pub mod supernodes;
pub(crate) mod utility;

pub use answers::Answers;
pub use edited::Edited;
pub use pictures::positions;
pub use randomized::Randomized;
pub use supernodes::Supernodes;

use sfumato_core::Result;
use sfumato_core::{Error, ErrorKind};
use sfumato_engine::audit::AuditRequest;
use sfumato_engine::compare::Utility;
use sfumato_engine::context::Context;

use crate::RELEASES;
use crate::job::Job;
use crate::traits::{Counted, GraphRequirement, GraphRequirements};

/// What a release in one file of edges keeps of its original.
pub(crate) fn utility_of(
    form: &str,
    request: &AuditRequest<Job>,
    context: &Context<'_>,
) -> Result<Utility> {
    let job = &request.job;
    let read = release_file::read_release(form, job, request.manifest.as_ref(), context.observer)?;
    let Some(original) = &request.original else {
        let remarks = vec!["no original was named to compare with".to_string()];
        return Ok(Utility { rows: Some(read.graph.n() as u64), remarks, ..Utility::default() });
    };
    let original = release_file::read_original(original, job, context.observer)?;
    Ok(utility::utility(&read.graph, &original.graph))
}

/// The requirements of a job's models. Empty if it has none.
pub(crate) fn requirements_of(job: &Job) -> Result<GraphRequirements> {
    match job.privacy.models.is_empty() {
        true => Ok(GraphRequirements::default()),
        false => crate::models::bind(&job.privacy.models),
    }
}

/// The error about an algorithm that a form doesn't have. If another form has it, the error says
/// so.
pub(crate) fn has_no_algorithm(error: Error, name: &str, form: &str, family: &str) -> Error {
    let mut known = RELEASES.iter().flat_map(|release| release.algorithms());
    match known.any(|info| info.name == name) {
        true => Error::new(ErrorKind::Params, format!("{name} makes no {form} graphs"))
            .hint(format!("'sfumato list {family}' shows those that do")),
        false => error,
    }
}

/// Refuse what no audit of a graph can do, before anything is read.
pub(crate) fn check_audit(request: &AuditRequest<Job>) -> Result<()> {
    if request.memory.is_some() || request.spill.is_some() {
        return Err(Error::unsupported("--memory is for tables, and these are graphs"));
    }
    let is_hiding = |one: &GraphRequirement| matches!(one.counted, Counted::Sensitive { .. });
    match requirements_of(&request.job)?.all.iter().find(|one| is_hiding(one)) {
        Some(one) => Err(Error::unsupported(format!(
            "{} needs a run that knows which node is whose: no audit can judge it",
            one.model
        ))
        .hint("the report of the run that made the release says whether it holds")),
        None => Ok(()),
    }
}
