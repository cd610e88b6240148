//! Link privacy by removing edges: as long as the candidates for one person are too often joined to
//! those for another, edges between them go.

use sfumato_core::candidates::Structure;
use sfumato_core::facts::Fact;
use sfumato_core::registry::{Capabilities, Info, Paper, Params};
use sfumato_core::{FastMap, Result};
use sfumato_kernels::seeded::Seeded;

use crate::data::{
    Alike, Edge, Graph, Neighbourhoods, class_pairs, edge, near_of_classes, near_pairs, refined,
};
use crate::traits::{Counted, EditingAlgorithm, Edits, GraphRequirement, GraphTask};

/// The algorithm `edge-removal`, an entry of the registry.
pub struct EdgeRemoval;

static INFO: Info = Info {
    name: "edge-removal",
    summary: "edges go as long as candidates for two people are joined too often",
    papers: &[Paper {
        authors: "Sadegh Nobari, Panagiotis Karras, HweeHwa Pang, Stéphane Bressan",
        title: "L-opacity: linkage-aware graph anonymization",
        venue: "EDBT",
        year: 2014,
    }],
    params: &[],
    doc: "Of every two candidate sets with too many near pairs as many edges are removed as are \
          too many, drawn by chance; then the candidate sets are found anew, because degrees have \
          changed, until none is left. Each round removes an edge, so that it ends, at worst \
          without edges. Where paths of more than one edge count, the first edge of the path goes. \
          The paper keeps to the degrees of the original; here the attacker knows those of the \
          release.",
    capabilities: Capabilities { serves: &[Fact::Links], ..Capabilities::DEFAULT },
    ..Info::DEFAULT
};

/// From this round on all edges go that are between such sets.
const PATIENCE: usize = 100;

impl EditingAlgorithm for EdgeRemoval {
    fn info(&self) -> &'static Info {
        &INFO
    }
    fn can_serve(&self, requirement: &GraphRequirement) -> bool {
        matches!(requirement.counted, Counted::Links { .. })
    }
    fn edit(&self, _: &Params, task: &GraphTask<'_>) -> Result<Edits> {
        let mut random = Seeded::new(task.seed);
        let mut now = task.graph.clone();
        let mut deleted: Vec<Edge> = Vec::new();
        for round in 0.. {
            task.check_cancelled()?;
            let mut gone: Vec<Edge> = Vec::new();
            for one in task.requirements {
                let Counted::Links { length, most } = one.counted else { continue };
                let alike = candidates(&now, one.structure, task)?;
                let most = if round < PATIENCE { most } else { 0.0 };
                gone.extend(too_many(&now, &alike, (length, most), &mut random)?);
            }
            if gone.is_empty() {
                break;
            }
            gone.sort_unstable();
            gone.dedup();
            let left: Vec<Edge> =
                now.edges().filter(|edge| gone.binary_search(edge).is_err()).collect();
            now = Graph::simple(now.n(), &left)?;
            deleted.extend(gone);
        }
        deleted.sort_unstable();
        Ok(Edits { deleted, ..Edits::default() })
    }
}

/// The candidate sets of the nodes of a graph.
fn candidates(graph: &Graph, structure: Structure, task: &GraphTask<'_>) -> Result<Alike> {
    match structure {
        Structure::Neighbourhood => Neighbourhoods::new(graph, task.labels).alike(),
        Structure::Refined(i) => Ok(refined(graph, task.labels, i)),
        Structure::Subgraph(_) | Structure::Automorphism | Structure::Supernode => {
            Ok(Alike::all(graph.n()))
        }
    }
}

/// Edges without which candidate sets aren't joined too often.
fn too_many(
    graph: &Graph,
    alike: &Alike,
    (length, most): (u8, f64),
    random: &mut Seeded,
) -> Result<Vec<Edge>> {
    let mut excess: FastMap<(u32, u32), Vec<Edge>> = FastMap::default();
    let counts = near_of_classes(graph, alike, length)?;
    for (classes, near) in &counts {
        if *near as f64 / class_pairs(alike, *classes) as f64 > most {
            excess.insert(*classes, Vec::new());
        }
    }
    if excess.is_empty() {
        return Ok(Vec::new());
    }
    near_pairs(graph, length, |a, b| {
        let (x, y) = (alike.class_of[a as usize], alike.class_of[b as usize]);
        if let Some(pairs) = excess.get_mut(&(x.min(y), x.max(y))) {
            pairs.push((a, b));
        }
    })?;
    let mut all: Vec<((u32, u32), Vec<Edge>)> = excess.into_iter().collect();
    all.sort_unstable_by_key(|(classes, _)| *classes);
    let mut gone = Vec::new();
    for (classes, mut near) in all {
        let allowed = (most * class_pairs(alike, classes) as f64).floor() as usize;
        random.shuffle(&mut near);
        let surplus = near.len().saturating_sub(allowed).max(1).min(near.len());
        gone.extend(near[..surplus].iter().map(|(a, b)| first_edge(graph, *a, *b, length)));
    }
    Ok(gone)
}

/// The first edge of a shortest path of at most `length` edges that is known to be there.
fn first_edge(graph: &Graph, a: u32, b: u32, length: u8) -> Edge {
    let mut reach = vec![b];
    for _ in 0..length {
        // A neighbour of `a` from which what is left of the path leads on.
        if let Some(step) = reach.iter().find(|node| graph.has(a, **node)) {
            return edge(a, *step);
        }
        let next: Vec<u32> =
            reach.iter().flat_map(|node| graph.neighbours(*node)).copied().collect();
        reach = next;
        reach.sort_unstable();
        reach.dedup();
    }
    edge(a, b)
}

#[cfg(test)]
mod tests {
    use sfumato_core::observer::Unobserved;

    use super::*;
    use crate::data::links_between;

    #[test]
    fn what_is_left_keeps_the_model() {
        let params = Params::check(&INFO, &Default::default()).unwrap();
        let mut random = Seeded::new(101);
        for seed in 0..20 {
            let n = 4 + random.below(30);
            let edges: Vec<(u32, u32)> =
                (0..3 * n).map(|_| (random.below(n) as u32, random.below(n) as u32)).collect();
            let graph = Graph::new(n, &edges).0;
            for (length, most) in [(1, 0.5), (1, 0.2), (2, 0.5)] {
                let one = GraphRequirement {
                    model: "link-privacy",
                    text: String::new(),
                    structure: Structure::Refined(1),
                    counted: Counted::Links { length, most },
                    required: 1,
                };
                let requirements = [one];
                let task = GraphTask {
                    requirements: &requirements,
                    seed,
                    ..GraphTask::of(&graph, &Unobserved)
                };
                let edits = EdgeRemoval.edit(&params, &task).unwrap();
                let after = edits.apply(&graph).unwrap();
                let found = links_between(&after, &refined(&after, None, 1), length, most).unwrap();
                assert_eq!(found.violations, 0, "{length} {most}: {found:?}");
                let before =
                    links_between(&graph, &refined(&graph, None, 1), length, most).unwrap();
                assert_eq!(edits.count() == 0, before.violations == 0);
            }
        }
    }
}
