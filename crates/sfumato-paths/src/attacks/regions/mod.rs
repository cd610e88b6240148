//! Attacks on published regions: whoever knows where somebody was at some times looks for their
//! track.

use sfumato_engine::attack::Attack;

use crate::data::attack_graph::AttackGraph;

sfumato_core::registry! {
    /// Every attack on published regions.
    dyn Attack<RegionStage>:
    attack_graph::AttackGraphPlay,
}

/// Published regions beside the people whom they are of.
pub struct RegionStage {
    /// Which tracks fit what is known of each person.
    pub graph: AttackGraph,
}
