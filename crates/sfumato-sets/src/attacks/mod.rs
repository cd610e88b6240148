//! Attacks on baskets: one file each, listed once.

pub mod stage;

pub use stage::SetStage;

use sfumato_core::Result;
use sfumato_core::registry::{ParamKind, ParamSpec};
use sfumato_engine::attack::{Attack, AttackRequest, Stage, Staged};
use sfumato_engine::context::Context;

use crate::job::Job;

sfumato_core::registry! {
    /// Every attack on baskets.
    dyn Attack<SetStage>:
    known_items::KnownItems,
    sensitive_items::SensitiveItems,
}

/// How many items of a person an attacker knows.
pub const PRESENT: ParamSpec = ParamSpec::with_default(
    "present",
    ParamKind::Integer { min: 1, max: 1_000_000 },
    "2",
    "how many items of a person the attacker knows, drawn from those that aren't sensitive",
);

/// How many items an attacker knows that a person doesn't have.
pub const ABSENT: ParamSpec = ParamSpec::with_default(
    "absent",
    ParamKind::Integer { min: 0, max: 1_000_000 },
    "0",
    "how many items the attacker knows that the person doesn't have, the most frequent ones",
);

/// How many people are asked about.
pub const QUERIES: ParamSpec = ParamSpec::with_default(
    "queries",
    ParamKind::Integer { min: 1, max: 1_000_000 },
    "2000",
    "how many people are asked about",
);

/// Open a release of a form beside its original.
pub(crate) fn stage(
    form: &'static str,
    request: &AttackRequest<Job>,
    context: &Context<'_>,
) -> Result<Box<dyn Stage>> {
    let stage = SetStage::open(form, request, context.observer)?;
    Ok(Box::new(Staged { stage, attacks: ALL }))
}
