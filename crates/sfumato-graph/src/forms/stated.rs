//! The facts that a published graph states: which of its nodes are alike.

use std::cell::RefCell;

use sfumato_core::candidates::{CandidateFacts, Linked, Structure};
use sfumato_core::facts::{Facts, Least};
use sfumato_core::{FastMap, Result};

use crate::data::{
    Alike, AutomorphismCheck, Graph, Labels, Neighbourhoods, links_between, refined_all, shifts,
    subgraph_least,
};

/// How many blocks of numbers are tried as those that functions turn.
const LARGEST_BLOCK: usize = 1_000;
/// How many nodes are looked at to find the block.
const MOST_LOOKS: usize = 50_000_000;

/// A published graph with the numbers that it has in the file, and what was found out about it.
pub struct Stated {
    /// The graph.
    pub graph: Graph,
    /// The labels of its nodes, if they have some.
    pub labels: Option<Labels>,
    /// Whether nodes are numbered from 0 on, so that numbers may give functions.
    pub is_numbered: bool,
    /// Whether the numbers must give functions that map the graph to itself.
    pub must_map: bool,
    /// Functions that are said to map the graph to itself, where an audit was given some.
    pub functions: Option<Vec<Vec<u32>>>,
    /// How many edges that must not be known are there, and how many of them the original has,
    /// where that is known.
    pub sensitive: Option<(u64, u64)>,
    found: RefCell<FastMap<Structure, Alike>>,
}

impl Stated {
    /// The facts of a graph.
    pub fn new(graph: Graph, labels: Option<Labels>, is_numbered: bool) -> Self {
        Stated {
            graph,
            labels,
            is_numbered,
            must_map: false,
            functions: None,
            sensitive: None,
            found: RefCell::default(),
        }
    }

    /// Which nodes are alike to somebody who knows this. `None` where the graph doesn't tell.
    pub fn alike<T>(&self, structure: Structure, look: impl Fn(&Alike) -> T) -> Result<Option<T>> {
        if let Some(alike) = self.found.borrow().get(&structure) {
            return Ok(Some(look(alike)));
        }
        let labels = self.labels.as_ref();
        match structure {
            Structure::Refined(i) => {
                let all = refined_all(&self.graph, labels, i);
                let known = (0..=i).map(Structure::Refined).zip(all);
                self.found.borrow_mut().extend(known);
            }
            Structure::Neighbourhood => {
                let alike = Neighbourhoods::new(&self.graph, labels).alike()?;
                self.found.borrow_mut().insert(structure, alike);
            }
            // Candidate sets of patterns overlap: nodes have no class of them.
            Structure::Subgraph(_) | Structure::Automorphism | Structure::Supernode => {
                return Ok(None);
            }
        }
        Ok(self.found.borrow().get(&structure).map(look))
    }

    /// How many nodes each node is mapped to by functions that were given, or that numbers give.
    fn mapped(&self, required: u64) -> Option<Least> {
        let n = self.graph.n();
        if let Some(functions) = &self.functions {
            let found = match AutomorphismCheck::of_given(&self.graph, functions) {
                AutomorphismCheck::Holds(least) => {
                    Least { least, violations: u64::from(least < required) }
                }
                AutomorphismCheck::Fails => Least { least: 1, violations: n as u64 },
            };
            return Some(found);
        }
        let first = usize::try_from(required).unwrap_or(usize::MAX).max(1);
        // Each block takes a look at all nodes: fewer are tried in large graphs.
        let more = (MOST_LOOKS / n.max(1)).min(LARGEST_BLOCK);
        let blocks = (first..=n.min(first.saturating_add(more))).filter(|_| self.is_numbered);
        for block in blocks {
            let function = shifts(n, block)?;
            if let AutomorphismCheck::Holds(least) = AutomorphismCheck::of(&self.graph, &function) {
                return Some(Least { least, violations: u64::from(least < required) });
            }
        }
        self.must_map.then_some(Least { least: 1, violations: n as u64 })
    }
}

impl CandidateFacts for Stated {
    fn least(&self, structure: Structure, required: u64) -> Result<Option<Least>> {
        match structure {
            Structure::Automorphism => Ok(self.mapped(required)),
            Structure::Subgraph(edges) => subgraph_least(&self.graph, edges, required).map(Some),
            _ => self.alike(structure, |alike| alike.least(required)),
        }
    }
    fn labels(&self, structure: Structure, required: u64) -> Result<Option<Least>> {
        let Some(labels) = &self.labels else { return Ok(None) };
        self.alike(structure, |alike| alike.least_labels(&labels.of, required))
    }
    fn links(&self, structure: Structure, length: u8, most: f64) -> Result<Option<Linked>> {
        let found =
            self.alike(structure, |alike| links_between(&self.graph, alike, length, most))?;
        found.transpose()
    }
    fn sensitive_edges(&self) -> Option<(u64, u64)> {
        self.sensitive
    }
}

impl Facts for Stated {
    fn release(&self) -> &'static str {
        "a published graph"
    }
    fn candidates(&self) -> Option<&dyn CandidateFacts> {
        Some(self)
    }
}
