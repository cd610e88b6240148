//! Models for tables: one file each, listed once.

sfumato_core::registry! {
    /// Every model for tables.
    dyn sfumato_core::traits::Model:
    k_anonymity::KAnonymity,
    multi_k_anonymity::MultiKAnonymity,
    nonreciprocal_k_anonymity::NonreciprocalKAnonymity,
    l_diversity_distinct::LDiversityDistinct,
    l_diversity_entropy::LDiversityEntropy,
    l_diversity_recursive::LDiversityRecursive,
    p_sensitive_k_anonymity::PSensitiveKAnonymity,
    alpha_k_anonymity::AlphaKAnonymity,
    confidence_bounding::ConfidenceBounding,
    lkc_privacy::LkcPrivacy,
    t_closeness::TCloseness,
    delta_disclosure::DeltaDisclosure,
    beta_likeness_basic::BetaLikenessBasic,
    beta_likeness_enhanced::BetaLikenessEnhanced,
    k_e_anonymity::KEAnonymity,
    eps_m_anonymity::EpsMAnonymity,
    variance_diversity::VarianceDiversity,
    personalized_privacy::PersonalizedPrivacy,
}
