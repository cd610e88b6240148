//! k-automorphism by alignment: nodes are put into cycles of k, and the edges are changed until
//! turning all cycles by one maps the graph to itself.

mod align;

use sfumato_core::candidates::Structure;
use sfumato_core::facts::Fact;
use sfumato_core::registry::{Capabilities, Info, Paper, ParamKind, ParamSpec, Params};
use sfumato_core::{Error, FastSet, Result};

use self::align::cycles;
use crate::data::{Edge, Graph, edge};
use crate::traits::{Counted, EditingAlgorithm, Edits, GraphRequirement, GraphTask};

/// The algorithm `block-alignment`, an entry of the registry.
pub struct BlockAlignment;

static INFO: Info = Info {
    name: "block-alignment",
    summary: "nodes in cycles of k, and edges changed until turning all cycles changes nothing",
    papers: &[Paper {
        authors: "Lei Zou, Lei Chen, M. Tamer Özsu",
        title: "K-automorphism: a general framework for privacy preserving network publication",
        venue: "PVLDB",
        year: 2009,
    }],
    params: &[ParamSpec::with_default(
        "edits",
        ParamKind::Choice(&["fewest", "add"]),
        "fewest",
        "which edges may change: add keeps every edge of the original, as the paper does; fewest \
         deletes those whose images would cost more",
    )],
    doc: "k nodes with many edges are put beside each other, then their neighbours, those with the \
          most edges first, then the neighbours of these, and so on: nodes beside each other are \
          the rows of the paper's alignment table, and each row is a cycle. Nodes that are left \
          over join the last cycle, which has those with the fewest edges.\n\n\
          Turning all cycles by one takes an edge through its images. With `edits=add` all images \
          of every edge are added; with `edits=fewest` they are added if at least half of them are \
          there, and else the edge is deleted. What comes out is checked edge by edge.\n\n\
          Where nodes have labels and a model asks about them (`k-neighbourhood`, `candidates` \
          with h0), all nodes of a cycle get the lowest value of the label hierarchy that is above \
          all of theirs (`--label-hierarchy`; without one `*`).\n\n\
          The paper cuts the graph into k blocks by frequent patterns and aligns these; here rows \
          grow along edges. Strong promises cost many edges: most edges of a sparse graph have no \
          image. About k m steps.",
    capabilities: Capabilities {
        serves: &[Fact::Automorphisms, Fact::Candidates],
        ..Capabilities::DEFAULT
    },
    ..Info::DEFAULT
};

impl EditingAlgorithm for BlockAlignment {
    fn info(&self) -> &'static Info {
        &INFO
    }
    fn can_serve(&self, requirement: &GraphRequirement) -> bool {
        let is_structure = match requirement.structure {
            Structure::Refined(_)
            | Structure::Neighbourhood
            | Structure::Subgraph(_)
            | Structure::Automorphism => true,
            Structure::Supernode => false,
        };
        requirement.counted == Counted::Nodes && is_structure
    }
    fn edit(&self, params: &Params, task: &GraphTask<'_>) -> Result<Edits> {
        let graph = task.graph;
        let k = usize::try_from(task.k).unwrap_or(usize::MAX).max(1);
        if k > graph.n() {
            return Err(Error::infeasible(format!("k is {k}, and there are {} nodes", graph.n())));
        }
        let cycles = cycles(graph, k, task.seed);
        task.check_cancelled()?;
        let mut function = vec![0; graph.n()];
        for cycle in &cycles {
            for (place, node) in cycle.iter().enumerate() {
                function[*node as usize] = cycle[(place + 1) % cycle.len()];
            }
        }
        let mut edits = close(graph, &function, params.text("edits") == Some("add"));
        // Whoever knows labels must find the same along a cycle: all get what is above all.
        let is_labelled = |one: &GraphRequirement| {
            matches!(one.structure, Structure::Neighbourhood | Structure::Refined(0))
        };
        if let Some(labels) = task.labels.filter(|_| task.requirements.iter().any(is_labelled)) {
            edits.labels = Some(task.label_tree.above_all(labels, &cycles)?);
        }
        edits.cycles = Some(cycles);
        Ok(edits)
    }
}

/// Change edges until a function maps the graph to itself: of each edge all images are added, or
/// all that are there deleted.
fn close(graph: &Graph, function: &[u32], adds: bool) -> Edits {
    let mut seen: FastSet<Edge> = FastSet::default();
    let mut edits = Edits::default();
    let mut images = Vec::new();
    for first in graph.edges() {
        if seen.contains(&first) {
            continue;
        }
        images.clear();
        let mut at = first;
        loop {
            images.push(at);
            at = edge(function[at.0 as usize], function[at.1 as usize]);
            if at == first {
                break;
            }
        }
        let there = images.iter().filter(|(a, b)| graph.has(*a, *b)).count();
        seen.extend(images.iter().filter(|(a, b)| graph.has(*a, *b)));
        match adds || 2 * there >= images.len() {
            true => edits.added.extend(images.iter().filter(|(a, b)| !graph.has(*a, *b))),
            false => edits.deleted.extend(images.iter().filter(|(a, b)| graph.has(*a, *b))),
        }
    }
    edits.added.sort_unstable();
    edits.deleted.sort_unstable();
    edits
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use sfumato_core::observer::Unobserved;
    use sfumato_core::registry::Argument;
    use sfumato_kernels::seeded::Seeded;

    use super::*;
    use crate::data::{AutomorphismCheck, Neighbourhoods, refined};

    fn run(graph: &Graph, k: u64, edits: &str, seed: u64) -> Edits {
        let args: BTreeMap<String, Argument> =
            [("edits".to_string(), Argument::Word(edits.into()))].into();
        let params = Params::check(&INFO, &args).unwrap();
        let task = GraphTask { k, seed, ..GraphTask::of(graph, &Unobserved) };
        BlockAlignment.edit(&params, &task).unwrap()
    }

    /// Every power of the function is checked by itself, pair by pair, as the model defines it.
    #[test]
    fn k_functions_map_every_graph_to_itself_and_differ_everywhere() {
        let mut random = Seeded::new(31);
        for round in 0..60 {
            let n = 2 + random.below(30);
            let m = random.below(2 * n + 1);
            let edges: Vec<(u32, u32)> =
                (0..m).map(|_| (random.below(n) as u32, random.below(n) as u32)).collect();
            let graph = Graph::new(n, &edges).0;
            for k in [1, 2, 3, 5] {
                if k > n {
                    continue;
                }
                for how in ["add", "fewest"] {
                    let edits = run(&graph, k as u64, how, round);
                    assert!(how != "add" || edits.deleted.is_empty());
                    let after = edits.apply(&graph).unwrap();
                    let cycles = edits.cycles.clone().unwrap();
                    let mut all: Vec<u32> = cycles.concat();
                    all.sort_unstable();
                    assert_eq!(all, graph.nodes().collect::<Vec<_>>());
                    let mut function = vec![0; n];
                    for cycle in &cycles {
                        assert!(cycle.len() >= k);
                        (0..cycle.len()).for_each(|at| {
                            function[cycle[at] as usize] = cycle[(at + 1) % cycle.len()];
                        });
                    }
                    let mut power: Vec<u32> = graph.nodes().collect();
                    let mut seen: Vec<Vec<u32>> = power.iter().map(|node| vec![*node]).collect();
                    for _ in 1..k {
                        power = power.iter().map(|node| function[*node as usize]).collect();
                        for a in 0..n {
                            for b in 0..n {
                                let image = after.has(power[a], power[b]);
                                assert_eq!(after.has(a as u32, b as u32), image);
                            }
                            assert!(!seen[a].contains(&power[a]));
                            seen[a].push(power[a]);
                        }
                    }
                    let AutomorphismCheck::Holds(least) = AutomorphismCheck::of(&after, &function)
                    else {
                        panic!("the function doesn't map the graph to itself");
                    };
                    assert!(least >= k as u64);
                    // What follows from it.
                    assert_eq!(refined(&after, None, 4).least(k as u64).violations, 0);
                    let around = Neighbourhoods::new(&after, None).alike().unwrap();
                    assert_eq!(around.least(k as u64).violations, 0);
                }
            }
        }
    }
}
