//! Subtree and sibling recoding: any cut of each column's tree. They lose less than whole levels,
//! but there are too many choices to list.

pub mod cut_search;
pub mod specialise;

use sfumato_core::traits::Algorithm;

sfumato_core::registry! {
    /// The recodings by cuts of trees.
    dyn Algorithm: top_down_specialization::TopDownSpecialization,
        top_down_refinement::TopDownRefinement,
        top_down_disclosure::TopDownDisclosure, bottom_up_generalization::BottomUpGeneralization,
            k_optimize::KOptimize, bcf_anonymizer::BcfAnonymizer,
        l_plus_optimize::LPlusOptimize, genetic::Genetic, mu_argus::MuArgus
}

/// The algorithms that are one search over a store of points.
static SPECIALISING: &[&dyn specialise::Specialises] = &[
    &top_down_specialization::TopDownSpecialization,
    &top_down_refinement::TopDownRefinement,
    &top_down_disclosure::TopDownDisclosure,
];

/// The algorithm as one whose points can be on disk, if it is one.
pub fn specialising(algorithm: &dyn Algorithm) -> Option<&'static dyn specialise::Specialises> {
    let name = algorithm.info().name;
    SPECIALISING.iter().copied().find(|other| other.info().name == name)
}
