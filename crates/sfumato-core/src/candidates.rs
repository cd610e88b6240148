//! Candidate sets: which published nodes of a graph somebody can't tell apart who knows some of the
//! structure around a node.

use crate::error::Result;
use crate::facts::Least;

/// What somebody knows of the place of a node in a graph.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Structure {
    /// The answer of the query H_i: its label for 0, its degree for 1, and for more the multiset of
    /// what its neighbours answered before.
    Refined(u8),
    /// The graph of the node, its neighbours, and the edges between them.
    Neighbourhood,
    /// Any pattern of at most so many edges that hangs together and has the node: candidates are
    /// the nodes at which it lies as well.
    Subgraph(u8),
    /// All of the structure: nodes are alike where functions that map the graph to itself map them
    /// to each other.
    Automorphism,
    /// Nodes that are published as one supernode.
    Supernode,
}

impl Structure {
    /// A description for reports.
    pub fn describe(self) -> &'static str {
        match self {
            Structure::Refined(0) => "nodes with the same label",
            Structure::Refined(1) => "nodes with the same degree",
            Structure::Refined(2) => "nodes whose neighbours have the same degrees",
            Structure::Refined(3) => "nodes that are alike after three rounds of refinement",
            Structure::Refined(_) => "nodes that are alike after several rounds of refinement",
            Structure::Neighbourhood => "nodes with the same 1-neighbourhood",
            Structure::Subgraph(_) => "nodes at which the same small patterns of edges lie",
            Structure::Automorphism => "nodes that automorphisms map to each other",
            Structure::Supernode => "nodes of the same supernode",
        }
    }
}

/// How sure somebody can be that two nodes are joined, or near each other.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Linked {
    /// The largest share of near pairs among the pairs of any two candidate sets.
    pub most: f64,
    /// How many pairs of candidate sets have a larger share than was asked for.
    pub violations: u64,
}

/// The candidate sets of a release: for each node those that it can't be told from.
pub trait CandidateFacts {
    /// The size of the smallest candidate set, and how many sets are smaller than `required`.
    /// `None` where the release can't tell what is alike in this sense.
    fn least(&self, structure: Structure, required: u64) -> Result<Option<Least>>;
    /// The least number of different labels in a candidate set, and how many sets have fewer than
    /// `required`. `None` where nodes have no labels, or nobody can tell what is alike.
    fn labels(&self, _structure: Structure, _required: u64) -> Result<Option<Least>> {
        Ok(None)
    }
    /// How sure somebody can be who knows the places of two nodes that at most `length` edges lead
    /// from one to the other: over all pairs of candidate sets the share of such pairs of nodes.
    /// `None` where nobody can tell.
    fn links(&self, _structure: Structure, _length: u8, _most: f64) -> Result<Option<Linked>> {
        Ok(None)
    }
    /// How many edges of the original that must not be known are published, and how many of them
    /// there are. `None` where nothing says which these are.
    fn sensitive_edges(&self) -> Option<(u64, u64)> {
        None
    }
}
