//! Algorithms that add and delete edges: one file or folder each, listed once.

mod overlay;

sfumato_core::registry! {
    /// Every algorithm that changes edges.
    dyn crate::traits::EditingAlgorithm:
    degree_sequence::DegreeSequence,
    block_alignment::BlockAlignment,
    neighbourhood_insertion::NeighbourhoodInsertion,
    edge_removal::EdgeRemoval,
    hide_edges::HideEdges,
}

use sfumato_core::Result;
use sfumato_core::registry;

use crate::traits::EditingAlgorithm;

/// Find an algorithm by its name. The error for an unknown name hints at similar names.
pub fn find(name: &str) -> Result<&'static dyn EditingAlgorithm> {
    registry::find("graph-algorithm", ALL, |algorithm| algorithm.info(), name)
}
