//! Attacks on graphs: one file each, listed once.

pub mod search;
pub mod stage;

pub use stage::{GraphStage, OtherRelease};

use sfumato_core::Result;
use sfumato_engine::attack::{Attack, AttackRequest, Stage, Staged};
use sfumato_engine::context::Context;

use crate::job::Job;

sfumato_core::registry! {
    /// Every attack on graphs.
    dyn Attack<GraphStage>:
    degree::Degree,
    structure::Structure,
    neighbourhood::Neighbourhood,
    colluders::Colluders,
    seed_propagation::SeedPropagation,
    link_bribery::LinkBribery,
    subgraph::Subgraph,
    sybils::Sybils,
    two_releases::TwoReleases,
    neighbour_labels::NeighbourLabels,
    hidden_links::HiddenLinks,
}

/// The forms whose release is a graph.
const GRAPHS: &[&str] = &["edited", "randomized"];

/// Open a release of a form beside its original.
pub(crate) fn stage(
    form: &'static str,
    request: &AttackRequest<Job>,
    context: &Context<'_>,
) -> Result<Box<dyn Stage>> {
    let stage = GraphStage::open(form, request, context.observer)?;
    Ok(Box::new(Staged { stage, attacks: ALL }))
}
