//! Privacy models: one file each. A model turns its parameters and the columns of a table into
//! requirements. A requirement decides from the summary of a group whether the group may be
//! published, and what it achieves.
//!
//! Nothing here reads records: core counts once, in the same way for every model. Nothing here
//! knows an algorithm either.
//!
//! # People and records
//!
//! With a subject column a group's `people` are distinct people, and a histogram counts the people
//! who have a value, so the counts of a histogram can add up to more than the people of the group.
//! Every model reads them the same way:
//! - the size of a group (`k`) is its people;
//! - a confidence (`alpha`, `h`, `C`, `1/m`) is the people who have a value over the people of the
//!   group;
//! - a distribution (entropy, `t`, `beta`, `delta`, variance) is the counts of the histogram over
//!   their sum;
//! - `l` different values need at least `l` people: one person with five diseases is nobody's
//!   cover.
//!
//! Merging two groups that share a person doesn't add up their counts. [`Requirement::is_monotone`]
//! speaks of one record per person; each model's page says whether it is still monotone with a
//! subject column.
//!
//! [`Requirement::is_monotone`]: sfumato_core::traits::Requirement::is_monotone

mod bound;
mod confidence;
mod emd;
mod exact;
mod numbers;
mod xy;

use sfumato_core::Result;
use sfumato_core::registry;
use sfumato_core::traits::Model;

sfumato_core::registry! {
    /// Every model for tables.
    dyn sfumato_core::traits::Model:
    k_anonymity::KAnonymity,
    multi_k_anonymity::MultiKAnonymity,
    nonreciprocal_k_anonymity::NonreciprocalKAnonymity,
    l_diversity_distinct::LDiversityDistinct,
    l_diversity_entropy::LDiversityEntropy,
    l_diversity_recursive::LDiversityRecursive,
    l_diversity_disclosure::LDiversityDisclosure,
    p_sensitive_k_anonymity::PSensitiveKAnonymity,
    p_alpha_anonymity::PAlphaAnonymity,
    confidence_bounding::ConfidenceBounding,
    lkc_privacy::LkcPrivacy,
    t_closeness::TCloseness,
    alpha_k_anonymity::AlphaKAnonymity,
    delta_disclosure::DeltaDisclosure,
    beta_likeness_basic::BetaLikenessBasic,
    beta_likeness_enhanced::BetaLikenessEnhanced,
    k_e_anonymity::KEAnonymity,
    eps_m_anonymity::EpsMAnonymity,
    variance_diversity::VarianceDiversity,
    personalized_privacy::PersonalizedPrivacy,
    skyline_privacy::SkylinePrivacy,
    xy_anonymity::XyAnonymity,
    xy_linkability::XyLinkability,
    xy_privacy::XyPrivacy,
    bcf_anonymity::BcfAnonymity,
    hd_composition::HdComposition,
    incremental_l_diversity::IncrementalLDiversity,
    m_invariance::MInvariance,
    sequential_xy_privacy::SequentialXyPrivacy,
    delta_presence::DeltaPresence,
    k_map::KMap,
    multirelational_k_anonymity::MultirelationalKAnonymity,
}

/// Find a model by its name. The error for an unknown name hints at similar names.
pub fn find(name: &str) -> Result<&'static dyn Model> {
    registry::find("model", ALL, |model| model.info(), name)
}
