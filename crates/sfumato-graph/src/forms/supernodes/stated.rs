//! The facts that supernodes state: among how many nodes each hides.

use sfumato_core::Result;
use sfumato_core::candidates::{CandidateFacts, Structure};
use sfumato_core::facts::{Facts, Least};

use crate::data::Supernodes;

/// What supernodes state.
pub struct StatedSupernodes(pub Supernodes);

impl CandidateFacts for StatedSupernodes {
    fn least(&self, structure: Structure, required: u64) -> Result<Option<Least>> {
        let sizes = &self.0.sizes;
        let least = Least {
            least: sizes.iter().copied().min().unwrap_or(0),
            violations: sizes.iter().filter(|size| **size < required).count() as u64,
        };
        Ok(match structure {
            // Nodes of a supernode can be exchanged in every graph that fits: whatever is known of
            // the place of one, the others may have it.
            Structure::Supernode | Structure::Refined(_) | Structure::Neighbourhood => Some(least),
            Structure::Automorphism => None,
        })
    }
}

impl Facts for StatedSupernodes {
    fn release(&self) -> &'static str {
        "a release of supernodes"
    }
    fn candidates(&self) -> Option<&dyn CandidateFacts> {
        Some(self)
    }
}
