//! 1-neighbourhoods: the graph of a node, its neighbours and the edges between them. Nodes with
//! isomorphic ones are alike.
//!
//! The node itself is joined to all others of its neighbourhood, so that the graphs of the
//! neighbours alone are compared, and the labels of both nodes.

use rayon::prelude::*;
use sfumato_core::{FastMap, Result};
use sfumato_engine::hash::{HASH_START, mix};

use super::alike::Alike;
use super::isomorphism::{are_isomorphic, stable};
use crate::data::{Graph, Labels};

/// The 1-neighbourhoods of a graph.
pub struct Neighbourhoods<'a> {
    graph: &'a Graph,
    labels: Option<&'a Labels>,
}

/// The neighbours of a node as a graph of their own, with the colours of their labels.
struct Local {
    graph: Graph,
    colours: Vec<u64>,
}

impl<'a> Neighbourhoods<'a> {
    /// The 1-neighbourhoods of a graph, with labels or without.
    pub fn new(graph: &'a Graph, labels: Option<&'a Labels>) -> Self {
        Neighbourhoods { graph, labels }
    }

    /// Which nodes have isomorphic neighbourhoods. An error if that couldn't be found out with a
    /// stated amount of work.
    pub fn alike(&self) -> Result<Alike> {
        let n = self.graph.n();
        let mut nodes: Vec<(u64, u32)> =
            self.graph.nodes().into_par_iter().map(|node| (self.signature(node), node)).collect();
        nodes.par_sort_unstable();
        // Nodes with the same signature are compared in full with the first of each class.
        let runs: Vec<&[(u64, u32)]> = nodes.chunk_by(|a, b| a.0 == b.0).collect();
        let classes: Vec<Vec<Vec<u32>>> =
            runs.into_par_iter().map(|run| self.divide(run)).collect::<Result<_>>()?;
        let mut class_of = vec![0; n];
        let mut sizes = Vec::new();
        for class in classes.into_iter().flatten() {
            class.iter().for_each(|node| class_of[*node as usize] = sizes.len() as u32);
            sizes.push(class.len() as u32);
        }
        Ok(Alike { class_of, sizes })
    }

    /// Divide nodes with the same signature by comparing their neighbourhoods.
    fn divide(&self, run: &[(u64, u32)]) -> Result<Vec<Vec<u32>>> {
        let mut classes: Vec<(Local, Vec<u32>)> = Vec::new();
        for (_, node) in run {
            let local = self.local(*node);
            let mut found = None;
            for (place, (first, members)) in classes.iter().enumerate() {
                if self.is_same((members[0], first), (*node, &local))? {
                    found = Some(place);
                    break;
                }
            }
            match found {
                Some(place) => classes[place].1.push(*node),
                None => classes.push((local, vec![*node])),
            }
        }
        Ok(classes.into_iter().map(|(_, members)| members).collect())
    }

    fn is_same(&self, (a, of_a): (u32, &Local), (b, of_b): (u32, &Local)) -> Result<bool> {
        if self.label(a) != self.label(b) {
            return Ok(false);
        }
        are_isomorphic(&of_a.graph, &of_b.graph, (&of_a.colours, &of_b.colours))
    }

    fn label(&self, node: u32) -> u64 {
        self.labels.map_or(0, |labels| u64::from(labels.of[node as usize]))
    }

    fn local(&self, node: u32) -> Local {
        let around = self.graph.neighbours(node);
        let place_of: FastMap<u32, u32> = around.iter().copied().zip(0..).collect();
        let mut edges = Vec::new();
        for (place, other) in (0u32..).zip(around) {
            let theirs = self.graph.neighbours(*other);
            // The shorter of both lists is looked up in the other.
            match theirs.len() <= around.len() {
                true => edges.extend(
                    theirs
                        .iter()
                        .filter(|third| *third > other)
                        .filter_map(|third| Some((place, *place_of.get(third)?))),
                ),
                false => edges.extend(
                    around
                        .iter()
                        .zip(0u32..)
                        .filter(|(third, _)| *third > other)
                        .filter(|(third, _)| theirs.binary_search(third).is_ok())
                        .map(|(_, at)| (place, at)),
                ),
            }
        }
        let colours = around.iter().map(|other| self.label(*other)).collect();
        Local { graph: Graph::new(around.len(), &edges).0, colours }
    }

    /// A number that is the same for isomorphic neighbourhoods.
    fn signature(&self, node: u32) -> u64 {
        let Local { graph, mut colours } = self.local(node);
        let plain = mix(mix(HASH_START, self.label(node)), graph.n() as u64);
        let start = mix(plain, graph.m());
        if graph.m() > 0 {
            stable(&graph, &mut colours);
        }
        colours.sort_unstable();
        colours.iter().fold(start, |hash, colour| mix(hash, *colour))
    }
}
