//! Attacks on tables: one file each, listed once.

pub mod bayes;
pub mod guess;
pub(crate) mod labels;
pub mod links;
pub mod minimal;
pub mod nearest;
pub mod stage;
pub mod worlds;

pub use stage::TableStage;

use sfumato_core::Result;
use sfumato_engine::attack::{Attack, AttackRequest, Stage, Staged};
use sfumato_engine::context::Context;

use crate::job::Job;

sfumato_core::registry! {
    /// Every attack on tables.
    dyn Attack<TableStage>:
    record_linkage::RecordLinkage,
    distance_linkage::DistanceLinkage,
    kept_columns::KeptColumns,
    homogeneity::Homogeneity,
    background_knowledge::BackgroundKnowledge,
    skewness::Skewness,
    similarity::Similarity,
    corruption::Corruption,
    definetti::DeFinetti,
    minimality::Minimality,
    max_entropy::MaxEntropy,
    kernel_belief::KernelBelief,
    worst_case_knowledge::WorstCaseKnowledge,
    freeform::Freeform,
    isolation::Isolation,
    noise_filtering::NoiseFiltering,
    downcoding::Downcoding,
    order::Order,
    membership::Membership,
    delta_presence::DeltaPresence,
    k_map::KMap,
    composition::Composition,
    correspondence::Correspondence,
    singling_out::SinglingOut,
    linkability::Linkability,
    attribute_inference::AttributeInference,
}

/// Open a release of a form beside its original.
pub(crate) fn stage(
    form: &'static str,
    request: &AttackRequest<Job>,
    context: &Context<'_>,
) -> Result<Box<dyn Stage>> {
    let stage = TableStage::open(form, request, context.observer)?;
    Ok(Box::new(Staged { stage, attacks: ALL }))
}
