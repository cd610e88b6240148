//! The forms in which baskets may be published: one folder each.

pub mod bitmaps;
pub mod buckets;
pub mod combinations;
pub mod generalized;
mod plan_facts;
pub mod randomized;
pub(crate) mod release_file;
pub mod subsets;

pub use bitmaps::Bitmaps;
pub use buckets::Buckets;
pub use generalized::Generalized;
pub use randomized::Randomized;
pub use subsets::Subsets;

use serde::Serialize;
use sfumato_core::facts::Hiding;
use sfumato_core::{Error, Result};
use sfumato_engine::audit::AuditRequest;

use crate::RELEASES;
use crate::job::Job;
use crate::traits::SetRequirements;

/// The requirements of a job's models. Empty if it has none.
pub(crate) fn requirements_of(job: &Job) -> Result<SetRequirements> {
    match job.privacy.models.is_empty() {
        true => Ok(SetRequirements::default()),
        false => crate::models::bind(&job.privacy.models),
    }
}

/// Whether a model needs groups whose sensitive items are published separately.
pub(crate) fn asks_for_buckets(requirements: &SetRequirements) -> bool {
    requirements.at_least(Hiding::Bystanders).is_some()
}

/// Whether a model needs published records that original ones match, without groups.
pub(crate) fn asks_for_bitmaps(requirements: &SetRequirements) -> bool {
    let asks = |hiding| requirements.at_least(hiding).is_some();
    asks(Hiding::Matches) || asks(Hiding::Labels)
}

/// Whether a model is about the mechanism that draws what is published.
pub(crate) fn asks_for_randomized(requirements: &SetRequirements) -> bool {
    requirements.all.iter().any(|requirement| requirement.amplification().is_some())
}

/// Whether models ask for something else than sets that stand for records.
pub(crate) fn asks_for_others(requirements: &SetRequirements) -> bool {
    asks_for_buckets(requirements)
        || asks_for_bitmaps(requirements)
        || asks_for_randomized(requirements)
}

/// Refuse what no form of baskets can do, before anything is read.
pub(crate) fn check_job(job: &Job) -> Result<()> {
    let requirements = requirements_of(job)?;
    if asks_for_buckets(&requirements) && asks_for_bitmaps(&requirements) {
        return Err(Error::unsupported(
            "models about buckets and about matches can't be asked for together",
        )
        .hint("leave one of them out"));
    }
    if asks_for_randomized(&requirements)
        && (asks_for_buckets(&requirements) || asks_for_bitmaps(&requirements))
    {
        return Err(Error::unsupported(
            "models about a mechanism and about buckets or matches can't be asked for together",
        )
        .hint("leave one of them out"));
    }
    if job.baskets.hierarchy.is_some() && asks_for_others(&requirements) {
        return Err(Error::unsupported(
            "with an item hierarchy items are generalized, and these models are about buckets, \
             matches or a mechanism",
        )
        .hint("leave --item-hierarchy or these models out"));
    }
    Ok(())
}

/// The error about an algorithm that a form doesn't have. If another form has it, the error says
/// so.
pub(crate) fn has_no_algorithm(error: Error, name: &str, form: &str, family: &str) -> Error {
    let mut known = RELEASES.iter().flat_map(|release| release.algorithms());
    match known.any(|info| info.name == name) {
        true => Error { message: format!("{name} makes no {form} of baskets"), ..error }
            .hint(format!("'sfumato list {family}' shows those that do")),
        false => error,
    }
}

/// Refuse what no audit of baskets can do, before anything is read.
pub(crate) fn check_audit(request: &AuditRequest<Job>) -> Result<()> {
    match request.memory.is_some() || request.spill.is_some() {
        true => Err(Error::unsupported("--memory is for tables, and these are baskets")),
        false => Ok(()),
    }
}

/// The figures of an audit, for programs.
pub(crate) fn json_of(
    figures: &impl Serialize,
) -> Result<serde_json::Map<String, serde_json::Value>> {
    match serde_json::to_value(figures) {
        Ok(serde_json::Value::Object(figures)) => Ok(figures),
        Ok(_) => Err(Error::internal("the figures of an audit have no names")),
        Err(error) => {
            Err(Error::internal(format!("the figures of an audit can't be told: {error}")))
        }
    }
}
