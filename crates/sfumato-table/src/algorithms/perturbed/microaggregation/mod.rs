//! Microaggregation: records are put into groups of at least k, and each is published with the
//! means of its group. Where it covers all quasi columns, that is k-anonymity, and it is judged as
//! such from the bytes.

pub mod aggregate;
pub mod exchange;
pub mod nearest;
pub mod points;

use super::PerturbingAlgorithm;

sfumato_core::registry! {
    /// Every microaggregation.
    dyn PerturbingAlgorithm:
    mdav::Mdav,
    mdav_exchange::MdavExchange,
    optimal_univariate::OptimalUnivariate,
}

/// Whether a name is that of a microaggregation.
pub fn is_one(name: &str) -> bool {
    ALL.iter().any(|algorithm| algorithm.info().name == name)
}
