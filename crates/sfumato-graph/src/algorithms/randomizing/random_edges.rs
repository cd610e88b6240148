//! Random edges: some are deleted, and as many others added.

use sfumato_core::registry::{Capabilities, Info, Paper, Params};
use sfumato_core::{FastSet, Result};
use sfumato_kernels::seeded::Seeded;

use super::{SHARE, count};
use crate::data::{Edge, Graph, edge};
use crate::traits::{Edits, RandomizingAlgorithm};

/// The algorithm `random-edges`, an entry of the registry.
pub struct RandomEdges;

static INFO: Info = Info {
    name: "random-edges",
    summary: "a share of the edges is deleted, and as many others are added at random",
    papers: &[Paper {
        authors: "Michael Hay, Gerome Miklau, David Jensen, Philipp Weis, Siddharth Srivastava",
        title: "Anonymizing social networks",
        venue: "University of Massachusetts, technical report 07-19",
        year: 2007,
    }],
    params: &[SHARE],
    doc: "Every edge is as likely to be deleted as every other, and so is every pair without an \
          edge to get one. Nothing is promised: whoever knows enough of the structure may still \
          find a node, and utility falls steeply with the share.",
    capabilities: Capabilities::DEFAULT,
    ..Info::DEFAULT
};

impl RandomizingAlgorithm for RandomEdges {
    fn info(&self) -> &'static Info {
        &INFO
    }
    fn randomize(&self, params: &Params, graph: &Graph, seed: u64) -> Result<Edits> {
        let mut random = Seeded::new(seed);
        let mut edges: Vec<Edge> = graph.edges().collect();
        let n = graph.n() as u64;
        let free = (n * n.saturating_sub(1) / 2 - graph.m()) as usize;
        let wanted = count(params.number("share"), graph.m()).min(free);
        random.shuffle(&mut edges);
        let mut deleted = edges[..wanted].to_vec();
        deleted.sort_unstable();
        let mut added: FastSet<Edge> = FastSet::default();
        // Where few pairs are free all of them are listed, and else pairs are drawn until one is.
        if free < 4 * wanted + 16 {
            let pairs = (0..n as u32).flat_map(|b| (0..b).map(move |a| (a, b)));
            let mut pairs: Vec<Edge> = pairs.filter(|(a, b)| !graph.has(*a, *b)).collect();
            random.shuffle(&mut pairs);
            added.extend(pairs.into_iter().take(wanted));
        }
        while added.len() < wanted {
            let (a, b) = (random.below(n as usize) as u32, random.below(n as usize) as u32);
            if a != b && !graph.has(a, b) {
                added.insert(edge(a, b));
            }
        }
        let mut added: Vec<Edge> = added.into_iter().collect();
        added.sort_unstable();
        Ok(Edits { added, deleted, ..Edits::default() })
    }
}
