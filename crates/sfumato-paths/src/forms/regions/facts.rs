//! The facts of published regions: which tracks fit what is known of each person.

use sfumato_core::facts::{AttackGraphFacts, Facts};

use super::people::Graph;

/// Published regions beside the people whom they are of.
pub struct Stated<'a> {
    /// The attack graph. `None` if the original isn't known.
    pub graph: Option<&'a Graph>,
}

impl Facts for Stated<'_> {
    fn release(&self) -> &'static str {
        "a release of regions without its original"
    }
    fn attack_graph(&self) -> Option<&dyn AttackGraphFacts> {
        self.graph.map(|graph| graph as &dyn AttackGraphFacts)
    }
}
