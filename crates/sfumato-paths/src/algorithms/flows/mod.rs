//! Algorithms that publish a matrix of flows: one file each, listed once.

sfumato_core::registry! {
    /// Every algorithm that publishes flows.
    dyn FlowAlgorithm:
    small_count_suppression::SmallCountSuppression,
    geometric_flows::GeometricFlows,
}

use rand_chacha::ChaCha20Rng;
use sfumato_core::Result;
use sfumato_core::registry::{self, Info, Params};

use crate::data::flows::Flows;

/// What an algorithm is asked to do.
pub struct FlowTask<'a> {
    /// The true matrix.
    pub flows: &'a Flows,
    /// The least count that may be published, if a model asks for one.
    pub k: Option<u64>,
    /// Places that everybody knows, if the job names a file of them.
    pub places: Option<&'a [String]>,
}

/// An algorithm that publishes a matrix of flows.
pub trait FlowAlgorithm: Sync {
    /// The name, summary and parameters of the algorithm.
    fn info(&self) -> &'static Info;
    /// Whether counts are those of the original or drawn at random.
    fn is_random(&self) -> bool;
    /// What is published.
    fn publish(
        &self,
        params: &Params,
        task: &FlowTask<'_>,
        random: &mut ChaCha20Rng,
    ) -> Result<Flows>;
}

/// Find an algorithm by its name. The error for an unknown name hints at similar names.
pub fn find(name: &str) -> Result<&'static dyn FlowAlgorithm> {
    registry::find("flow-algorithm", ALL, |algorithm| algorithm.info(), name)
}
