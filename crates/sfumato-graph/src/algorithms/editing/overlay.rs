//! A graph with some edges changed, without building it anew.

use sfumato_core::FastSet;

use crate::data::{Edge, Graph, edge};
use crate::traits::Edits;

/// A graph with edges added and deleted.
pub(super) struct Overlay<'a> {
    graph: &'a Graph,
    added: FastSet<Edge>,
    deleted: FastSet<Edge>,
    /// The added edges, to draw from. An edge that was taken back may still be listed.
    drawn: Vec<Edge>,
}

impl<'a> Overlay<'a> {
    /// The graph as it is.
    pub fn new(graph: &'a Graph) -> Self {
        let (added, deleted) = (FastSet::default(), FastSet::default());
        Overlay { graph, added, deleted, drawn: Vec::new() }
    }

    /// Whether two nodes are neighbours now. A node is no neighbour of its own.
    pub fn has(&self, a: u32, b: u32) -> bool {
        let edge = edge(a, b);
        match self.graph.has(a, b) {
            true => !self.deleted.contains(&edge),
            false => self.added.contains(&edge),
        }
    }

    /// Whether an edge may be added.
    pub fn is_free(&self, a: u32, b: u32) -> bool {
        a != b && !self.has(a, b)
    }

    /// Add an edge, or take its deletion back.
    pub fn add(&mut self, a: u32, b: u32) {
        let edge = edge(a, b);
        if !self.deleted.remove(&edge) {
            self.added.insert(edge);
            self.drawn.push(edge);
        }
    }

    /// Delete an edge, or take its addition back.
    pub fn delete(&mut self, a: u32, b: u32) {
        let edge = edge(a, b);
        if !self.added.remove(&edge) {
            self.deleted.insert(edge);
        }
    }

    /// The neighbours that a node had and still has.
    pub fn kept(&self, node: u32) -> impl Iterator<Item = u32> + '_ {
        let around = self.graph.neighbours(node).iter().copied();
        around.filter(move |other| {
            self.deleted.is_empty() || !self.deleted.contains(&edge(node, *other))
        })
    }

    /// How many added edges there are to draw from.
    pub fn n_drawn(&self) -> usize {
        self.drawn.len()
    }

    /// An added edge by its place. What was taken back is removed from the list, and nothing is
    /// given.
    pub fn drawn(&mut self, place: usize) -> Option<Edge> {
        let edge = *self.drawn.get(place)?;
        match self.added.contains(&edge) {
            true => Some(edge),
            false => {
                self.drawn.swap_remove(place);
                None
            }
        }
    }

    /// The changes, ascending.
    pub fn into_edits(self) -> Edits {
        let sorted = |edges: FastSet<Edge>| {
            let mut edges: Vec<Edge> = edges.into_iter().collect();
            edges.sort_unstable();
            edges
        };
        Edits { added: sorted(self.added), deleted: sorted(self.deleted), ..Edits::default() }
    }
}
