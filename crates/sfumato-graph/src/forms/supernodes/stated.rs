//! The facts that supernodes state: among how many nodes each hides.

use sfumato_core::Result;
use sfumato_core::candidates::{CandidateFacts, Linked, Structure};
use sfumato_core::facts::{Facts, Least};

use crate::data::Supernodes;

/// What supernodes state.
pub struct StatedSupernodes {
    /// What is published.
    pub published: Supernodes,
    /// How many edges that must not be known are counted, and how many of them the original has,
    /// where that is known.
    pub sensitive: Option<(u64, u64)>,
}

impl CandidateFacts for StatedSupernodes {
    fn least(&self, structure: Structure, required: u64) -> Result<Option<Least>> {
        let sizes = &self.published.sizes;
        let least = Least {
            least: sizes.iter().copied().min().unwrap_or(0),
            violations: sizes.iter().filter(|size| **size < required).count() as u64,
        };
        Ok(match structure {
            // Nodes of a supernode can be exchanged in every graph that fits: whatever is known of
            // the place of one, the others may have it.
            Structure::Supernode
            | Structure::Refined(_)
            | Structure::Neighbourhood
            | Structure::Subgraph(_) => Some(least),
            Structure::Automorphism => None,
        })
    }
    fn links(&self, _: Structure, length: u8, most: f64) -> Result<Option<Linked>> {
        // Nobody can tell from numbers of edges which nodes have a common neighbour.
        if length > 1 {
            return Ok(None);
        }
        let published = &self.published;
        let size = |group: u32| published.sizes[group as usize];
        let inside = (0u32..).zip(&published.inside).filter(|(_, edges)| **edges > 0);
        let inside = inside.map(|(a, edges)| *edges as f64 / (size(a) * (size(a) - 1) / 2) as f64);
        let between = published.between.iter();
        let between = between.map(|(a, b, edges)| *edges as f64 / (size(*a) * size(*b)) as f64);
        let mut found = Linked { most: 0.0, violations: 0 };
        for share in inside.chain(between) {
            found.most = found.most.max(share);
            found.violations += u64::from(share > most);
        }
        Ok(Some(found))
    }
    fn sensitive_edges(&self) -> Option<(u64, u64)> {
        self.sensitive
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
