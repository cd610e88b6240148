//! Attacks on documents: one file each, listed once.

pub mod stage;

pub use stage::TextStage;

use sfumato_core::Result;
use sfumato_engine::attack::{Attack, AttackRequest, Stage, Staged};

use crate::job::Job;

sfumato_core::registry! {
    /// Every attack on documents.
    dyn Attack<TextStage>:
    context_linkage::ContextLinkage,
    residual_identifiers::ResidualIdentifiers,
    rare_word_linkage::RareWordLinkage,
    authorship_linkage::AuthorshipLinkage,
    repeated_surrogates::RepeatedSurrogates,
}

/// Open a release beside its original.
pub(crate) fn stage(request: &AttackRequest<Job>) -> Result<Box<dyn Stage>> {
    Ok(Box::new(Staged { stage: TextStage::open(request)?, attacks: ALL }))
}
